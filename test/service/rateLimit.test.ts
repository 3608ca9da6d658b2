import { call, createVideo, useService } from './client';

const api = useService({ latencyMs: 200 });

afterEach(() => jest.restoreAllMocks());

const burst = async (count: number) =>
	await Promise.all(Array.from({ length: count }, () => call(api.service, 'GET', '/v1/voices')));
const getStatuses = async (count: number) => (await burst(count)).map(({ status }) => status);

test('The peak of concurrent requests and the connections are counted', async () => {
	await burst(6);

	expect(api.service.peakInFlight).toBe(6);
	expect(api.service.connections).toBeGreaterThanOrEqual(6);
});

test('Requests beyond the concurrency limit are refused without an effect', async () => {
	api.service.configure({ rateLimit: { concurrent: 2, retryAfter: 1 } });
	const responses = await Promise.all(Array.from({ length: 5 }, () => createVideo(api.service)));
	const refused = responses.filter(({ status }) => status === 429);

	expect(refused).toHaveLength(3);
	expect(refused.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1', '1']);
	expect(api.service.videos).toHaveLength(2);
	expect(await getStatuses(2)).toEqual([200, 200]);
});

test('Requests beyond the limit per second are refused until the second has passed', async () => {
	api.service.configure({ rateLimit: { perSecond: 3 }, latencyMs: 0 });

	expect((await getStatuses(5)).sort()).toEqual([200, 200, 200, 429, 429]);
	const now = performance.now();
	jest.spyOn(performance, 'now').mockReturnValue(now + 1_000);
	expect(await getStatuses(1)).toEqual([200]);
});

test('A refusal can have another status and no Retry-After', async () => {
	api.service.configure({ rateLimit: { concurrent: 1, status: 503 } });

	const responses = await burst(2);

	expect(responses.map(({ status }) => status).sort()).toEqual([200, 503]);
	expect(responses.every(({ headers }) => headers.get('retry-after') === null)).toBe(true);
});

test('Every response can report the limit', async () => {
	api.service.configure({ rateLimit: { perSecond: 2, sendsHeaders: true }, latencyMs: 0 });
	const reported = (await burst(3)).map(({ status, headers }) => [
		status,
		headers.get('ratelimit-limit'),
		headers.get('ratelimit-remaining'),
		headers.get('ratelimit-reset'),
	]);

	expect(reported.sort()).toEqual([
		[200, '2', '0', '1'],
		[200, '2', '1', '1'],
		[429, '2', '0', '1'],
	]);
});

test('A limit of concurrent requests is reported as a policy, not as a rate', async () => {
	api.service.configure({ rateLimit: { concurrent: 2, sendsHeaders: true }, latencyMs: 0 });
	const [response] = await burst(1);

	expect(response!.headers.get('ratelimit-limit')).toBeNull();
	expect(response!.headers.get('ratelimit-policy')).toBe(
		'"concurrent";q=2;qu="concurrent-requests"',
	);
});
