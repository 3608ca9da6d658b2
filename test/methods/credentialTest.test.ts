import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { testCredential } from '../support/engine/engine';
import { createIdItems, getAsset, ITEM_ID } from '../support/parameters';
import { useStudio } from '../support/studio';

const KEY = 'k3y-of-the-test';
const studio = useStudio({ apiKey: KEY });

const SUCCESS = { status: 'OK', message: 'Connection successful' };
const json = { 'content-type': 'application/json' };
const page = { body: '<title>Welcome</title>', headers: { 'content-type': 'text/html' } };

test('A valid credential passes with one small request', async () => {
	expect(await testCredential(studio.credentials)).toStrictEqual(SUCCESS);
	const headers = { 'x-api-key': KEY, accept: 'application/json' };
	expect(studio.service.requests).toMatchObject([
		{ method: 'GET', url: '/v1/assets?Page=1&PageSize=1', rawBody: '', headers },
	]);
});

test.each([
	[404, 0],
	[422, 1],
])('A service that refuses pages after the last (%i) passes with %i assets', async (...row) => {
	const [status, count] = row;
	studio.service.assets = studio.service.assets.slice(0, count);
	studio.service.configure({ pagination: { firstPage: 0, pageBeyondLast: status } });
	expect(await testCredential(studio.credentials)).toStrictEqual(SUCCESS);
});

test.each<[string, Fault]>([
	['a refusal of every page of assets', { status: 404, when: { path: '/v1/assets' } }],
	['a bare list', { body: [] }],
	['null for its assets', { body: 'null', headers: json, when: { path: '/v1/assets' } }],
])('A service that responds with %s passes', async (_answer, fault) => {
	studio.service.injectFault(fault);
	expect(await testCredential(studio.credentials)).toStrictEqual(SUCCESS);
});

test('The message about an empty credential says what to fill in', async () => {
	const message = 'Base URL is empty. Enter it in the credential.';
	expect(await testCredential(undefined as never)).toStrictEqual({ status: 'Error', message });
});

const WRONG_ADDRESS = 'The address responds, but not like the service';
const CHECK_URL = '. Check Base URL in the credential: it is the part of the address before /v1.';

test.each<[string, Fault, words: string, urls?: number]>([
	['404', { status: 404 }, `${WRONG_ADDRESS} (404)`, 2],
	['501', { status: 501 }, `${WRONG_ADDRESS} (501)`],
	['a web page with 200', page, WRONG_ADDRESS, 2],
	['JSON that is not a list of assets', { body: { hello: 'world' } }, WRONG_ADDRESS, 2],
	['an empty body', { body: '' }, WRONG_ADDRESS, 2],
	['a redirect', { status: 307, headers: { location: '//a.example' } }, `${WRONG_ADDRESS} (307)`],
	['403', { status: 403 }, 'The account is not allowed to do this (403)'],
	['500', { status: 500 }, 'The service did not complete the request (500)'],
	['503', { status: 503 }, 'The service did not complete the request (503)'],
])('A URL that responds with %s is reported as that', async (...row) => {
	const [, fault, words, urls = 1] = row;
	studio.service.injectFault(fault);
	const { status, message } = await testCredential(studio.credentials);
	expect(status).toBe('Error');
	expect(message.startsWith(words)).toBe(true);
	expect(message.endsWith(CHECK_URL)).toBe(words.startsWith(WRONG_ADDRESS));
	expect(message).not.toContain(KEY);
	expect(new Set(studio.service.requests.map(({ url }) => url)).size).toBe(urls);
});

describe('With the Base URL of the fast branch', () => {
	const clients = useStudio({ asSpecified: false });
	const testFastBranch = async (apiKey: string) =>
		await testCredential({ baseUrl: clients.service.fastUrl, apiKey });

	it('the message says that only a video can test the key', async () => {
		const { status, message } = await testFastBranch(clients.service.fastApiKey);
		expect(status).toBe('Error');
		expect(message).toBe(
			'The address has no list with which the API key could be tested (404). The fast branch has none. If this is its Base URL, save the credential, and try it with Video: Create Fast. Otherwise remove /api from Base URL.',
		);
		clients.service.requests.length = 0;
	});

	it('a key that it rejects is reported as that', async () => {
		const { message } = await testFastBranch(clients.service.apiKey);
		expect(message).toContain('The service rejected the API key (401)');
		clients.service.requests.length = 0;
	});
});

describe('During an outage', () => {
	useClock({ runs: true });

	it('each test asks the service at once, and says what it answers', async () => {
		studio.service.injectFault({ status: 503, when: () => !isWell });
		let isWell = false;
		const items = createIdItems(studio.service.addAssets(20));
		const run = studio.start(getAsset(ITEM_ID), { items });
		await new Promise((resolve) => setTimeout(resolve, 40_000));
		const before = studio.service.requests.length;
		const { message } = await testCredential(studio.credentials);
		isWell = true;
		const startedAt = Date.now();
		const passed = await testCredential(studio.credentials);
		await run.cancel();

		expect(message).toContain('(503)');
		expect(studio.service.requests.length).toBeGreaterThan(before);
		expect(passed).toStrictEqual(SUCCESS);
		expect(Date.now() - startedAt).toBeLessThan(1_000);
	});
});
