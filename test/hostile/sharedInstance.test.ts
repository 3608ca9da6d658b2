import { getErrorText } from '../support/engine/engine';
import { createSpeech, createVideo, downloadAsset, getAsset } from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const KEY = 'sk/Home+7f3a91c2e5==';
const studio = useStudio({ apiKey: KEY });
const firstId = () => studio.service.assets[0]!.id;

describe('another user of the same n8n', () => {
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
		let cancel!: () => void;
		const theirs = studio.run(downloadAsset(firstId()), {
			onStart: (run) => (cancel = () => run.cancel()),
		});
		await arrival;
		const { items } = await studio.run(downloadAsset(firstId()), {
			credentials: { baseUrl: otherService.url, apiKey: 'other' },
		});
		cancel();
		await theirs;
		await Promise.all([files.close(), otherService.close()]);

		expect(items[0]!.binary).toBeDefined();
	});

	it('who may only use the credential cannot read its key through a proxy', async () => {
		const { error } = await studio.run(
			createSpeech({
				requestOptions: { proxy: 'http://127.0.0.1:8080', allowUnauthorizedCerts: true },
			}),
		);

		expect(getErrorText(error)).toContain('Ignore SSL Issues cannot be used with a proxy');
		expect(studio.service.requests).toEqual([]);
	});
});

test('A service that repeats the key does not put it into saved data', async () => {
	const [asset] = studio.service.assets;
	studio.service.injectFault({ body: { ...asset, name: `The key is ${KEY}`, list: [KEY] } });
	const { json } = await studio.run(getAsset(asset!.id));

	expect(json[0]!.name).toBe('The key is *****');
	expect(JSON.stringify(json)).not.toContain('7f3a91c2e5');
});

test('Control characters of the service do not reach messages', async () => {
	studio.service.injectFault({
		status: 422,
		body: { message: 'Bad\u001b[31m \u202evalue\u200b\u0007\u2028here' },
	});
	const { error } = await studio.run(createSpeech());

	expect(error?.message).toBe('The service rejected the request (422): Bad [31m value here');
});

test('A Custom Body cannot change the request object itself', async () => {
	const { error } = await studio.run(
		createVideo({ additionalFields: { customBody: '{"a":{"__proto__":{"draft":true}}}' } }),
	);

	expect(getErrorText(error)).toContain('Custom Body must be a JSON object without "__proto__"');
	expect(studio.service.requests).toEqual([]);
});
