import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';

import openApiSchema from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

import { call, createVideo, useService, type RequestOptions } from './client';

const document = parse(
	readFileSync(join(__dirname, '../../service/openapi.yaml'), 'utf8'),
) as object;
const asset = '/v1/assets/1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11';
const VIDEOS = '/v1/talkingphotos';
const KEYS = '/v1/voices/add-api-key';
const IMPORT = '/v1/assets/import/url';
const json = { 'content-type': 'application/json' };
const api = useService();

test('openapi.yaml is an OpenAPI 3.1 document', () => {
	const ajv = new Ajv2020({ strict: false, validateFormats: false });

	expect([ajv.validate(openApiSchema, document), ajv.errorsText()]).toEqual([true, 'No errors']);
});

test.each<[string, string, string, RequestOptions, string]>([
	['An unknown query parameter', 'GET', '/v1/assets?page=1', {}, 'unknown field page'],
	['A Page that is text', 'GET', '/v1/assets?Page=one', {}, 'Page must be integer'],
	['A PageSize with a fraction', 'GET', '/v1/assets?PageSize=1.5', {}, 'PageSize must be integer'],
	['An empty Page', 'GET', '/v1/assets?Page=', {}, 'Page must be integer'],
	['A repeated query parameter', 'GET', '/v1/assets?Page=1&Page=2', {}, 'more than once'],
	['An asset ID that is not a UUID', 'GET', '/v1/assets/first', {}, 'format "uuid"'],
	['An Accept without JSON', 'GET', '/v1/voices', { headers: { accept: '*/*' } }, 'accept'],
	['A DELETE with a body', 'DELETE', asset, { body: {} }, 'has no body'],
	['A missing body', 'PATCH', asset, { headers: json }, 'missing'],
	['A body that is not JSON', 'PATCH', asset, { body: '{name' }, 'not JSON'],
	['A body that is an array', 'PATCH', asset, { body: [] }, 'must be object'],
	['A number for text', 'PATCH', asset, { body: { name: 5 } }, 'Body name must be string'],
	['Text for a number', 'POST', VIDEOS, { body: { videoWidth: '0' } }, 'must be integer'],
	['Text for a boolean', 'POST', VIDEOS, { body: { draft: 'true' } }, 'draft must be boolean'],
	['An undocumented field', 'POST', VIDEOS, { body: { title: 'x' } }, 'unknown field title'],
	['A file URL that is none', 'POST', IMPORT, { body: { fileUrl: 'here' } }, 'format "uri"'],
	['A speech as JSON', 'POST', '/v1/speech', { body: {}, headers: json }, 'application/*+json'],
])('%s is refused with 400 and recorded', async (_name, method, path, options, sentence) => {
	const { status, json: body } = await call(api.service, method, path, options);

	expect(status).toBe(400);
	expect(body).toMatchObject({ title: 'Bad Request', status: 400 });
	expect(body.violations).toEqual([expect.stringContaining(sentence)]);
	expect(api.service.requests[0]!.violations).toEqual(body.violations);
	expect(api.service.violations).toEqual([expect.stringContaining(`${method} /v1/`)]);
});

test('A GET with a body is refused with 400 and recorded', async () => {
	const { url, apiKey } = api.service;
	const headers = { accept: 'application/json', 'x-api-key': apiKey, 'content-length': 2 };
	const status = await new Promise((resolve, reject) => {
		request(`${url}/v1/voices`, { headers }, (response) => {
			response.resume().on('end', () => resolve(response.statusCode));
		})
			.on('error', reject)
			.end('{}');
	});

	expect(status).toBe(400);
	expect(api.service.requests[0]!.violations).toEqual(['A GET has no body.']);
});

