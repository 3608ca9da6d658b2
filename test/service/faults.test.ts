import { startService, type Service } from '../../service/service';

import { call, linkOf, videoBody } from './client';

describe('the service, asked to injectFault,', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});
	afterAll(() => service.close());
	beforeEach(() => service.reset());

	const createVideo = () =>
		call(service, 'POST', '/v1/talkingphotos', { body: videoBody(service) });
	const statuses = async (count: number) => {
		const seen: number[] = [];
		for (let round = 0; round < count; round += 1) {
			seen.push((await call(service, 'GET', '/v1/voices')).status);
		}
		return seen;
	};

	it('answers any status, with a problem body', async () => {
		service.injectFault({ status: 503 });

		const { status, json } = await call(service, 'GET', '/v1/voices');

		expect(status).toBe(503);
		expect(json).toMatchObject({ title: 'Service Unavailable', status: 503 });
		expect(service.requests[0]!.responseStatus).toBe(503);
	});

	it('answers any body and headers', async () => {
		service.injectFault({
			status: 502,
			body: '<h1>Bad gateway</h1>',
			headers: { 'Content-Type': 'text/html', 'Retry-After': '7' },
		});

		const { status, text, headers } = await call(service, 'GET', '/v1/voices');

		expect([status, text]).toEqual([502, '<h1>Bad gateway</h1>']);
		expect(headers.get('content-type')).toBe('text/html');
		expect(headers.get('retry-after')).toBe('7');
	});

	it.each([
		[{ body: { strange: true } }, 'application/json; charset=utf-8', '{"strange":true}'],
		[{ body: 'words' }, 'text/plain; charset=utf-8', 'words'],
		[{ body: Buffer.from('bytes') }, 'application/octet-stream', 'bytes'],
		[{ body: '' }, 'text/plain; charset=utf-8', ''],
	])('answers %j with the content type that fits', async (fault, contentType, expected) => {
		service.injectFault(fault);

		const { status, text, headers } = await call(service, 'GET', '/v1/voices');

		expect([status, text, headers.get('content-type')]).toEqual([200, expected, contentType]);
	});

	it('can send its real answer with other headers', async () => {
		service.injectFault({ headers: { 'content-type': 'text/plain' } });

		const { json, headers } = await call(service, 'GET', '/v1/voices');

		expect(headers.get('content-type')).toBe('text/plain');
		expect(json.voices.length).toBeGreaterThan(50);
	});

	it('redirects without a body', async () => {
		service.injectFault({ status: 302, headers: { location: service.filesUrl } });

		const { status, text, headers } = await call(service, 'GET', '/v1/voices');

		expect([status, text, headers.get('location')]).toEqual([302, '', service.filesUrl]);
	});

	it('lets the first requests through, then acts so many times', async () => {
		service.injectFault({ skip: 2, times: 2, status: 500 });

		expect(await statuses(6)).toEqual([200, 200, 500, 500, 200, 200]);
	});

	it('acts by the first fault that is still active', async () => {
		service.injectFault({ times: 1, status: 429 });
		service.injectFault({ times: 2, status: 500 });

		expect(await statuses(4)).toEqual([429, 500, 500, 200]);
	});

	it.each([
		[{ method: 'get' }],
		[{ path: '/v1/voices' }],
		[{ path: /voices$/ }],
		[{ operation: 'listVoices' }],
		[(request: { path: string }) => request.path === '/v1/voices'],
	])('acts on the requests that are meant (%p)', async (when) => {
		service.injectFault({ when, status: 500 });

		expect(await statuses(1)).toEqual([500]);
		expect((await createVideo()).status).toBe(200);
	});

	it('leaves no effect of a request that it refuses', async () => {
		service.injectFault({ status: 500 });
		await createVideo();

		expect(service.videos).toEqual([]);
	});

	it('can do what it was asked for and still answer badly', async () => {
		service.injectFault({ status: 500, afterEffect: true });

		expect((await createVideo()).status).toBe(500);
		expect(service.videos).toHaveLength(1);
	});

	it('ends the connection before the answer, without an effect', async () => {
		service.injectFault({ disconnect: 'beforeResponse', times: 1 });

		await expect(createVideo()).rejects.toThrow('fetch failed');
		expect(service.videos).toEqual([]);
		expect(service.requests[0]!.wasDisconnected).toBe(true);
		expect(service.requests[0]!.responseStatus).toBeUndefined();
		expect((await createVideo()).status).toBe(200);
	});

	it('ends the connection before the answer, after the effect', async () => {
		service.injectFault({ disconnect: 'beforeResponse', afterEffect: true });

		await expect(createVideo()).rejects.toThrow('fetch failed');
		expect(service.videos).toHaveLength(1);
	});

	it('ends the connection after half of the body', async () => {
		service.injectFault({ disconnect: 'midBody' });
		const response = await fetch(`${service.url}/v1/voices`, {
			headers: { accept: 'application/json', 'x-api-key': service.apiKey },
		});

		expect(response.status).toBe(200);
		await expect(response.text()).rejects.toThrow('terminated');
		expect(service.requests[0]).toMatchObject({ wasDisconnected: true, clientAborted: false });
	});

	it('ends the connection after half of a file', async () => {
		const asset = service.addAssets(1)[0]!;
		asset.size = 3_000_000;
		const link = await linkOf(service, asset.id);
		service.injectFault({ when: { host: 'files' }, disconnect: 'midBody' });

		const response = await fetch(link);
		let received = 0;
		const readAll = async () => {
			for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
				received += chunk.length;
			}
		};

		expect(response.headers.get('content-length')).toBe('3000000');
		await expect(readAll()).rejects.toThrow('terminated');
		expect(received).toBeLessThanOrEqual(1_500_000);
	});

	it('never answers, and sees the client leave', async () => {
		service.injectFault({ hang: true });
		const leaving = new AbortController();
		const answer = call(service, 'GET', '/v1/voices', { signal: leaving.signal });
		const record = await service.waitForRequest();

		leaving.abort();

		await expect(answer).rejects.toThrow('aborted');
		await service.waitUntilIdle();
		expect(record.clientAborted).toBe(true);
		expect(record.responseStatus).toBeUndefined();
	});

	it('answers late', async () => {
		service.injectFault({ latencyMs: 60 });
		const before = performance.now();

		expect((await call(service, 'GET', '/v1/voices')).status).toBe(200);
		expect(performance.now() - before).toBeGreaterThanOrEqual(55);
	});

	it('can be closed while requests hang and wait', async () => {
		const other = await startService({ latencyMs: 60_000 });
		other.injectFault({ when: { path: '/v1/assets' }, hang: true });
		const answers = ['/v1/voices', '/v1/assets'].map((path) => call(other, 'GET', path));
		const outcomes = Promise.allSettled(answers);
		await Promise.all(['/v1/voices', '/v1/assets'].map((path) => other.waitForRequest({ path })));

		await other.close();

		expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
	});
});

