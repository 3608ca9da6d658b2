import { useService } from './client';

// Other tests notice if the stand-in lacks a response or a fault. They would not notice what is here.

const api = useService();

const getStatuses = async (count: number) => {
	const calls = Array.from({ length: count }, async () => await api.call('GET', '/v1/voices'));
	return (await Promise.all(calls)).map(({ status }) => status).sort();
};

test('An API key sent to the files host is refused and recorded', async () => {
	const { json } = await api.call('GET', `/v1/assets/${api.service.assets[0]!.id}`);
	const headers = { 'x-api-key': api.service.apiKey };
	const { status } = await fetch((json as { url: string }).url, { headers });

	expect(status).toBe(400);
	expect(api.service.violations).toEqual([
		expect.stringContaining('The API key was sent to the files host.'),
	]);
});

test('A limit of concurrent requests refuses those beyond it', async () => {
	api.service.configure({ rateLimit: { concurrent: 2 }, latencyMs: 200 });

	expect(await getStatuses(5)).toEqual([200, 200, 429, 429, 429]);
	expect(await getStatuses(2)).toEqual([200, 200]);
});
