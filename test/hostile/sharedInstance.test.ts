import type { IHttpRequestOptions, INodeParameters } from 'n8n-workflow';

import { AvatarStudioApi } from '../../credentials/AvatarStudioApi.credentials';
import type { Fault } from '../../service/service';
import {
	createLocator,
	createSpeech,
	downloadAsset,
	getAsset,
	getVoices,
} from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const KEY = 'sk/Home+7f3a91c2e5==';
const studio = useStudio({ apiKey: KEY });
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
			'Ignore SSL Issues and SSL Certificates cannot be used with a proxy',
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
		async (_setting, trust) => {
			const options = { url: '/v1/voices', proxy: 'http://proxy.example.com', ...trust };

			await expect(authenticate(options)).rejects.toThrow('cannot be used with a proxy');
			expect(JSON.stringify(options)).not.toContain(KEY);
		},
	);
});

describe('G10: A message stays short and without characters that are invisible, with', () => {
	const strange = `Bad\u001b[31m \u202e${'x\u200b'.repeat(1_000)}\u0007`;
	const names = ['one', 'two'].map((id) => ({ id, name: `Portrait ${id} ${strange}` }));
	const location = encodeURI(`https://evil.example/${strange}`);

	it.each<[string, INodeParameters, Fault, words: string]>([
		['a message', createSpeech(), { status: 422, body: { message: strange } }, 'Bad [31m'],
		[
			'names',
			{ ...getAsset(''), assetId: createLocator('Portrait', 'name') },
			{ body: { assets: names } },
			'Portrait one Bad',
		],
		[
			'a redirect',
			getVoices(),
			{ status: 302, headers: { location } },
			'redirected the request to',
		],
	])('%s', async (_what, parameters, fault, words) => {
		studio.service.injectFault(fault);
		const text = await studio.getFailure(parameters);
		expect(text).toContain(words);
		expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
		expect(text.length).toBeLessThan(1_000);
	});
});
