import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';

import { useService } from './client';

// Other tests notice if the stand-in lacks a response or a fault. They would not notice what is here.

const api = useService();

const getStatuses = async (count: number) => {
	const calls = Array.from({ length: count }, async () => await api.call('GET', '/v1/voices'));
	return (await Promise.all(calls)).map(({ status }) => status).sort();
};

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
	const { status } = await fetch(await api.getLink(), { headers });

	expect(status).toBe(400);
	expect(api.service.violations).toEqual([
		expect.stringContaining('The API key was sent to the files host.'),
	]);
});

test('A browser can seek: it gets the part that it asks for', async () => {
	const { id, content } = api.service.assets.find(({ name }) => name === 'Greeting')!;
	const part = content!.subarray(100, 200);
	const headers = { range: 'bytes=100-199' };
	const response = await fetch(await api.getLink(id), { headers });

	expect(response.status).toBe(206);
	expect(response.headers.get('content-range')).toBe(`bytes 100-199/${content!.length}`);
	expect(Buffer.from(await response.arrayBuffer()).equals(part)).toBe(true);
});

test('A limit of concurrent requests refuses those beyond it', async () => {
	api.service.configure({ rateLimit: { concurrent: 2 }, latencyMs: 200 });

	expect(await getStatuses(5)).toEqual([200, 200, 429, 429, 429]);
	expect(await getStatuses(2)).toEqual([200, 200]);
});
