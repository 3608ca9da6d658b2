import { once } from 'node:events';
import { type IncomingMessage, request as sendRequest } from 'node:http';
import { buffer } from 'node:stream/consumers';

import type { INodeParameters } from 'n8n-workflow';

import {
	createLocator,
	createSpeech,
	createVideo,
	deleteAsset,
	downloadAsset,
	getAsset,
	getAssets,
	getVoices,
	importAsset,
	updateAsset,
} from '../support/parameters';
import { openSecureHost, type RawHost, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();

const withOptions = (parameters: INodeParameters, requestOptions: INodeParameters) => ({
	...parameters,
	requestOptions,
});
const firstId = () => studio.service.assets[0]!.id;
const secondId = () => studio.service.assets[1]!.id;

const importFile = () => importAsset({ fileUrl: `${studio.service.filesUrl}/sized/100` });

/** Operations with the requests they send to the API and to the files host. */
const OPERATIONS: [string, () => INodeParameters, string[]][] = [
	['Get', () => getAsset(firstId()), ['GET /v1/assets/…']],
	['Get Many of assets', () => getAssets({ limit: 1 }), ['GET /v1/assets']],
	['Get Many of voices', () => getVoices({ limit: 1, simplify: false }), ['GET /v1/voices']],
	['Update', () => updateAsset(firstId()), ['PATCH /v1/assets/…']],
	['Delete', () => deleteAsset('={{ $json.id }}'), ['DELETE /v1/assets/…']],
	['Download', () => downloadAsset(firstId()), ['GET /v1/assets/…', 'GET file']],
	['Import From URL', importFile, ['POST /v1/assets/import/url']],
	['a speech', () => createSpeech(), ['POST /v1/speech']],
	['a video', () => createVideo(), ['POST /v1/talkingphotos']],
];
const voiceByName = createSpeech({ voiceId: createLocator('ryan', 'name') });
const twoItems = (fields: object[]) =>
	fields.map((json, index) => ({ json: { ...json, id: [firstId(), secondId()][index] } }));

/** Passes a request on, to the service or its files host. */
async function forward(url: string, incoming: IncomingMessage): Promise<IncomingMessage> {
	const { method, headers } = incoming;
	const outgoing = incoming.pipe(sendRequest(url, { method, headers }));
	const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
	return answer;
}

/** A request without what differs from one to the next. */
const summarize = ({ method, url = '' }: IncomingMessage) => {
	if (url.startsWith(studio.service.filesUrl)) return `${method} file`;
	const { pathname } = new URL(url);
	return `${method} ${pathname.replace(/[\da-f-]{36}$/, '…')}`;
};
const startProxy = async (seen: string[]) =>
	await startRawHost(async (incoming, response) => {
		seen.push(summarize(incoming));
		const answer = await forward(incoming.url!, incoming);
		answer.pipe(response.writeHead(answer.statusCode!, answer.headers));
	});

test.each(OPERATIONS)('The proxy of each item receives every request of it: %s', async (...row) => {
	const [, parameters, sent] = row;
	const seen: string[][] = [[], []];
	const proxies = await Promise.all(seen.map(startProxy));
	const items = twoItems(proxies.map(({ url }) => ({ proxy: url })));
	await studio.run(withOptions(parameters(), { proxy: '={{ $json.proxy }}' }), { items });
	expect(seen).toEqual([sent, sent]);
});

describe('Ignore SSL Issues', () => {
	let secure: RawHost;
	beforeAll(async () => {
		secure = await openSecureHost(async (incoming, response) => {
			const { url } = incoming;
			// Paths of the files host are served here too, so that links use the same certificate.
			const host = url!.startsWith('/v1') ? studio.service.url : studio.service.filesUrl;
			const answer = await forward(host + url, incoming);
			const body = await buffer(answer);
			const isJson = answer.headers['content-type']?.includes('json');
			const linked = String(body).replaceAll(studio.service.filesUrl, secure.url);
			delete answer.headers['content-length'];
			response.writeHead(answer.statusCode!, answer.headers).end(isJson ? linked : body);
		});
	});
	afterAll(async () => await secure.close());

	it.each<(typeof OPERATIONS)[number]>([
		...OPERATIONS,
		['a speech with a voice by name', () => voiceByName, []],
	])('applies to all requests: %s', async (_which, parameters) => {
		const credentials = { ...studio.credentials, baseUrl: secure.url };
		const options = { items: twoItems([{}]), credentials };
		const trusted = withOptions(parameters(), { allowUnauthorizedCerts: true });
		const { items } = await studio.run(trusted, options);
		const text = await studio.getFailure(parameters(), options);

		expect(items).toHaveLength(1);
		expect(text).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
	});
});
