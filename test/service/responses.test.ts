import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Ajv2020 } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { parse } from 'yaml';

import { startService, type Service, type ServiceOptions } from '../../service/service';

import { answered, call, linkOf, speechBody, videoBody } from './client';

describe('what the service answers', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});
	afterAll(() => service.close());
	beforeEach(() => service.reset());

	it('is what the specification shows, field by field', async () => {
		const { id } = service.assets[0]!;
		const fileUrl = `${service.filesUrl}/sized/10`;

		expect(await departures(service, '/v1/assets', 'get')).toEqual([]);
		expect(await departures(service, '/v1/assets/{id}', 'get', id)).toEqual([]);
		expect(await departures(service, '/v1/assets/{id}', 'patch', id, { name: 'a' })).toEqual([]);
		expect(await departures(service, '/v1/assets/{id}', 'delete', id)).toEqual([]);
		expect(await departures(service, '/v1/assets/import/url', 'post', '', { fileUrl })).toEqual([]);
		expect(await departures(service, '/v1/voices', 'get')).toEqual([]);
		expect(service.violations).toEqual([]);
	});

	it('to a rename is the ID, and the name is new from then on', async () => {
		const { id } = service.assets[0]!;

		const { json } = await call(service, 'PATCH', `/v1/assets/${id}`, { body: { name: 'New' } });

		expect(json).toEqual({ id });
		expect((await call(service, 'GET', `/v1/assets/${id}`)).json).toMatchObject({ name: 'New' });
	});

	it('to a delete is an empty object, and the asset is gone with its file', async () => {
		const { id } = service.assets[0]!;
		const link = await linkOf(service, id);

		expect((await call(service, 'DELETE', `/v1/assets/${id}`)).json).toEqual({});
		expect((await call(service, 'GET', `/v1/assets/${id}`)).status).toBe(404);
		expect((await call(service, 'DELETE', `/v1/assets/${id}`)).status).toBe(404);
		expect((await call(service, 'PATCH', `/v1/assets/${id}`, { body: {} })).status).toBe(404);
		expect((await answered(await fetch(link))).status).toBe(404);
	});

	it('to a list can be no more than IDs and names', async () => {
		service.configure({ listedAssetFields: 'minimal' });

		const { json } = await call(service, 'GET', '/v1/assets');

		expect(json.assets).toEqual(service.assets.map(({ id, name }) => ({ id, name })));
	});

	it.each([
		['', 64],
		['ryan', 1],
		['RYAN', 1],
		['english (united kingdom)', 5],
		['en-GB', 5],
		['male', undefined],
		['cadence', 6],
		['nobody of that name', 0],
	])('to a search for voices by "%s" is those that fit', async (query, count) => {
		const { json } = await call(service, 'GET', `/v1/voices?query=${encodeURIComponent(query)}`);
		const expected = count ?? service.voices.filter(({ gender }) => gender === 'male').length;

		expect(json.voices).toHaveLength(expected);
	});

	it('has voices in many languages, each with an ID of its own', () => {
		const { voices } = service;

		expect(new Set(voices.map(({ languageCode }) => languageCode)).size).toBeGreaterThan(15);
		expect(new Set(voices.map(({ id }) => id)).size).toBe(voices.length);
		expect(new Set(voices.map(({ voiceId }) => voiceId)).size).toBe(voices.length);
		expect(voices.find(({ voiceId }) => voiceId === 'au-en-GB-ryan')).toMatchObject({
			name: 'ryan',
			gender: 'male',
			language: 'English (United Kingdom)',
			languageCodesJson: '["English (United Kingdom)"]',
			isNeural: true,
		});
	});

	it.each<[ServiceOptions['speechResponse'], number, string | null]>([
		['empty', 200, 'application/json; charset=utf-8'],
		['link', 200, 'application/json; charset=utf-8'],
		['array', 200, 'application/json; charset=utf-8'],
		['text', 200, 'text/plain; charset=utf-8'],
		['audio', 200, 'audio/wav'],
		['noContent', 204, null],
	])('to a speech can be: %s', async (speechResponse, status, contentType) => {
		service.configure({ speechResponse });

		const answer = await call(service, 'POST', '/v1/speech', { body: speechBody(service) });

		expect(answer.status).toBe(status);
		expect(answer.headers.get('content-type')).toBe(contentType);
		expect(service.speeches).toEqual([expect.objectContaining(speechBody(service))]);
	});

	it.each<[ServiceOptions['videoResponse'], number, string | null]>([
		['empty', 200, 'application/json; charset=utf-8'],
		['id', 200, 'application/json; charset=utf-8'],
		['link', 200, 'application/json; charset=utf-8'],
		['array', 200, 'application/json; charset=utf-8'],
		['text', 200, 'text/plain; charset=utf-8'],
		['file', 200, 'video/mp4'],
		['noContent', 204, null],
	])('to a video can be: %s', async (videoResponse, status, contentType) => {
		service.configure({ videoResponse });

		const answer = await call(service, 'POST', '/v1/talkingphotos', { body: videoBody(service) });

		expect(answer.status).toBe(status);
		expect(answer.headers.get('content-type')).toBe(contentType);
		expect(service.videos).toEqual([expect.objectContaining(videoBody(service))]);
	});

	it('links a speech to a WAV file that grows with the script', async () => {
		service.configure({ speechResponse: 'link' });
		const sizes = await Promise.all(
			['Hello', 'Hello to all of you'].map(async (script) => {
				const body = { ...speechBody(service), script };
				const { json } = await call(service, 'POST', '/v1/speech', { body });
				const file = await fetch(json.audioUrl);
				const bytes = Buffer.from(await file.arrayBuffer());
				expect(file.headers.get('content-type')).toBe('audio/wav');
				expect(bytes.toString('latin1', 0, 4)).toBe('RIFF');
				return bytes.length;
			}),
		);

		expect(sizes[1]).toBeGreaterThan(sizes[0]!);
	});

	it('links a video to an MP4 file', async () => {
		service.configure({ videoResponse: 'link' });

		const { json } = await call(service, 'POST', '/v1/talkingphotos', { body: videoBody(service) });
		const file = await fetch(json.url);

		expect(file.headers.get('content-type')).toBe('video/mp4');
		expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 4, 8)).toBe('ftyp');
	});

	it('refuses an empty script', async () => {
		const speech = { ...speechBody(service), script: ' ' };
		const video = { ...videoBody(service), script: '' };

		expect((await call(service, 'POST', '/v1/speech', { body: speech })).status).toBe(400);
		expect((await call(service, 'POST', '/v1/talkingphotos', { body: video })).status).toBe(400);
	});

	it('names a voice that it does not have', async () => {
		const speech = { ...speechBody(service), voiceId: 'au-xx-XX-nobody' };
		const video = { ...videoBody(service), voiceId: 'au-xx-XX-nobody' };

		for (const [path, body] of [
			['/v1/speech', speech],
			['/v1/talkingphotos', video],
		] as const) {
			const { status, json } = await call(service, 'POST', path, { body });
			expect(status).toBe(422);
			expect(json.errors).toEqual({ voiceId: ['There is no voice au-xx-XX-nobody.'] });
		}
	});

	it.each([
		['empty', 200, '{}'],
		['noContent', 204, ''],
	] as const)('to a registered key can be: %s', async (addApiKeyResponse, status, text) => {
		service.configure({ addApiKeyResponse });
		const body = { providerName: 'Aurora', serviceName: 'Speech', encryptedKey: 'c2VjcmV0' };

		const answer = await call(service, 'POST', '/v1/voices/add-api-key', { body });

		expect([answer.status, answer.text]).toEqual([status, text]);
		expect(service.providerKeys).toEqual([body]);
	});
});

