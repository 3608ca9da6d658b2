import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { CredentialsHelper } from '../support/engine/credentialsHelper';
import { getError, getErrorText } from '../support/engine/engine';
import {
	createVideo,
	deleteAsset,
	downloadAsset,
	getAllAssets,
	getAsset,
	getAssets,
	updateAsset,
} from '../support/parameters';
import { type RawHost, startRawHost } from '../support/rawHost';
import { drainInFlight } from '../support/requests';
import { useStudio } from '../support/studio';

const KEY = 'sk/Home+7f3a91c2e5==';
const studio = useStudio({ apiKey: KEY });
const firstId = () => studio.service.assets[0]!.id;

/** Another host than the service's, and what was sent to it. */
let elsewhere: RawHost;
let sentElsewhere: string[];
beforeEach(async () => {
	sentElsewhere = [];
	elsewhere = await startRawHost((request, response) => {
		sentElsewhere.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
		const isPicture = request.url?.endsWith('.png');
		response.setHeader('content-type', isPicture ? 'image/png' : 'application/json');
		response.end(isPicture ? 'stolen' : '{"stolen":true}');
	});
});

const redirect = (status: number, location: string): Fault => ({ status, headers: { location } });
const getFirst = () => getAsset(firstId());

describe('a redirect to another host', () => {
	// Another name of the same machine counts as another host.
	const otherName = () => studio.service.url.replace('127.0.0.1', 'localhost');
	const otherScheme = () => studio.service.url.replace('http:', 'https:');

	it.each<[string, number, () => string, () => INodeParameters]>([
		['of a GET to another port', 301, () => elsewhere.url, getFirst],
		['of a GET to another name', 302, otherName, getFirst],
		['of a GET to another scheme', 303, otherScheme, getFirst],
		['of a GET to a protocol-relative URL', 307, () => '//localhost:1', getFirst],
		['of a GET', 308, () => elsewhere.url, getFirst],
		['of a POST', 307, () => elsewhere.url, createVideo],
		['of a PATCH', 307, () => elsewhere.url, () => updateAsset(firstId())],
		['of a DELETE', 307, () => elsewhere.url, () => deleteAsset(firstId())],
		['of a list', 307, () => elsewhere.url, () => getAllAssets()],
		['of the asset of a download', 307, () => elsewhere.url, () => downloadAsset(firstId())],
	])('%s (%i) is not followed, but named', async (_which, status, to, parameters) => {
		const address = `${to()}/v1/assets`;
		studio.service.injectFault(redirect(status, address));
		const error = await getError(studio.run(parameters()));

		expect(sentElsewhere).toEqual([]);
		expect(studio.getRoutes()).toHaveLength(1);
		expect(getErrorText(error)).toContain(address);
		expect(getErrorText(error)).toContain('key was not sent there');
		expect(error.httpCode).toBe(String(status));
	});
});

describe('a redirect on the same host', () => {
	it.each([
		[301, 'is absolute', () => `${studio.service.url}/v1/voices?query=ryan`],
		[302, 'is relative to the host', () => '/v1/voices?query=ryan'],
		[303, 'is relative to the path', () => 'voices?query=ryan'],
		[307, 'lacks the scheme', () => `//${new URL(studio.service.url).host}/v1/voices?query=ryan`],
		[308, 'is relative to the host', () => '/v1/voices?query=ryan'],
	])('(%i) of a GET is followed with the key if Location %s', async (status, _how, location) => {
		studio.service.injectFault({ ...redirect(status, location()), times: 1 });
		const text = await studio.getFailure(getAssets({ limit: 5 }));
		const [, followed] = studio.service.requests;

		// The list of voices contains no assets.
		expect(text).toContain('contains no list of assets');
		expect(followed!.url).toBe('/v1/voices?query=ryan');
		expect(followed!.headers).toMatchObject({ accept: 'application/json', 'x-api-key': KEY });
	});

	it('is followed five times', async () => {
		studio.service.injectFault({ ...redirect(302, `/v1/assets/${firstId()}`), times: 5 });
		await studio.run(getFirst());
		expect(studio.getRoutes()).toHaveLength(6);
	});

	it.each<[string, number, () => INodeParameters]>([
		['POST', 303, createVideo],
		['POST', 307, createVideo],
		['PATCH', 302, () => updateAsset(firstId())],
		['DELETE', 302, () => deleteAsset(firstId())],
	])('of a %s is an error (%i), never a GET', async (method, status, parameters) => {
		studio.service.injectFault(redirect(status, '/v1/assets'));
		const error = await getError(studio.run(parameters()));

		expect(studio.service.requests.map((request) => request.method)).toEqual([method]);
		expect(getErrorText(error)).toContain('not followed');
		expect(error.httpCode).toBe(String(status));
	});

	it.each([
		[302, '', 6],
		[302, 'http://', 1],
		[302, 'https://[bad', 1],
		[404, '/v1/assets/other', 1],
	])('(%i) to "%s" is an error after so many requests: %i', async (status, location, requests) => {
		studio.service.injectFault(redirect(status, location));
		const error = await getError(studio.run(getFirst()));

		expect(error.httpCode).toBe(String(status));
		expect(studio.service.requests).toHaveLength(requests);
	});
});

test("A key from an expression is sent with every page of its item's list, and with no other's", async () => {
	studio.service.addAssets(15);
	const { items: listed } = await studio.run(getAllAssets({ pageSize: 5 }), {
		credentials: { baseUrl: studio.service.url, apiKey: '={{ $json.key }}' },
		items: [KEY, 'sk-Other-1', 'sk-Other-2'].map((key) => ({ json: { key } })),
		settings: { onError: 'continueRegularOutput' },
	});
	await drainInFlight(studio);
	const of = (item: number) =>
		listed.filter(({ pairedItem }) => (pairedItem as { item: number }).item === item);

	expect(of(0)).toHaveLength(20);
	for (const other of [1, 2])
		expect(of(other)).toMatchObject([{ json: { errorDetails: { httpCode: 401 } } }]);
});

test('A credential that n8n cannot read is reported as that, not as a broken connection', async () => {
	// n8n reads it before the first item, and succeeds.
	const read = jest
		.spyOn(CredentialsHelper.prototype, 'getDecrypted')
		.mockResolvedValueOnce(studio.credentials)
		.mockRejectedValueOnce(new Error('SQLITE_BUSY'));
	const text = await studio.getFailure(createVideo());
	read.mockRestore();

	expect(text).toBe('SQLITE_BUSY. Nothing was changed in the service.');
	expect(studio.service.videos).toEqual([]);
});

describe('a download link', () => {
	it("is requested without the key even on the service's host, and uncompressed", async () => {
		const body = { id: firstId(), url: `${studio.service.url}/v1/voices` };
		studio.service.injectFault({ times: 1, body });
		await studio.getOutcome(downloadAsset(firstId()));
		const [, file] = studio.service.requests;

		expect(file!.headers['x-api-key']).toBeUndefined();
		// A compressed file that is cut short could look complete.
		expect(file!.headers['accept-encoding']).toBe('identity');
		// The stand-in requires the key there, and that is the point.
		studio.service.requests.length = 0;
	});

	it('that redirects to another host is followed without the key', async () => {
		const redirected = redirect(302, `${elsewhere.url}/file.png`);
		studio.service.injectFault({ ...redirected, when: { host: 'files' } });
		const { items } = await studio.run(downloadAsset(firstId()));
		expect(items[0]!.binary?.data).toBeDefined();
		expect(sentElsewhere).toHaveLength(1);
		expect(sentElsewhere[0]).not.toContain(KEY);
	});
});
