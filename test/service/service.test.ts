import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { call, createVideo, getLink, useService } from './client';

// Other tests notice if the stand-in lacks a response or a fault. They would not notice what is here.

const api = useService();

const burst = async (count: number) =>
	await Promise.all(Array.from({ length: count }, () => call(api.service, 'GET', '/v1/voices')));
const getStatuses = async (count: number) => (await burst(count)).map(({ status }) => status);

test('The API can have a path prefix, and nothing is found outside it', async () => {
	api.service.configure({ basePath: '/studio/' });
	const { url, apiKey } = api.service;

	expect(url).toMatch(/\/studio$/);
	expect((await call(api.service, 'GET', '/v1/voices')).status).toBe(200);
	expect((await call({ url: new URL(url).origin, apiKey }, 'GET', '/v1/voices')).status).toBe(404);
});

test.each([
	['a host name that resolves to this machine', { host: 'evil.example' }],
	['a page elsewhere', { origin: 'http://evil.example' }],
])('A request of %s is refused by the API and the files host', async (_title, headers) => {
	for (const base of [api.service.url, api.service.filesUrl]) {
		const [response] = (await once(request(base, { headers }).end(), 'response')) as [
			IncomingMessage,
		];
		expect(response.resume().statusCode).toBe(403);
	}
	expect(api.service.requests).toEqual([]);
});

test('An API key sent to the files host is refused and recorded', async () => {
	const headers = { 'x-api-key': api.service.apiKey };
	const { status } = await fetch(await getLink(api.service), { headers });

	expect(status).toBe(400);
	expect(api.service.violations).toEqual([
		expect.stringContaining('The API key was sent to the files host.'),
	]);
});

test.each([
	['bytes=0-', 0, undefined],
	['bytes=100-199', 100, 200],
	['bytes=100-99999999', 100, undefined],
])('A browser can seek: %s is answered with that part', async (range, start, end) => {
	const { id, content } = api.service.assets.find(({ name }) => name === 'Greeting')!;
	const part = content!.subarray(start, end);
	const response = await fetch(await getLink(api.service, id), { headers: { range } });

	expect(response.status).toBe(206);
	expect(response.headers.get('content-range')).toBe(
		`bytes ${start}-${start + part.length - 1}/${content!.length}`,
	);
	expect(Buffer.from(await response.arrayBuffer()).equals(part)).toBe(true);
});

test('The peak of concurrent requests is counted', async () => {
	api.service.configure({ latencyMs: 200 });
	await burst(6);

	expect(api.service.peakInFlight).toBe(6);
});

describe('a limit', () => {
	afterEach(() => jest.restoreAllMocks());

	it('of concurrent requests refuses those beyond it, without an effect', async () => {
		api.service.configure({ rateLimit: { concurrent: 2, retryAfter: 1 }, latencyMs: 200 });
		const responses = await Promise.all(Array.from({ length: 5 }, () => createVideo(api.service)));
		const refused = responses.filter(({ status }) => status === 429);

		expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1', '1']);
		expect(api.service.videos).toHaveLength(2);
		expect(await getStatuses(2)).toEqual([200, 200]);
	});

	it('per second refuses requests until the second has passed', async () => {
		api.service.configure({ rateLimit: { perSecond: 2 } });
		const now = performance.now();
		jest.spyOn(performance, 'now').mockReturnValue(now);
		expect((await getStatuses(3)).sort()).toEqual([200, 200, 429]);
		jest.spyOn(performance, 'now').mockReturnValue(now + 1_000);
		expect(await getStatuses(1)).toEqual([200]);
	});
});
