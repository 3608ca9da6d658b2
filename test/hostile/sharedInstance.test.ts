import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { AvatarStudioApi } from '../../credentials/AvatarStudioApi.credentials';
import { getError } from '../support/engine/engine';
import {
	createLocator,
	createSpeech,
	downloadAsset,
	getAsset,
	getVoices,
	uploadAsset,
} from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const KEY = 'sk/Home+7f3a91c2e5==';
const studio = useStudio({ apiKey: KEY });
const speechWithFile = createSpeech({ options: { downloadFile: true } });
const firstId = () => studio.service.assets[0]!.id;

/** Authenticates a request of an HTTP Request node. */
async function authenticate(options: object) {
	const credential = new AvatarStudioApi();
	if (typeof credential.authenticate !== 'function') throw new Error('It is not a function');
	return await credential.authenticate(studio.credentials, options as IHttpRequestOptions);
}

describe('G3: another user of the same n8n', () => {
	it('does not hold up downloads by a host that refuses theirs', async () => {
		let arrived!: () => void;
		const arrival = new Promise<void>((resolve) => (arrived = resolve));
		const files = await startRawHost((_request, response) => {
			arrived();
			if (files.requests === 1) response.writeHead(429, { 'retry-after': '200' }).end();
			else response.writeHead(200, { 'content-type': 'image/png' }).end('file');
		});
		const asset = { id: firstId(), url: `${files.url}/file.png` };
		const otherService = await startRawHost((_request, response) => {
			response.setHeader('content-type', 'application/json').end(JSON.stringify(asset));
		});
		studio.service.injectFault({ body: asset });
		const theirs = studio.start(downloadAsset(firstId()));
		await arrival;
		const { items } = await studio.run(downloadAsset(firstId()), {
			credentials: { baseUrl: otherService.url, apiKey: 'other' },
		});
		await theirs.cancel();

		expect(items[0]!.binary).toBeDefined();
	});

	it('who may only use the credential cannot read its key through a proxy', async () => {
		const requestOptions = { proxy: 'http://127.0.0.1:8080', allowUnauthorizedCerts: true };
		expect(await studio.getFailure(createSpeech({ requestOptions }))).toContain(
			'Ignore SSL Issues cannot be used with a proxy',
		);
		expect(studio.service.requests).toEqual([]);
	});

	it('cannot send it to another site of the same content network', async () => {
		const headers = { HOST: 'evil.example', accept: 'text/plain' };
		const options = await authenticate({ url: '/v1/voices', headers });

		expect(options.headers).toEqual({ accept: 'text/plain', 'x-api-key': KEY });
	});

	it.each([
		['Ignore SSL Issues', { rejectUnauthorized: false }],
		['SSL Certificates', { agentOptions: { ca: 'of their own proxy' } }],
		['SSL Certificates', { rejectUnauthorized: true, agentOptions: {} }],
	])(
		'cannot read it through a proxy of an HTTP Request node with %s either',
		async (setting, trust) => {
			const options = { url: '/v1/voices', proxy: 'http://proxy.example.com', ...trust };

			await expect(authenticate(options)).rejects.toThrow(`${setting} cannot be used with a proxy`);
			expect(JSON.stringify(options)).not.toContain(KEY);
		},
	);

	it("can reach a service that has a certificate of the company's own CA", async () => {
		const agentOptions = { ca: "the company's" };

		expect(await authenticate({ url: '/v1/voices', agentOptions })).toMatchObject({
			agentOptions: { ca: "the company's" },
			headers: { 'x-api-key': KEY },
		});
	});
});

test('G10: Control characters of the service do not reach messages', async () => {
	const body = { message: 'Bad\u001b[31m \u202evalue\u200b\u0007\u2028here' };
	studio.service.injectFault({ status: 422, body });
	const { message } = await getError(studio.run(createSpeech()));
	expect(message).toBe('The service rejected the request (422): Bad [31m value here');
});

test('G10: Names of the service are shown short and without characters that are invisible', async () => {
	const names = ['Portrait \u001b[31m\u202e\u200bone', `Portrait two ${'x'.repeat(1_000)}`];
	studio.service.assets = names.map((name, at) => ({ ...studio.service.assets[at]!, name }));
	const assetId = createLocator('Portrait', 'name');
	const message = await studio.getFailure({ ...getAsset(''), assetId });
	expect(message).toContain('[31m');
	expect(message).not.toMatch(/[\p{Cc}\p{Cf}]|x{200}/u);
});

test('G10: A response with many links of long names has a short message', async () => {
	const body = Object.fromEntries(
		Array.from({ length: 1_000 }, (_, at) => [
			`${at}\u202e${'x'.repeat(200)}`,
			`https://a.example.com/${at}.mp3`,
		]),
	);
	studio.service.injectFault({ body });
	const { json } = await studio.run(speechWithFile);

	const { fileError } = json[0]!;
	expect(fileError).toMatch(/several links.* and 995 more/);
	expect(fileError).not.toMatch(/\p{Cf}|x{200}/u);
});

test('G11: A response with links in a field of a long name does not fill the memory', async () => {
	const links = Array.from({ length: 300 }, (_, at) => [at, 'https://a.example.com/a.mp3']);
	const url = `${studio.service.filesUrl}/speeches/a.mp3`;
	const body = { url, ['x'.repeat(1024 * 1024)]: Object.fromEntries(links) as IDataObject };
	studio.service.injectFault({ times: 1, body });
	const { json } = await studio.run(speechWithFile);

	expect(json[0]!.url).toBe(url);
	expect(json[0]!.fileError).not.toContain('several links');
});

test('G10: A redirect to a long address has a short message', async () => {
	const location = `https://evil.example/\u202e${'x'.repeat(10_000)}`;
	studio.service.injectFault({ status: 302, headers: { location: encodeURI(location) } });
	const error = await getError(studio.run(getVoices()));

	expect(error.message).toContain('redirected the request to https://evil.example/');
	expect(error.message.length).toBeLessThan(300);
});

test('G10: the type of a file is shown short and without characters that are invisible', async () => {
	const file = { data: 'eA==', mimeType: 'x\u202e'.repeat(10_000) };
	const items = [{ json: {}, binary: { data: file } }];
	const message = await studio.getFailure(uploadAsset(), { items });
	expect(message).toContain('is not an image, audio or a video');
	expect(message).not.toContain('\u202e');
	expect(message.length).toBeLessThan(400);
});
