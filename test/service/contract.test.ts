import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import openApiSchema from '@seriousme/openapi-schema-validator/schemas/v3.1/schema.json';
import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

import { type RequestOptions, useService } from './client';

const file = join(__dirname, '../../service/openapi.yaml');
interface OperationDocument {
	responses?: Record<string, { content?: object }>;
	servers?: unknown;
}

const document = parse(readFileSync(file, 'utf8')) as {
	paths: Record<string, Record<string, OperationDocument>>;
};
const asset = '/v1/assets/1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11';
const VIDEOS = '/v1/talkingphotos';
const KEYS = '/v1/voices/add-api-key';
const IMPORT = '/v1/assets/import/url';
const asJson = { 'content-type': 'application/json' };
const api = useService();

test('openapi.yaml is an OpenAPI 3.1 document', () => {
	const ajv = new Ajv2020({ strict: false, validateFormats: false });

	expect([ajv.validate(openApiSchema, document), ajv.errorsText()]).toEqual([true, 'No errors']);
});

test.each<[string, string, string, RequestOptions, string]>([
	['An unknown query parameter', 'GET', '/v1/assets?page=1', {}, 'unknown field page'],
	['A Page that is text', 'GET', '/v1/assets?Page=one', {}, 'Page must be integer'],
	['An empty Page', 'GET', '/v1/assets?Page=', {}, 'Page must be integer'],
	['A repeated query parameter', 'GET', '/v1/assets?Page=1&Page=2', {}, 'more than once'],
	['An asset ID that is not a UUID', 'GET', '/v1/assets/first', {}, 'format "uuid"'],
	['An Accept without JSON', 'GET', '/v1/voices', { headers: { accept: '*/*' } }, 'accept'],
	['A DELETE with a body', 'DELETE', asset, { body: {} }, 'has no body'],
	['A missing body', 'PATCH', asset, { headers: asJson }, 'missing'],
	['A body that is not JSON', 'PATCH', asset, { body: '{name' }, 'not JSON'],
	['A body that is an array', 'PATCH', asset, { body: [] }, 'must be object'],
	['A number for text', 'PATCH', asset, { body: { name: 5 } }, 'Body name must be string'],
	['Text for a number', 'POST', VIDEOS, { body: { videoWidth: '0' } }, 'must be integer'],
	['An undocumented field', 'POST', VIDEOS, { body: { title: 'x' } }, 'unknown field title'],
	['A file URL that is none', 'POST', IMPORT, { body: { fileUrl: 'here' } }, 'format "uri"'],
	['A speech as JSON', 'POST', '/v1/speech', { body: {}, headers: asJson }, 'application/*+json'],
])('%s is refused with 400 and recorded', async (_name, method, path, options, sentence) => {
	const { status, json } = await api.call(method, path, options);
	const violations = [expect.stringContaining(sentence)];

	expect(status).toBe(400);
	expect(json).toMatchObject({ title: 'Bad Request', violations });
	expect(api.service.violations).toEqual(violations);
});

test.each([
	['GET', '/v1/videos', 404],
	['PUT', '/v1/voices', 405],
])('%s %s, which is unknown, is refused with %i and recorded', async (method, path, status) => {
	expect((await api.call(method, path)).status).toBe(status);
	expect(api.service.violations).toEqual([
		`${method} ${path}: openapi.yaml has no ${method} ${path}.`,
	]);
});

test('Every operation with a documented response accepts the documented request and returns that response', async () => {
	const { service, call } = api;
	const { id } = service.assets[0]!;
	const { voiceId } = service.voices[0]!;
	const { id: avatarId } = service.avatars[0]!;
	const { json: created } = await call('POST', VIDEOS, {
		body: { script: 'Hi', avatarId, voiceId },
	});
	const { id: videoId } = created as { id: string };
	const video = {
		videoTitle: 'Welcome',
		script: 'Good morning to you',
		videoWidth: 0,
		videoHeight: 0,
		videoFormat: 'mp4',
		fullFrame: true,
		status: 'draft',
		visibility: 'private',
		avatarId: '1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11',
		voiceId,
		draft: false,
		videoPreviewImageUrl: 'https://example.com/preview.png',
	};
	const photo = {
		script: 'Good morning to you',
		voiceId,
		avatarUrl: 'https://example.com/anna.png',
		avatarName: 'Anna',
		dynamic: true,
		backgroundColor: '#336699',
		backgroundImageUrl: 'https://example.com/wall.png',
		backgroundVideoUrl: 'https://example.com/sea.mp4',
		speechSpeed: '1.2',
		speechVolume: '80',
		callbackUrl: 'http://127.0.0.1:1/',
		storageProvider: 's3',
		parentId: 'a',
		groupId: 'b',
	};
	const requests: [string, string, object?][] = [
		['GET', '/v1/assets?Page=1&PageSize=10'],
		['GET', `/v1/assets/${id}`],
		['PATCH', `/v1/assets/${id}`, { name: 'New' }],
		['DELETE', `/v1/assets/${id}`],
		['POST', IMPORT, { name: 'a', fileUrl: `${service.filesUrl}/sized/10`, type: 'Image' }],
		['GET', '/v1/voices?query='],
		['POST', KEYS, { providerName: 'p', serviceName: 's', encryptedKey: 'k' }],
		['POST', '/v1/speech', { voiceId, script: 'Good morning to you' }],
		['POST', VIDEOS, video],
		['POST', VIDEOS, photo],
		['GET', `${VIDEOS}/${videoId}`],
		['GET', '/v1/avatars?Page=1&PageSize=10'],
	];

	const untried = new Set(documented);
	for (const [method, path, body] of requests) {
		const { status, json } = await call(method, path, { body });
		const route = path.replace(/[\da-f-]{36}/, '{id}').split('?')[0]!;
		expect([route, status, findDifferences(method, route, json)]).toEqual([route, 200, []]);
		untried.delete(`${method} ${route}`);
	}
	expect(service.violations).toEqual([]);
	// If this fails, add a request of the operation to those above.
	expect([...untried]).toEqual([]);
});

test.each<[string, object, string[]]>([
	['wrong', { 'x-api-key': 'wrong' }, []],
	['missing', {}, ['Header x-api-key is missing.']],
])('A %s API key is refused, and recorded if it is missing', async (_what, key, recorded) => {
	const headers = { accept: 'application/json', ...key };
	const { status } = await fetch(`${api.service.url}/v1/voices`, { headers });

	expect(status).toBe(401);
	expect(api.service.requests[0]!.violations).toEqual(recorded);
});

/** The operations whose response has a schema, but for the fast branch, which has an address of its own. */
const documented = Object.entries(document.paths).flatMap(([path, item]) =>
	Object.entries(item)
		.filter(([, { responses, servers }]) => !servers && responses?.['200']?.content)
		.map(([method]) => `${method.toUpperCase()} ${path}`),
);

const ajv = addFormats(new Ajv2020({ strict: false })).addSchema(document, 'openapi.yaml');

/** How a response differs from what `openapi.yaml` documents, if it documents any. */
function findDifferences(method: string, route: string, received: unknown): string[] {
	const response = ['responses', '200', 'content', 'application/json', 'schema'];
	const pointer = ['paths', route, method.toLowerCase(), ...response]
		.map((step) => encodeURIComponent(step.replaceAll('/', '~1')))
		.join('/');
	const validate = ajv.getSchema(`openapi.yaml#/${pointer}`);
	if (!validate || validate(received)) return [];
	return validate.errors!.map((error) => {
		const { instancePath, message, params } = error;
		return `${instancePath} ${message}: ${JSON.stringify(params)}`;
	});
}