describe('the service', () => {
	it('can live below a path prefix, and has nothing outside it', async () => {
		const service = await startService({ basePath: '/studio/' });
		const outside = { url: service.url.replace('/studio', ''), apiKey: service.apiKey };

		expect(service.url).toMatch(/\/studio$/);
		expect((await call(service, 'GET', '/v1/voices')).status).toBe(200);
		expect((await call(outside, 'GET', '/v1/voices')).status).toBe(404);
		expect(service.requests.map(({ url, path }) => [url, path])).toEqual([
			['/studio/v1/voices', '/v1/voices'],
			['/v1/voices', '/v1/voices'],
		]);
		await service.close();
	});

	it('can start without assets', async () => {
		const service = await startService({ seed: false });

		expect((await call(service, 'GET', '/v1/assets')).json).toEqual({ assets: [] });
		await service.close();
	});

	it('forgets everything at a reset', async () => {
		const service = await startService();
		service.addAssets(3);
		service.voices = [];
		service.configure({ speechResponse: 'text', apiKey: 'other' });
		service.injectFault({ status: 500 });
		await call(service, 'GET', '/v1/assets');

		service.reset();

		expect(service.requests).toEqual([]);
		expect([service.connections, service.peakInFlight]).toEqual([0, 0]);
		expect(service.assets).toHaveLength(5);
		expect(service.voices.length).toBeGreaterThan(50);
		expect(service.apiKey).toBe('demo-key');
		expect((await call(service, 'GET', '/v1/assets')).status).toBe(200);
		await service.close();
	});

	it('records a request as it was sent', async () => {
		const service = await startService();
		await call(service, 'POST', '/v1/speech?x=%20', { body: '{"script": 5}' });

		expect(service.requests[0]).toMatchObject({
			host: 'api',
			method: 'POST',
			url: '/v1/speech?x=%20',
			path: '/v1/speech',
			query: { x: ' ' },
			rawBody: '{"script": 5}',
			body: { script: 5 },
			operation: 'createSpeech',
			responseStatus: 400,
			clientAborted: false,
		});
		expect(service.requests[0]!.rawHeaders).toContain('x-api-key');
		await service.close();
	});
});

const document = parse(
	readFileSync(join(__dirname, '../../service/openapi.yaml'), 'utf8'),
) as object;
const ajv = new Ajv2020({ strict: false });
addFormats(ajv);
ajv.addSchema(document, 'contract');

/** How an answer departs from what openapi.yaml says of it. */
async function departures(
	service: Service,
	path: string,
	method: string,
	id = '',
	body?: object,
): Promise<string[]> {
	const { json } = await call(service, method.toUpperCase(), path.replace('{id}', id), { body });
	const steps = [
		'paths',
		path,
		method,
		'responses',
		'200',
		'content',
		'application/json',
		'schema',
	];
	const pointer = steps.map((step) => encodeURIComponent(step.replaceAll('/', '~1'))).join('/');
	const check = ajv.compile({ $ref: `contract#/${pointer}` });
	return check(json) ? [] : (check.errors ?? []).map(({ message }) => message ?? '');
}
