import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { startService, type Service, type ServiceOptions } from '../../service/service';

import { call } from './client';

let service: Service;

async function start(options: ServiceOptions = {}): Promise<Service> {
	service = await startService(options);
	return service;
}

afterEach(async () => await service.close());

test('The API can have a path prefix, and nothing is found outside it', async () => {
	const { url, apiKey } = await start({ basePath: '/studio/' });

	expect(url).toMatch(/\/studio$/);
	expect((await call(service, 'GET', '/v1/voices')).status).toBe(200);
	expect((await call({ url: new URL(url).origin, apiKey }, 'GET', '/v1/voices')).status).toBe(404);
	expect(service.requests.map((request) => [request.url, request.path])).toEqual([
		['/studio/v1/voices', '/v1/voices'],
		['/v1/voices', '/v1/voices'],
	]);
});

test('The service can start without assets', async () => {
	await start({ seed: false });

	expect((await call(service, 'GET', '/v1/assets')).json).toEqual({ assets: [] });
});

test.each([
	['a host name that resolves to this machine', { host: 'evil.example' }],
	['a page elsewhere', { origin: 'http://evil.example' }],
])('A request of %s is refused by the API and the files host', async (_title, headers) => {
	await start();

	for (const base of [service.url, service.filesUrl]) {
		const [response] = (await once(request(base, { headers }).end(), 'response')) as [
			IncomingMessage,
		];
		expect(response.resume().statusCode).toBe(403);
	}
	expect(service.requests).toEqual([]);
});

test('An unknown option is refused', async () => {
	await start();

	expect(() => service.configure({ latency: 5 } as ServiceOptions)).toThrow('no option latency');
});

test('A reset restores the options and records and forgets requests, faults and counts', async () => {
	await start();
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
});

test('A request is recorded as it was sent', async () => {
	await start();
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
});

test('The service can be closed while requests hang and wait', async () => {
	await start({ latencyMs: 60_000 });
	service.injectFault({ when: { path: '/v1/assets' }, hang: true });
	const paths = ['/v1/voices', '/v1/assets'];
	const responses = Promise.allSettled(paths.map((path) => call(service, 'GET', path)));
	await Promise.all(paths.map((path) => service.waitForRequest({ path })));

	await service.close();

	expect((await responses).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});
