import { getLink, readResponse, useService } from './client';

const api = useService();

const getFile = async (link: string, options?: RequestInit) =>
	await readResponse(await fetch(link, options));

test('A download link leads to another host', async () => {
	const link = await getLink(api.service);

	expect(new URL(link).origin).toBe(api.service.filesUrl);
	expect(api.service.filesUrl).not.toBe(api.service.url);
});

test.each([
	['Avatar portrait', 'image/png', '\x89PNG'],
	['Calm backdrop', 'image/svg+xml', '<svg'],
	['Greeting', 'video/mp4', '\0\0\0'],
	['Chime', 'audio/wav', 'RIFF'],
	['Short melody', 'audio/wav', 'RIFF'],
])('The download link of %s leads to a real file', async (name, contentType, beginning) => {
	const asset = api.service.assets.find((candidate) => candidate.name === name)!;

	const file = await fetch(await getLink(api.service, asset.id));
	const bytes = Buffer.from(await file.arrayBuffer());

	expect(file.headers.get('content-type')).toBe(contentType);
	expect(file.headers.get('content-length')).toBe(String(bytes.length));
	expect(file.headers.get('content-disposition')).toContain(`"${name}${asset.extension}"`);
	expect(bytes.toString('latin1').startsWith(beginning)).toBe(true);
	expect(bytes.length).toBeLessThan(50_000);
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

test('A part behind the end of the file is refused', async () => {
	const range = { range: 'bytes=99999999-' };
	const { status, headers } = await getFile(await getLink(api.service), { headers: range });

	expect(status).toBe(416);
	expect(headers.get('content-range')).toMatch(/^bytes \*\/\d+$/);
});

test('A HEAD returns the size without the file', async () => {
	const { headers, text } = await getFile(await getLink(api.service), { method: 'HEAD' });

	expect(Number(headers.get('content-length'))).toBeGreaterThan(0);
	expect(text).toBe('');
});

test('The files host is read-only', async () => {
	const link = await getLink(api.service);

	expect((await getFile(link, { method: 'POST' })).status).toBe(405);
});

test('Every download link is unique', async () => {
	expect(await getLink(api.service)).not.toBe(await getLink(api.service));
});

test('A download link expires after twelve hours', async () => {
	const link = new URL(await getLink(api.service));
	const left = Number(link.searchParams.get('expires')) - Date.now() / 1_000;

	expect(left).toBeGreaterThan(43_190);
	expect(left).toBeLessThanOrEqual(43_200);
});

test('An expired download link is refused', async () => {
	api.service.configure({ linkLifetimeSeconds: 0 });
	const { status, json } = await getFile(await getLink(api.service));

	expect(status).toBe(403);
	expect(json.detail).toBe('The link has expired.');
});

test.each([
	['a later expiry', (link: string) => link.replace(/expires=\d+/, 'expires=9999999999')],
	['no query', (link: string) => link.split('?')[0]!],
	['a forged signature', (link: string) => link.replace(/signature=.*/, 'signature=zz')],
])('A download link with %s is refused', async (_name, change) => {
	expect((await getFile(change(await getLink(api.service)))).status).toBe(403);
});

test('A download link is not valid for another asset', async () => {
	const [one, other] = api.service.assets;
	const link = (await getLink(api.service, one!.id)).replace(one!.id, other!.id);

	expect((await getFile(link)).status).toBe(403);
});

test('An API key sent to the files host is refused and recorded', async () => {
	const headers = { 'x-api-key': api.service.apiKey };
	const { status } = await getFile(await getLink(api.service), { headers });

	expect(status).toBe(400);
	expect(api.service.violations).toEqual([
		expect.stringContaining('The API key was sent to the files host.'),
	]);
});

test('A file of any size is generated while it is sent', async () => {
	const response = await fetch(`${api.service.filesUrl}/sized/200000`);

	expect(response.headers.get('content-length')).toBe('200000');
	expect((await response.arrayBuffer()).byteLength).toBe(200_000);
});

test('A generated file of 300 MB is never held in memory', async () => {
	const before = process.memoryUsage();
	const response = await fetch(`${api.service.filesUrl}/sized/300000000`);
	let received = 0;
	for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
		received += chunk.length;
	}
	const after = process.memoryUsage();

	expect(received).toBe(300_000_000);
	expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(100_000_000);
});

test('An asset without content has a generated file', async () => {
	const id = '1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11';
	api.service.assets.push({ id, name: 'Big film', extension: '.mp4', size: 70_000 });
	const file = await fetch(await getLink(api.service, id));

	expect((await file.arrayBuffer()).byteLength).toBe(70_000);
	expect(file.headers.get('content-type')).toBe('video/mp4');
	expect(file.headers.get('content-disposition')).toContain('filename="Big film.mp4"');
});

test('A file can have other headers or lack some', async () => {
	const asset = api.service.assets[0]!;
	asset.fileHeaders = {
		'content-type': 'application/x-odd',
		'content-disposition': null,
		'content-length': null,
	};
	const file = await fetch(await getLink(api.service, asset.id));

	expect(file.headers.get('content-type')).toBe('application/x-odd');
	expect(file.headers.get('content-disposition')).toBeNull();
	expect(file.headers.get('content-length')).toBeNull();
	expect((await file.arrayBuffer()).byteLength).toBe(asset.content!.length);
});

test('A non-ASCII file name is sent in both forms', async () => {
	api.service.assets[0]!.name = 'Größe "1"';
	const { headers } = await getFile(await getLink(api.service));

	expect(headers.get('content-disposition')).toBe(
		`attachment; filename="Gr__e _1_.png"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.png`,
	);
});