describe('the service under load', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService({ latencyMs: 200 });
	});
	afterAll(() => service.close());
	beforeEach(() => service.reset());

	const burst = async (count: number) =>
		await Promise.all(Array.from({ length: count }, () => call(service, 'GET', '/v1/voices')));

	it('counts the requests that are open at one time, and the connections', async () => {
		await burst(6);

		expect(service.peakInFlight).toBe(6);
		expect(service.connections).toBeGreaterThanOrEqual(6);
	});

	it('turns away what is too much, without an effect', async () => {
		service.configure({ rateLimit: { concurrent: 2, retryAfter: 1 } });
		const body = videoBody(service);
		const answers = await Promise.all(
			Array.from({ length: 5 }, () => call(service, 'POST', '/v1/talkingphotos', { body })),
		);
		const turnedAway = answers.filter(({ status }) => status === 429);

		expect(turnedAway).toHaveLength(3);
		expect(turnedAway.map(({ headers }) => headers.get('retry-after'))).toEqual(['1', '1', '1']);
		expect(service.videos).toHaveLength(2);
		expect((await burst(2)).map(({ status }) => status)).toEqual([200, 200]);
	});

	it('turns away with another status and no hint when to come back', async () => {
		service.configure({ rateLimit: { concurrent: 1, status: 503 } });

		const answers = await burst(2);

		expect(answers.map(({ status }) => status).sort()).toEqual([200, 503]);
		expect(answers.every(({ headers }) => headers.get('retry-after') === null)).toBe(true);
	});
});