test.each([
	['GET', '/v1/videos', 404],
	['PUT', '/v1/voices', 405],
])('%s %s, which is unknown, is refused with %i and recorded', async (method, path, status) => {
	expect((await call(api.service, method, path)).status).toBe(status);
	const violation = `openapi.yaml has no ${method} ${path}.`;
	expect(api.service.requests[0]!.violations).toEqual([violation]);
	expect(api.service.violations).toEqual([`${method} ${path}: ${violation}`]);
});

test('A charset is accepted in the content type', async () => {
	const headers = { 'content-type': 'application/json;charset=UTF-8' };
	await call(api.service, 'POST', KEYS, { body: { providerName: 'p' }, headers });
	expect(api.service.violations).toEqual([]);
});

test('Every operation accepts the documented request and returns the documented response', async () => {
	const { service } = api;
	const { id } = service.assets[0]!;
	const importBody = { name: 'a', fileUrl: `${service.filesUrl}/sized/10`, type: 'Image' };
	const keyBody = { providerName: 'p', serviceName: 's', encryptedKey: 'k' };
	const speechBody = { voiceId: service.voices[0]!.voiceId, script: 'Good morning to you' };
	const requests: [string, string, string, object?][] = [
		['listAssets', 'GET', '/v1/assets?Page=1&PageSize=10'],
		['getAsset', 'GET', `/v1/assets/${id}`],
		['updateAsset', 'PATCH', `/v1/assets/${id}`, { name: 'New' }],
		['deleteAsset', 'DELETE', `/v1/assets/${id}`],
		['importAsset', 'POST', IMPORT, importBody],
		['listVoices', 'GET', '/v1/voices?query='],
		['addApiKey', 'POST', KEYS, keyBody],
		['createSpeech', 'POST', '/v1/speech', speechBody],
	];

	for (const [operation, method, path, body] of requests) {
		const { status, json: received } = await call(service, method, path, { body });
		expect([operation, status, findDifferences(operation, received)]).toEqual([operation, 200, []]);
	}
	expect((await createVideo(service)).status).toBe(200);
	expect(service.violations).toEqual([]);
	const handled = service.requests.filter(({ host }) => host === 'api');
	expect(handled.map(({ operation }) => operation)).toEqual([
		...requests.map(([operation]) => operation),
		'createVideo',
	]);
});

test('A wrong API key is refused with 401 and not recorded as a violation', async () => {
	const headers = { 'x-api-key': 'wrong' };
	const { status, json: body } = await call(api.service, 'GET', '/v1/voices', { headers });

	expect(status).toBe(401);
	expect(body).toMatchObject({ title: 'Unauthorized', status: 401 });
	expect(api.service.violations).toEqual([]);
});

test('A missing API key is refused with 401 and recorded', async () => {
	const response = await fetch(`${api.service.url}/v1/voices`, {
		headers: { accept: 'application/json' },
	});
	await response.text();

	expect(response.status).toBe(401);
	expect(api.service.requests[0]!.violations).toEqual(['Header x-api-key is missing.']);
});

const ajv = addFormats(new Ajv2020({ strict: false })).addSchema(document, 'openapi.yaml');

/** How a response differs from what `openapi.yaml` documents for the operation. */
function findDifferences(operationId: string, received: unknown): string[] {
	const { paths } = document as { paths: Record<string, Record<string, Documented>> };
	for (const [path, item] of Object.entries(paths)) {
		for (const [method, operation] of Object.entries(item)) {
			if (operation.operationId !== operationId || !operation.responses['200'].content) continue;
			const steps = ['paths', path, method, 'responses/200/content', 'application/json', 'schema'];
			const pointer = steps.map((step, index) =>
				index === 3 ? step : encodeURIComponent(step.replaceAll('/', '~1')),
			);
			const validate = ajv.compile({ $ref: `openapi.yaml#/${pointer.join('/')}` });
			return validate(received) ? [] : validate.errors!.map(({ message }) => message ?? '');
		}
	}
	return [];
}

interface Documented {
	operationId: string;
	responses: { '200': { content?: object } };
}
