import { call, createVideo, getLink, readResponse, useService } from './client';

const api = useService();

const getVoices = (signal?: AbortSignal) => call(api.service, 'GET', '/v1/voices', { signal });
const getStatuses = async (count: number) => {
	const statuses: number[] = [];
	for (let round = 0; round < count; round += 1) statuses.push((await getVoices()).status);
	return statuses;
};

test('A fault can send any status, with a problem as the body', async () => {
	api.service.injectFault({ status: 503 });

	const { status, json } = await getVoices();

	expect(status).toBe(503);
	expect(json).toMatchObject({ title: 'Service Unavailable', status: 503 });
	expect(api.service.requests[0]!.responseStatus).toBe(503);
});

test('A fault can send any body and headers', async () => {
	api.service.injectFault({
		status: 502,
		body: '<h1>Bad gateway</h1>',
		headers: { 'Content-Type': 'text/html', 'Retry-After': '7' },
	});

	const { status, text, headers } = await getVoices();

	expect([status, text]).toEqual([502, '<h1>Bad gateway</h1>']);
	expect(headers.get('content-type')).toBe('text/html');
	expect(headers.get('retry-after')).toBe('7');
});

test.each([
	[{ body: { strange: true } }, 'application/json; charset=utf-8', '{"strange":true}'],
	[{ body: 'words' }, 'text/plain; charset=utf-8', 'words'],
	[{ body: Buffer.from('bytes') }, 'application/octet-stream', 'bytes'],
	[{ body: '' }, 'text/plain; charset=utf-8', ''],
])('A fault sends %j with the matching content type', async (fault, contentType, expected) => {
	api.service.injectFault(fault);

	const { status, text, headers } = await getVoices();

	expect([status, text, headers.get('content-type')]).toEqual([200, expected, contentType]);
});

test('A fault can send the real response with other headers', async () => {
	api.service.injectFault({ headers: { 'content-type': 'text/plain' } });

	const { json, headers } = await getVoices();

	expect(headers.get('content-type')).toBe('text/plain');
	expect(json.voices.length).toBeGreaterThan(50);
});

test('A redirect has no body', async () => {
	const location = api.service.filesUrl;
	api.service.injectFault({ status: 302, headers: { location } });

	const { status, text, headers } = await getVoices();

	expect([status, text, headers.get('location')]).toEqual([302, '', location]);
});

test('A fault can let requests through first and then apply a number of times', async () => {
	api.service.injectFault({ skip: 2, times: 2, status: 500 });

	expect(await getStatuses(6)).toEqual([200, 200, 500, 500, 200, 200]);
});

test('Of several faults the first active one applies', async () => {
	api.service.injectFault({ times: 1, status: 429 });
	api.service.injectFault({ times: 2, status: 500 });

	expect(await getStatuses(4)).toEqual([429, 500, 500, 200]);
});

test.each([
	[{ method: 'get' }],
	[{ path: '/v1/voices' }],
	[{ path: /voices$/ }],
	[{ operation: 'listVoices' }],
	[(request: { path: string }) => request.path === '/v1/voices'],
])('A fault applies only to the requests selected by %p', async (when) => {
	api.service.injectFault({ when, status: 500 });

	expect(await getStatuses(1)).toEqual([500]);
	expect((await createVideo(api.service)).status).toBe(200);
});

test('A fault applies to the files host only if it is selected', async () => {
	const getFile = async () =>
		(await readResponse(await fetch(`${api.service.filesUrl}/sized/5`))).status;
	api.service.injectFault({ status: 500 });
	expect(await getFile()).toBe(200);

	api.service.injectFault({ when: { host: 'files', path: /^\/sized/ }, status: 410 });
	expect(await getFile()).toBe(410);
	expect(await getStatuses(1)).toEqual([500]);
});

test('A failed request has no effect', async () => {
	api.service.injectFault({ status: 500 });
	await createVideo(api.service);

	expect(api.service.videos).toEqual([]);
});

test('A failed request can still have its effect', async () => {
	api.service.injectFault({ status: 500, afterEffect: true });

	expect((await createVideo(api.service)).status).toBe(500);
	expect(api.service.videos).toHaveLength(1);
});

test('A connection closed before the response leaves no effect', async () => {
	api.service.injectFault({ disconnect: 'beforeResponse', times: 1 });

	await expect(createVideo(api.service)).rejects.toThrow('fetch failed');
	expect(api.service.videos).toEqual([]);
	expect(api.service.requests[0]!.wasDisconnected).toBe(true);
	expect(api.service.requests[0]!.responseStatus).toBeUndefined();
	expect((await createVideo(api.service)).status).toBe(200);
});

test('A connection can be closed after the effect and before the response', async () => {
	api.service.injectFault({ disconnect: 'beforeResponse', afterEffect: true });

	await expect(createVideo(api.service)).rejects.toThrow('fetch failed');
	expect(api.service.videos).toHaveLength(1);
});

test('A connection can be closed after half of the body', async () => {
	api.service.injectFault({ disconnect: 'midBody' });
	const response = await fetch(`${api.service.url}/v1/voices`, {
		headers: { accept: 'application/json', 'x-api-key': api.service.apiKey },
	});

	expect(response.status).toBe(200);
	await expect(response.text()).rejects.toThrow('terminated');
	expect(api.service.requests[0]).toMatchObject({ wasDisconnected: true, clientAborted: false });
});

test('A connection can be closed after half of a file', async () => {
	const asset = api.service.addAssets(1)[0]!;
	asset.size = 3_000_000;
	const link = await getLink(api.service, asset.id);
	api.service.injectFault({ when: { host: 'files' }, disconnect: 'midBody' });

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

test('A request can hang until the client gives up', async () => {
	api.service.injectFault({ hang: true });
	const leaving = new AbortController();
	const response = getVoices(leaving.signal);
	const record = await api.service.waitForRequest();

	leaving.abort();

	await expect(response).rejects.toThrow('aborted');
	await api.service.waitUntilIdle();
	expect(record.clientAborted).toBe(true);
	expect(record.responseStatus).toBeUndefined();
});

test('A response can be late', async () => {
	api.service.injectFault({ latencyMs: 60 });
	const before = performance.now();

	expect((await getVoices()).status).toBe(200);
	expect(performance.now() - before).toBeGreaterThanOrEqual(55);
});
