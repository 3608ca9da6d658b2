import { inspect } from 'node:util';

import { stringify } from 'flatted';
import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { readFile, type Output, type RunOptions } from '../support/engine/engine';
import { storeFile } from '../support/files';
import { byLabel } from '../support/operations';
import { createSpeech, downloadAsset, getAsset, withTimeout } from '../support/parameters';
import { findUnusedAddress } from '../support/rawHost';
import { useStudio } from '../support/studio';

/** Contains characters that JSON, URLs and HTML escape, and digits that they do not. */
const KEY = 'sk/Home+7f3a91c2e5==';
const DIGITS = '7f3a91c2e5';
const studio = useStudio({ apiKey: KEY });
useClock({ runs: true });
const firstId = () => studio.service.assets[0]!.id;

/** All that n8n may log, display or store about a run, also with escape sequences decoded. */
function show({ error, errorItems, items, run }: Output): string {
	const options = { depth: Infinity, showHidden: true, maxStringLength: null } as const;
	const inspected = inspect([error, run], options);
	const stored = [stringify(run), JSON.stringify([error, errorItems, items])];
	const text = [inspected, ...stored, error?.stack].join('\n');
	const fromHex = (_match: string, hex: string) => String.fromCharCode(parseInt(hex, 16));
	return [
		text,
		text.replace(/\\+u00([\da-f]{2})/gi, fromHex),
		text.replace(/%(?:25)*([\da-f]{2})/gi, fromHex),
	].join('\n');
}

/** Runs a node that must not show the key. */
async function runSafely(parameters: INodeParameters, options: Partial<RunOptions> = {}) {
	const data = await storeFile(Buffer.from('file'), { mimeType: 'image/png' });
	const outcome = await studio.getOutcome(withTimeout(20_000, parameters), {
		items: [{ json: {}, binary: { data } }],
		...options,
	});
	expect(show(outcome)).not.toContain(DIGITS);
	return outcome;
}

