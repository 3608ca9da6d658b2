import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { startService, type Service } from '../../service/service';

import { call, linkOf } from './client';

describe('an import from a URL', () => {
	let service: Service;
	let elsewhere: Server;
	let answer: RequestListener;

	beforeAll(async () => {
		service = await startService({ seed: false, importLimits: { maxBytes: 1_000 } });
		elsewhere = createServer((request, response) => answer(request, response));
		elsewhere.listen(0, '127.0.0.1');
		await once(elsewhere, 'listening');
	});
	afterAll(async () => {
		await service.close();
		elsewhere.closeAllConnections();
		elsewhere.close();
	});
	beforeEach(() => service.reset());

	const at = (path: string) =>
		`http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}${path}`;
	const importFrom = (fileUrl: string, more: object = { name: 'Logo', type: 'Image' }) =>
		call(service, 'POST', '/v1/assets/import/url', { body: { fileUrl, ...more } });

	it('takes the file, and answers without extension and original address', async () => {
		answer = (_request, response) =>
			response.setHeader('content-type', 'image/gif').end('GIF89a and so on');

		const { status, json } = await importFrom(at('/pictures/logo'));

		expect(status).toBe(200);
		expect(json).toEqual({
			id: expect.any(String),
			name: 'Logo',
			url: expect.stringContaining(service.filesUrl),
			originalFileUrl: null,
		});
		expect((await call(service, 'GET', `/v1/assets/${json.id}`)).json).toMatchObject({
			originalFileUrl: at('/pictures/logo'),
			extension: '.gif',
		});
		expect(service.assets[0]).toMatchObject({ type: 'Image' });
		const file = await fetch(await linkOf(service, json.id));
		expect(file.headers.get('content-type')).toBe('image/gif');
		expect(await file.text()).toBe('GIF89a and so on');
	});

	it.each([
		['/a/Spring%20song.mp3', 'Spring song.mp3', '.mp3'],
		['/', 'Imported file', '.bin'],
		['/caf%e9.png', 'caf\ufffd.png', '.png'],
	])('names the asset after the path %s where no name is given', async (path, name, extension) => {
		answer = (_request, response) => response.end('x');

		await importFrom(at(path), {});

		expect(service.assets[0]).toMatchObject({ name, extension });
	});

	it('accepts any type', async () => {
		answer = (_request, response) => response.end('x');

		expect((await importFrom(at('/a'), { type: 'Hologram' })).status).toBe(200);
	});

	it('needs an address', async () => {
		const { status } = await call(service, 'POST', '/v1/assets/import/url', { body: {} });

		expect(status).toBe(422);
	});

	it.each<[string, string, RequestListener, string]>([
		['a file that is not there', '/a', (_q, r) => r.writeHead(404).end(), 'status 404'],
		['a file that is too large', '/a', (_q, r) => r.end('x'.repeat(1_001)), 'larger than 1000'],
		[
			'a file that stops halfway',
			'/a',
			(_q, r) => r.writeHead(200).write('x', () => r.destroy()),
			'could not be read',
		],
	])('refuses %s', async (_name, path, listener, sentence) => {
		answer = listener;

		const { status, json } = await importFrom(at(path));

		expect(status).toBe(422);
		expect(json.detail).toContain(sentence);
		expect(service.assets).toEqual([]);
	});

	it.each([
		['ftp://127.0.0.1/a.png', 'http or https'],
		['file:///etc/hostname', 'http or https'],
		['data:text/plain,hello', 'http or https'],
		['http://127.0.0.1:1/a.png', 'could not be read'],
	])('refuses the address %s', async (fileUrl, sentence) => {
		const { status, json } = await importFrom(fileUrl);

		expect(status).toBe(422);
		expect(json.detail).toContain(sentence);
	});

	it('refuses a file that takes too long', async () => {
		service.configure({ importLimits: { timeoutMs: 100 } });
		answer = () => undefined;

		const { status, json } = await importFrom(at('/a'));

		expect(status).toBe(422);
		expect(json.detail).toBe('The file did not arrive within 100 ms.');
	});

	it('reads a file of exactly the largest size', async () => {
		answer = (_request, response) => response.end('x'.repeat(1_000));

		expect((await importFrom(at('/a'))).status).toBe(200);
	});
});
