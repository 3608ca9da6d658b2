import { request } from 'node:http';

import { startService, type Service } from '../../service/service';

import { call, speechBody, videoBody } from './client';

const someId = '1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11';
const json = { 'content-type': 'application/json' };

describe('the contract', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});
	afterAll(() => service.close());
	beforeEach(() => service.reset());

	describe('refuses with 400 and records', () => {
		const violations: [string, string, string, Parameters<typeof call>[3], string][] = [
			['an unknown query key', 'GET', '/v1/assets?page=1', {}, 'unknown field page'],
			['a Page that is no integer', 'GET', '/v1/assets?Page=one', {}, 'Page must be integer'],
			['a fraction as PageSize', 'GET', '/v1/assets?PageSize=1.5', {}, 'PageSize must be integer'],
			['an empty Page', 'GET', '/v1/assets?Page=', {}, 'Page must be integer'],
			['a query key that is given twice', 'GET', '/v1/assets?Page=1&Page=2', {}, 'more than once'],
			['any query on a single asset', 'GET', `/v1/assets/${someId}?x=1`, {}, 'unknown field x'],
			['an asset ID that is no UUID', 'GET', '/v1/assets/first', {}, 'format "uuid"'],
			['an Accept without JSON', 'GET', '/v1/voices', { headers: { accept: '*/*' } }, 'accept'],
			['a body with a DELETE', 'DELETE', `/v1/assets/${someId}`, { body: {} }, 'carries no body'],
			['a body that is missing', 'PATCH', `/v1/assets/${someId}`, { headers: json }, 'missing'],
			['a body that is not JSON', 'PATCH', `/v1/assets/${someId}`, { body: '{name' }, 'not JSON'],
			['a body that is a list', 'PATCH', `/v1/assets/${someId}`, { body: [] }, 'must be object'],
			[
				'a number where text belongs',
				'PATCH',
				`/v1/assets/${someId}`,
				{ body: { name: 5 } },
				'Body name must be string',
			],
			[
				'a number that is sent as text',
				'POST',
				'/v1/talkingphotos',
				{ body: { videoWidth: '0' } },
				'Body videoWidth must be integer',
			],
			[
				'a truth value that is sent as text',
				'POST',
				'/v1/talkingphotos',
				{ body: { draft: 'true' } },
				'Body draft must be boolean',
			],
			[
				'a field that the specification does not name',
				'POST',
				'/v1/talkingphotos',
				{ body: { title: 'x' } },
				'unknown field title',
			],
			[
				'a file address that is none',
				'POST',
				'/v1/assets/import/url',
				{ body: { fileUrl: 'here' } },
				'format "uri"',
			],
			[
				'plain JSON as the content type of a speech',
				'POST',
				'/v1/speech',
				{ body: {}, headers: json },
				'content-type must be application/*+json',
			],
			[
				'another content type elsewhere',
				'POST',
				'/v1/voices/add-api-key',
				{ body: {}, headers: { 'content-type': 'application/*+json' } },
				'content-type must be application/json',
			],
		];

		it.each(violations)('%s', async (_name, method, path, extra, sentence) => {
			const { status, json: body } = await call(service, method, path, extra);

			expect(status).toBe(400);
			expect(body).toMatchObject({ title: 'Bad Request', status: 400 });
			expect(body.violations).toEqual([expect.stringContaining(sentence)]);
			expect(service.requests[0]!.violations).toEqual(body.violations);
			expect(service.violations).toEqual([expect.stringContaining(`${method} /v1/`)]);
		});

		it('a body with a GET', async () => {
			const { statusCode, violations } = await getWithBody(service);

			expect(statusCode).toBe(400);
			expect(violations).toEqual(['A GET carries no body.']);
		});
	});

	it('has no other path', async () => {
		expect((await call(service, 'GET', '/v1/videos')).status).toBe(404);
		expect(service.violations).toEqual(['GET /v1/videos: The contract has no path /v1/videos.']);
	});

	it('has no other method', async () => {
		expect((await call(service, 'PUT', '/v1/voices', { body: {} })).status).toBe(405);
		expect(service.requests[0]!.violations).toEqual(['The contract has no PUT /v1/voices.']);
	});

	it('names every violation of a request at once', async () => {
		await call(service, 'POST', '/v1/talkingphotos', {
			body: { videoWidth: '0', colour: 'red' },
			headers: { accept: 'text/html', 'content-type': 'text/plain' },
		});

		expect(service.requests[0]!.violations).toHaveLength(4);
	});

	it.each([
		'application/json',
		'application/json; charset=utf-8',
		'application/json;charset=UTF-8',
	])('accepts the content type %s', async (contentType) => {
		await call(service, 'POST', '/v1/voices/add-api-key', {
			body: { providerName: 'p' },
			headers: { 'content-type': contentType },
		});

		expect(service.violations).toEqual([]);
	});

	it('accepts every operation as the specification describes it', async () => {
		const { id } = service.assets[0]!;
		await call(service, 'GET', '/v1/assets?Page=1&PageSize=10');
		await call(service, 'GET', `/v1/assets/${id}`);
		await call(service, 'PATCH', `/v1/assets/${id}`, { body: { name: 'New' } });
		await call(service, 'DELETE', `/v1/assets/${id}`);
		await call(service, 'POST', '/v1/assets/import/url', {
			body: { name: 'a', fileUrl: `${service.filesUrl}/sized/10`, type: 'Image' },
		});
		await call(service, 'POST', '/v1/speech', { body: speechBody(service) });
		await call(service, 'GET', '/v1/voices?query=');
		await call(service, 'POST', '/v1/voices/add-api-key', {
			body: { providerName: 'p', serviceName: 's', encryptedKey: 'k' },
		});
		await call(service, 'POST', '/v1/talkingphotos', { body: videoBody(service) });

		expect(service.violations).toEqual([]);
		expect(service.requests.filter(({ host }) => host === 'api').map((r) => r.operation)).toEqual([
			'listAssets',
			'getAsset',
			'updateAsset',
			'deleteAsset',
			'importAsset',
			'createSpeech',
			'listVoices',
			'addApiKey',
			'createVideo',
		]);
	});

	it('lets a field beyond the specification through where it is told to', async () => {
		service.configure({ extraBodyFields: ['background'] });

		const { status } = await call(service, 'POST', '/v1/talkingphotos', {
			body: { ...videoBody(service), background: { colour: '#fff' } },
		});

		expect(status).toBe(200);
		expect(service.videos[0]).toMatchObject({ background: { colour: '#fff' } });
	});

	it('leaves no effect of a request that violates it', async () => {
		await call(service, 'POST', '/v1/talkingphotos', { body: { title: 'x' } });

		expect(service.videos).toEqual([]);
	});
});