const asJson = (body: string): Fault => ({ body, headers: { 'content-type': 'application/json' } });
const asPage = (body: string): Fault => ({ body, headers: { 'content-type': 'text/html' } });
const redirectTo = (location: string): Fault => ({ status: 302, headers: { location } });
const SPELLINGS = [
	KEY,
	KEY.replaceAll('/', '\\/').replaceAll('+', '\\u002B').replaceAll('=', '\\u003d'),
	KEY.replace(/./g, (letter) => `\\u00${letter.charCodeAt(0).toString(16)}`),
	encodeURIComponent(KEY),
	KEY.replace(/./g, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
	KEY.replace(/\W/g, (letter) => `&#x${letter.charCodeAt(0).toString(16).toUpperCase()};`),
	KEY.replace(/\W/g, (letter) => `&#0${letter.charCodeAt(0)};`),
	KEY.replace('/', '&sol;').replace('+', '&amp;#43;'),
	KEY.replaceAll('/', '\\\\\\/').replaceAll('+', '\\\\u002b'),
	encodeURIComponent(encodeURIComponent(KEY)),
	KEY.toLowerCase(),
];
const ECHO = `The key ${KEY} is not good enough`;

const FAULTS: [string, Fault][] = [
	['a message that repeats it', { status: 401, body: { message: ECHO } }],
	['a truncated body', { disconnect: 'midBody' }],
	['a page of status 200 that repeats it', asPage(`<p>${ECHO}`)],
];
const MORE_FAULTS: [string, Fault][] = [
	// Few requests until the node gives up.
	['status 429', { status: 429, headers: { 'retry-after': '100' } }],
	['a dropped connection', { disconnect: 'beforeResponse' }],
	['a timeout', { hang: true }],
	['a field that repeats it', { status: 422, body: { message: 'No', request: { key: KEY } } }],
	['a page that repeats it', { status: 500, ...asPage(`<p>${ECHO}`) }],
	['broken JSON that repeats it', asJson(`{"message":"${ECHO}`)],
	['a 200 that says it failed and repeats it', asJson(`{"success":false,"message":"${ECHO}"}`)],
	['a redirect that repeats it', redirectTo(`https://example.com/${KEY}`)],
	['a redirect in percent', redirectTo(`https://example.com/${encodeURIComponent(KEY)}`)],
	...SPELLINGS.flatMap((spelling): [string, Fault][] => [
		[`a message with ${spelling}`, { status: 401, ...asJson(`{"message":"No ${spelling}"}`) }],
		[`a name with ${spelling}`, { status: 422, ...asJson(`{"x":{"${spelling}":1}}`) }],
		[`truncated JSON with ${spelling}`, { status: 400, ...asJson(`{"x":"${spelling}`) }],
	]),
];

describe.each(byLabel())('G3: the key is in nothing that %s shows or stores', (_, operation) => {
	it.each(FAULTS)('after %s', async (_failure, fault) => {
		studio.service.injectFault(fault);
		expect((await runSafely(operation.parameters)).error).toBeDefined();
		expect(studio.service.requests).not.toEqual([]);
	});
});

describe('G3: the key is in nothing that a run shows or stores', () => {
	it.each(MORE_FAULTS)('after %s', async (_failure, fault) => {
		studio.service.injectFault(fault);
		expect((await runSafely(createSpeech())).error).toBeDefined();
	});

	it('on the error output', async () => {
		studio.service.injectFault({ status: 403, body: ECHO });
		const settings = { onError: 'continueErrorOutput' } as const;
		expect((await runSafely(createSpeech(), { settings })).errorItems).toHaveLength(1);
	});
});

test.each<[string, baseUrl: () => string | Promise<string>, apiKey?: string]>([
	['the service does not respond', async () => (await findUnusedAddress()).url],
	['the host does not exist', () => 'https://studio.invalid'],
	['TLS fails', () => studio.service.url.replace('http:', 'https:')],
	['Base URL is not encrypted', () => 'http://example.com'],
	['the key contains a line break', () => 'https://example.com', `${KEY}\n${KEY}`],
])('G3: the key is in no message if %s', async (_which, getBaseUrl, apiKey = KEY) => {
	const credentials = { baseUrl: await getBaseUrl(), apiKey };
	expect((await runSafely(createSpeech(), { credentials })).error).toBeDefined();
	expect(studio.getRoutes()).toEqual([]);
});

describe('G3: the key is not in what is stored', () => {
	it.each([
		['type', 'content-type', `image/${KEY}`],
		['name', 'content-disposition', `attachment; filename="${KEY}.png"`],
	])("of a download from the service's host that repeats it in the %s", async (...row) => {
		const [, header, value] = row;
		const body = { id: firstId(), url: `${studio.service.url}/v1/voices` };
		studio.service.injectFault({ times: 1, body });
		studio.service.injectFault({ body: 'x', headers: { [header]: value } });
		await runSafely(downloadAsset(firstId()));
		expect(studio.getRoutes()).toContain('GET /v1/voices');
		// The stand-in requires the key there.
		studio.service.requests.length = 0;
	});

	it.each([
		['application/json', SPELLINGS[0]!],
		['application/json', SPELLINGS[2]!],
		['text/plain', SPELLINGS[4]!],
	])('of a response of 9 MB as %s that repeats it as %s', async (type, spelling) => {
		// At many of these places, the key is in two chunks of the response.
		const text = JSON.stringify('x'.repeat(1_000)).replace('"', `"${spelling}`);
		const body = `[${Array<string>(9_000).fill(text).join(',')}]`;
		studio.service.injectFault({ body, headers: { 'content-type': type } });
		const { error, items } = await runSafely(createSpeech());
		const stored = String(await readFile(items[0]));
		expect(error).toBeUndefined();
		expect(stored).toBe(body.replaceAll(spelling, '*****'));
	});

	it('of a successful run, whose record repeats it', async () => {
		const [asset] = studio.service.assets;
		studio.service.injectFault({ body: { ...asset, name: ECHO, list: [KEY] } });
		const { error, items } = await runSafely(getAsset(firstId()));
		expect(error).toBeUndefined();
		expect(items[0]!.json.name).toBe('The key ***** is not good enough');
	});
});
