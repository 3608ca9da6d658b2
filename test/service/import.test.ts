import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { call, getLink, readResponse, useService } from './client';

const api = useService({ seed: false });
let elsewhere: Server;
let respond: RequestListener = (_request, response) => response.end('x');

beforeAll(async () => {
	elsewhere = createServer((request, response) => respond(request, response));
	elsewhere.listen(0, '127.0.0.1');
	await once(elsewhere, 'listening');
});
afterEach(() => (respond = (_request, response) => response.end('x')));
afterAll(() => {
	elsewhere.closeAllConnections();
	elsewhere.close();
});

const at = (path: string) => `http://127.0.0.1:${(elsewhere.address() as AddressInfo).port}${path}`;
const importFrom = async (fileUrl: string, fields: object = { name: 'Logo', type: 'Image' }) =>
	await call(api.service, 'POST', '/v1/assets/import/url', { body: { fileUrl, ...fields } });

test('An import stores the file and returns the asset without extension and original URL', async () => {
	respond = (_request, response) =>
		response.setHeader('content-type', 'image/gif').end('GIF89a and so on');

	const { status, json } = await importFrom(at('/pictures/logo'));

	expect(status).toBe(200);
	expect(json).toEqual({
		id: expect.any(String),
		name: 'Logo',
		url: expect.stringContaining(api.service.filesUrl),
		originalFileUrl: null,
	});
	expect((await call(api.service, 'GET', `/v1/assets/${json.id}`)).json).toMatchObject({
		originalFileUrl: at('/pictures/logo'),
		extension: '.gif',
	});
	expect(api.service.assets[0]).toMatchObject({ type: 'Image' });
	const file = await readResponse(await fetch(await getLink(api.service, json.id)));
	expect(file.headers.get('content-type')).toBe('image/gif');
	expect(file.text).toBe('GIF89a and so on');
});

test.each([
	['/a/Spring%20song.mp3', 'Spring song.mp3', '.mp3'],
	['/', 'Imported file', '.bin'],
	['/caf%e9.png', 'caf\ufffd.png', '.png'],
])('An asset without a name is named after the path %s', async (path, name, extension) => {
	await importFrom(at(path), {});

	expect(api.service.assets[0]).toMatchObject({ name, extension });
});

test('An import accepts any type', async () => {
	expect((await importFrom(at('/a'), { type: 'Hologram' })).status).toBe(200);
});

test('An import without a URL is refused', async () => {
	const { status } = await call(api.service, 'POST', '/v1/assets/import/url', { body: {} });

	expect(status).toBe(422);
});

test.each<[string, RequestListener, string]>([
	['that does not exist', (_request, response) => response.writeHead(404).end(), 'status 404'],
	[
		'whose connection is closed halfway',
		(_request, response) => response.writeHead(200).write('x', () => response.destroy()),
		'could not be read',
	],
])('An import of a file %s is refused', async (_name, listener, sentence) => {
	respond = listener;

	const { status, json } = await importFrom(at('/a'));

	expect(status).toBe(422);
	expect(json.detail).toContain(sentence);
	expect(api.service.assets).toEqual([]);
});

test.each([
	['ftp://127.0.0.1/a.png', 'HTTP URL'],
	['file:///etc/hostname', 'HTTP URL'],
	['data:text/plain,hello', 'HTTP URL'],
	['http://127.0.0.1:1/a.png', 'could not be read'],
])('An import from %s is refused', async (fileUrl, sentence) => {
	const { status, json } = await importFrom(fileUrl);

	expect(status).toBe(422);
	expect(json.detail).toContain(sentence);
});
