import { request as sendRequest } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';

import type { INodeParameters } from 'n8n-workflow';
import { generate } from 'selfsigned';

import { getError, getErrorText } from '../support/engine/engine';
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
import { type RawHost, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();

const withOptions = (parameters: INodeParameters, requestOptions: INodeParameters) => ({
	...parameters,
	requestOptions,
});
const firstId = () => studio.service.assets[0]!.id;
const secondId = () => studio.service.assets[1]!.id;

/** Operations with the requests they send to the API and to the files host. */
const OPERATIONS: [string, () => INodeParameters, string[]][] = [
	['Get', () => getAsset(firstId()), ['GET /v1/assets/…']],
	['Get Many of assets', () => getAssets({ limit: 1 }), ['GET /v1/assets']],
	['Get Many of voices', () => getVoices({ limit: 1, simplify: false }), ['GET /v1/voices']],
	['Update', () => updateAsset(firstId()), ['PATCH /v1/assets/…']],
	['Delete', () => deleteAsset('={{ $json.id }}'), ['DELETE /v1/assets/…']],
	['Download', () => downloadAsset(firstId()), ['GET /v1/assets/…', 'GET file']],
	[
		'Import From URL',
		() => importAsset({ fileUrl: `${studio.service.filesUrl}/sized/100` }),
		['POST /v1/assets/import/url'],
	],
	['a speech', () => createSpeech(), ['POST /v1/speech']],
	['a video', () => createVideo(), ['POST /v1/talkingphotos']],
];
const voiceByName = createSpeech({ voiceId: createLocator('ryan', 'name') });
const twoItems = (fields: object[]) =>
	fields.map((json, index) => ({ json: { ...json, id: [firstId(), secondId()][index] } }));

describe('the proxy of each item', () => {
	let proxies: RawHost[];
	let seen: string[][];
	beforeEach(async () => {
		seen = [[], []];
		proxies = await Promise.all(
			seen.map(async (requests) => {
				return await startRawHost((incoming, response) => {
					const { method, headers, url = '' } = incoming;
					const isFile = url.startsWith(studio.service.filesUrl);
					const path = url
						.replace(/^http:\/\/[^/]+/, '')
						.replace(/\?.*|(?<=assets\/)[\da-f-]{36}/g, '');
					requests.push(
						isFile ? `${method} file` : `${method} ${path}`.replace(/assets\/$/, 'assets/…'),
					);
					const outgoing = sendRequest(url, { method, headers }, (answer) => {
						response.writeHead(answer.statusCode!, answer.headers);
						answer.pipe(response);
					});
					incoming.pipe(outgoing);
				});
			}),
		);
	});

	it.each(OPERATIONS)(
		'receives every request of that item: %s',
		async (_which, parameters, sent) => {
			const items = twoItems(proxies.map(({ url }) => ({ proxy: url })));
			await studio.run(withOptions(parameters(), { proxy: '={{ $json.proxy }}' }), { items });
			expect(seen).toEqual([sent, sent]);
		},
	);
});

describe('Ignore SSL Issues', () => {
	let server: Server;
	let baseUrl: string;
	beforeAll(async () => {
		const { cert, private: key } = await generate([{ name: 'commonName', value: 'studio' }]);
		server = createServer({ cert, key }, (incoming, response) => {
			const { method, headers, url } = incoming;
			// Paths of the files host are served here too, so that links use the same certificate.
			const host = url!.startsWith('/v1') ? studio.service.url : studio.service.filesUrl;
			const outgoing = sendRequest(host + url, { method, headers }, (answer) => {
				const chunks: Buffer[] = [];
				answer.on('data', (chunk: Buffer) => chunks.push(chunk));
				answer.on('end', () => {
					const body = Buffer.concat(chunks);
					const isJson = answer.headers['content-type']?.includes('json');
					delete answer.headers['content-length'];
					response.writeHead(answer.statusCode!, answer.headers);
					response.end(isJson ? String(body).replaceAll(studio.service.filesUrl, baseUrl) : body);
				});
			});
			incoming.pipe(outgoing);
		});
		await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
		baseUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
	});
	afterAll(() => {
		server.closeAllConnections();
		server.close();
	});

	it.each<(typeof OPERATIONS)[number]>([
		...OPERATIONS,
		['a speech with a voice by name', () => voiceByName, []],
	])('applies to all requests: %s', async (_which, parameters) => {
		const options = {
			items: twoItems([{}]),
			credentials: { ...studio.credentials, baseUrl },
		};
		const trusting = await studio.run(
			withOptions(parameters(), { allowUnauthorizedCerts: true }),
			options,
		);
		const error = await getError(studio.run(parameters(), options));

		expect(trusting.items).toHaveLength(1);
		expect(getErrorText(error)).toContain('DEPTH_ZERO_SELF_SIGNED_CERT');
	});
});
