import { startService, type Service } from '../../service/service';

import { answered, call, linkOf } from './client';

describe('a download link', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});
	afterAll(() => service.close());
	beforeEach(() => service.reset());

	it('leads to another host', async () => {
		const link = await linkOf(service, service.assets[0]!.id);

		expect(new URL(link).origin).toBe(service.filesUrl);
		expect(service.filesUrl).not.toBe(service.url);
	});

	it.each([
		['Avatar portrait', 'image/png', '\x89PNG'],
		['Calm backdrop', 'image/svg+xml', '<svg'],
		['Greeting', 'video/mp4', '\0\0\0'],
		['Chime', 'audio/wav', 'RIFF'],
		['Short melody', 'audio/wav', 'RIFF'],
	])('opens the real file of %s', async (name, contentType, beginning) => {
		const asset = service.assets.find((candidate) => candidate.name === name)!;

		const file = await fetch(await linkOf(service, asset.id));
		const bytes = Buffer.from(await file.arrayBuffer());

		expect(file.headers.get('content-type')).toBe(contentType);
		expect(file.headers.get('content-length')).toBe(String(bytes.length));
		expect(file.headers.get('content-disposition')).toContain(`"${name}${asset.extension}"`);
		expect(bytes.toString('latin1').startsWith(beginning)).toBe(true);
		expect(bytes.length).toBeLessThan(50_000);
	});

	it('tells the size without the file to a HEAD', async () => {
		const file = await fetch(await linkOf(service, service.assets[0]!.id), { method: 'HEAD' });

		expect(Number(file.headers.get('content-length'))).toBeGreaterThan(0);
		expect(await file.text()).toBe('');
	});

	it('only reads', async () => {
		const link = await linkOf(service, service.assets[0]!.id);

		expect((await answered(await fetch(link, { method: 'POST' }))).status).toBe(405);
	});

	it('is a new one at every read', async () => {
		const { id } = service.assets[0]!;

		expect(await linkOf(service, id)).not.toBe(await linkOf(service, id));
	});

	it('says when it expires: after twelve hours', async () => {
		const link = new URL(await linkOf(service, service.assets[0]!.id));
		const left = Number(link.searchParams.get('expires')) - Date.now() / 1_000;

		expect(left).toBeGreaterThan(43_190);
		expect(left).toBeLessThanOrEqual(43_200);
	});

	it('opens nothing once it has expired', async () => {
		service.configure({ linkLifetimeSeconds: 0 });
		const { status, json } = await answered(
			await fetch(await linkOf(service, service.assets[0]!.id)),
		);

		expect(status).toBe(403);
		expect(json.detail).toBe('The link has expired.');
	});

	it.each([
		['a later expiry', (link: string) => link.replace(/expires=\d+/, 'expires=9999999999')],
		['no query at all', (link: string) => link.split('?')[0]!],
		['a made-up signature', (link: string) => link.replace(/signature=.*/, 'signature=zz')],
	])('opens nothing with %s', async (_name, change) => {
		const link = await linkOf(service, service.assets[0]!.id);

		expect((await answered(await fetch(change(link)))).status).toBe(403);
	});

	it('opens nothing for another asset', async () => {
		const [one, other] = service.assets;
		const link = (await linkOf(service, one!.id)).replace(one!.id, other!.id);

		expect((await answered(await fetch(link))).status).toBe(403);
	});

	it('refuses a request that brings the API key along, and records the leak', async () => {
		const link = await linkOf(service, service.assets[0]!.id);
		const { status } = await answered(
			await fetch(link, { headers: { 'x-api-key': service.apiKey } }),
		);

		expect(status).toBe(400);
		expect(service.violations).toEqual([
			expect.stringContaining('The API key was sent to the files host.'),
		]);
	});
});

describe('the files host', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});
	afterAll(() => service.close());
	beforeEach(() => service.reset());

	it('makes up a file of any size while it is sent', async () => {
		const response = await fetch(`${service.filesUrl}/sized/200000`);

		expect(response.headers.get('content-length')).toBe('200000');
		expect((await response.arrayBuffer()).byteLength).toBe(200_000);
	});

	it('streams 300 MB without holding them', async () => {
		const before = process.memoryUsage();
		const response = await fetch(`${service.filesUrl}/sized/300000000`);
		let received = 0;
		for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
			received += chunk.length;
		}
		const after = process.memoryUsage();

		expect(received).toBe(300_000_000);
		expect(after.arrayBuffers - before.arrayBuffers).toBeLessThan(100_000_000);
	});

	it('makes up the file of an asset that has only a size', async () => {
		service.assets.push({
			id: '1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11',
			name: 'Big film',
			extension: '.mp4',
			size: 70_000,
		});
		const file = await fetch(await linkOf(service, '1f0e6f0a-53d5-4a0b-9d0b-6d0c3f6a2b11'));

		expect((await file.arrayBuffer()).byteLength).toBe(70_000);
		expect(file.headers.get('content-type')).toBe('video/mp4');
		expect(file.headers.get('content-disposition')).toContain('filename="Big film.mp4"');
	});

	it('serves a file with whatever headers a test wants, or without them', async () => {
		const asset = service.assets[0]!;
		asset.fileHeaders = {
			'content-type': 'application/x-odd',
			'content-disposition': null,
			'content-length': null,
		};
		const file = await fetch(await linkOf(service, asset.id));

		expect(file.headers.get('content-type')).toBe('application/x-odd');
		expect(file.headers.get('content-disposition')).toBeNull();
		expect(file.headers.get('content-length')).toBeNull();
		expect((await file.arrayBuffer()).byteLength).toBe(asset.content!.length);
	});

	it('gives a name beyond ASCII in both forms', async () => {
		const asset = service.assets[0]!;
		asset.name = 'Größe "1"';
		const file = await fetch(await linkOf(service, asset.id));
		await file.arrayBuffer();

		expect(file.headers.get('content-disposition')).toBe(
			`attachment; filename="Gr__e _1_.png"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.png`,
		);
	});

	it('misbehaves only where its host is meant', async () => {
		service.injectFault({ status: 500 });
		expect((await answered(await fetch(`${service.filesUrl}/sized/5`))).status).toBe(200);

		service.injectFault({ when: { host: 'files', path: /^\/sized/ }, status: 410 });
		expect((await answered(await fetch(`${service.filesUrl}/sized/5`))).status).toBe(410);
		expect((await call(service, 'GET', '/v1/voices')).status).toBe(500);
	});
});