describe('the API key', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService({ apiKey: 'right' });
	});
	afterAll(() => service.close());
	beforeEach(() => service.reset());

	it('must be right: a wrong one is answered 401, and violates nothing', async () => {
		const { status, json: body } = await call(service, 'GET', '/v1/voices', {
			headers: { 'x-api-key': 'wrong' },
		});

		expect(status).toBe(401);
		expect(body).toMatchObject({ title: 'Unauthorized', status: 401 });
		expect(service.violations).toEqual([]);
	});

	it('must be there: none is answered 401, and is a violation', async () => {
		const response = await fetch(`${service.url}/v1/voices`, {
			headers: { accept: 'application/json' },
		});
		await response.text();

		expect(response.status).toBe(401);
		expect(service.requests[0]!.violations).toEqual(['Header x-api-key is missing.']);
	});
});

async function getWithBody(service: Service) {
	const statusCode = await new Promise<number | undefined>((resolve, reject) => {
		request(
			`${service.url}/v1/voices`,
			{
				headers: { accept: 'application/json', 'x-api-key': service.apiKey, 'content-length': 2 },
			},
			(response) => {
				response.resume();
				response.on('end', () => resolve(response.statusCode));
			},
		)
			.on('error', reject)
			.end('{}');
	});
	return { statusCode, violations: service.requests[0]!.violations };
}
