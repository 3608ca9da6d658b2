import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import {
	createLocator,
	createSpeech,
	downloadAsset,
	getAsset,
	getVoices,
	SOME_ID,
} from '../support/parameters';
import { sendJson, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();

describe('G3: another user of the same n8n', () => {
	it('does not hold up downloads by a host that refuses theirs', async () => {
		let arrived!: () => void;
		const arrival = new Promise<void>((resolve) => (arrived = resolve));
		const files = await startRawHost((_request, response) => {
			arrived();
			if (files.requests === 1) response.writeHead(429, { 'retry-after': '200' }).end();
			else response.writeHead(200, { 'content-type': 'image/png' }).end('file');
		});
		const asset = { id: SOME_ID, url: `${files.url}/file.png` };
		const { credentials } = await startRawHost((_request, response) => sendJson(response, asset));
		studio.service.injectFault({ body: asset });
		const theirs = studio.start(downloadAsset(SOME_ID));
		await arrival;
		const { items } = await studio.run(downloadAsset(SOME_ID), { credentials });
		await theirs.cancel();

		expect(items[0]!.binary).toBeDefined();
	});

	it.each([
		['https://api.example.com', true],
		['https://8.8.8.8/v1', true],
		['https://127.0.0.1:1', false],
	])('cannot read the key on its way to %s: any certificate is refused (%s)', async (...row) => {
		const [baseUrl, isRefused] = row;
		// Whether there is a proxy in the environment of n8n, a node cannot know.
		const requestOptions = { allowUnauthorizedCerts: true };
		const credentials = { ...studio.credentials, baseUrl };
		const text = await studio.getFailure(createSpeech({ requestOptions }), { credentials });
		expect(text.includes('Ignore SSL Issues cannot be used for an address on the')).toBe(isRefused);
	});

	it('who may only use the credential cannot read its key through a proxy', async () => {
		const requestOptions = { proxy: 'http://127.0.0.1:8080', allowUnauthorizedCerts: true };
		expect(await studio.getFailure(createSpeech({ requestOptions }))).toContain(
			'Ignore SSL Issues and SSL Certificates cannot be used with a proxy',
		);
		expect(studio.service.requests).toEqual([]);
	});
});

const strange = `Bad\u001b[31m \u202e${'x\u200b'.repeat(1_000)}\u0007`;
const names = ['one', 'two'].map((id) => ({ id, name: `Portrait ${id} ${strange}` }));
const byName = { ...getAsset(), assetId: createLocator('Portrait', 'name') };
const location = encodeURI(`https://evil.example/${strange}`);

test.each<[string, INodeParameters, Fault, words: string]>([
	['strange words', createSpeech(), { status: 422, body: { message: strange } }, 'Bad [31m'],
	['names', byName, { body: { assets: names } }, 'Portrait one Bad'],
	['a redirect', getVoices(), { status: 302, headers: { location } }, 'redirected the request'],
])('G10: A message with %s is short and all visible', async (_what, parameters, fault, words) => {
	studio.service.injectFault(fault);
	const text = await studio.getFailure(parameters);
	expect(text).toContain(words);
	expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
	expect(text.length).toBeLessThan(1_000);
});
