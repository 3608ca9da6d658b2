import { inspect } from 'node:util';

import { stringify } from 'flatted';
import type { INodeParameters } from 'n8n-workflow';

import { authenticate } from '../../nodes/AvatarStudio/client/credential';
import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { CredentialsHelper } from '../support/engine/credentialsHelper';
import { getError, getErrorText, type Outcome, type RunOptions } from '../support/engine/engine';
import {
	createSpeech,
	createVideo,
	deleteAsset,
	downloadAsset,
	getAllAssets,
	getAsset,
	getAssets,
	updateAsset,
	withTimeout,
} from '../support/parameters';
import { findUnusedAddress, type RawHost, startRawHost } from '../support/rawHost';
import { drainInFlight } from '../support/requests';
import { useStudio } from '../support/studio';

/** Contains characters that JSON, URLs and HTML escape, and digits that they do not. */
const KEY = 'sk/Home+7f3a91c2e5==';
const DIGITS = '7f3a91c2e5';
const studio = useStudio({ apiKey: KEY });
const firstId = () => studio.service.assets[0]!.id;

/** Another host than the service's, and what was sent to it. */
let elsewhere: RawHost;
let sentElsewhere: string[];
beforeEach(async () => {
	sentElsewhere = [];
	elsewhere = await startRawHost((request, response) => {
		sentElsewhere.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
		const type = request.url?.endsWith('.png') ? 'image/png' : 'application/json';
		response.setHeader('content-type', type).end('{"stolen":true}');
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
		[
			'of the first request of a download',
			307,
			() => elsewhere.url,
			() => downloadAsset(firstId()),
		],
	])(
		'%s (%i) is not followed, and the message names it',
		async (_which, status, to, parameters) => {
			const address = `${to()}/v1/assets`;
			studio.service.injectFault(redirect(status, address));
			const error = await getError(studio.run(parameters()));

			expect(sentElsewhere).toEqual([]);
			expect(studio.getRoutes()).toHaveLength(1);
			expect(getErrorText(error)).toContain(address);
			expect(getErrorText(error)).toContain('key was not sent there');
			expect(error.httpCode).toBe(String(status));
		},
	);

	it('is not followed at the end of a chain on the same host', async () => {
		studio.service.injectFault({ ...redirect(302, '/v1/voices'), times: 1 });
		studio.service.injectFault(redirect(302, elsewhere.url));
		const error = await getError(studio.run(getFirst()));

		expect(sentElsewhere).toEqual([]);
		expect(getErrorText(error)).toContain(elsewhere.url);
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
		const error = await getError(studio.run(getAssets({ limit: 5 })));
		const [, followed] = studio.service.requests;

		// The list of voices contains no assets.
		expect(getErrorText(error)).toContain('contains no list of assets');
		expect(followed!.url).toBe('/v1/voices?query=ryan');
		expect(followed!.headers).toMatchObject({ accept: 'application/json', 'x-api-key': KEY });
	});

	it('is followed at most five times', async () => {
		studio.service.injectFault({ ...redirect(302, `/v1/assets/${firstId()}`), times: 5 });
		await studio.run(getFirst());
		const before = studio.service.requests.length;
		studio.service.injectFault(redirect(302, `/v1/assets/${firstId()}`));
		const error = await getError(studio.run(getFirst()));

		expect(error.httpCode).toBe('302');
		expect(studio.service.requests.length - before).toBe(6);
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
		['', 6],
		['http://', 1],
		['https://[bad', 1],
	])('to "%s" is an error', async (location, requests) => {
		studio.service.injectFault(redirect(302, location));
		const error = await getError(studio.run(getFirst()));

		expect(error.httpCode).toBe('302');
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
	for (const other of [1, 2]) expect(of(other)).toMatchObject([{ json: { httpCode: 401 } }]);
});

test('The credential is read once for a list, however many pages it has', async () => {
	const read = jest.spyOn(CredentialsHelper.prototype, 'getDecrypted');
	studio.service.addAssets(50);
	await studio.run(getAllAssets({ pageSize: 5 }));
	await drainInFlight(studio);
	const [reads, pages] = [read.mock.calls.length, studio.getRoutes().length];
	read.mockRestore();

	expect(pages).toBeGreaterThan(9);
	// By n8n itself before the first item, and by the node.
	expect(reads).toBe(2);
});

test('A credential that n8n cannot read is reported as that, not as a broken connection', async () => {
	// n8n reads it before the first item, and succeeds.
	const read = jest
		.spyOn(CredentialsHelper.prototype, 'getDecrypted')
		.mockResolvedValueOnce(studio.credentials)
		.mockRejectedValueOnce(new Error('SQLITE_BUSY'));
	const error = await getError(studio.run(createVideo()));
	read.mockRestore();

	expect(getErrorText(error)).toBe('SQLITE_BUSY. Nothing was sent to the service.');
	expect(studio.service.videos).toEqual([]);
});

describe('a download link', () => {
	it("is requested without the key even on the service's host, and uncompressed", async () => {
		studio.service.injectFault({
			times: 1,
			body: { id: firstId(), url: `${studio.service.url}/v1/voices` },
		});
		await studio.run(downloadAsset(firstId()));
		const [, file] = studio.service.requests;

		expect(file!.headers['x-api-key']).toBeUndefined();
		// A compressed file that is cut short could look complete.
		expect(file!.headers['accept-encoding']).toBe('identity');
		// The stand-in requires the key there, and that is the point.
		studio.service.requests.length = 0;
	});

	it('that redirects to another host is followed without the key', async () => {
		studio.service.injectFault({
			when: { host: 'files' },
			...redirect(302, `${elsewhere.url}/file.png`),
		});
		const { items } = await studio.run(downloadAsset(firstId()));
		expect(items[0]!.binary?.data).toBeDefined();
		expect(sentElsewhere).toHaveLength(1);
		expect(sentElsewhere[0]).not.toContain(KEY);
	});
});

describe('no failure reveals the key', () => {
	const clock = useClock();
	beforeEach(() => clock.run(200));

	/** All that n8n may log, display or store about a run, also with escape sequences decoded. */
	const shown = ({ error, errorItems, items, run }: Outcome): string => {
		const options = { depth: Infinity, showHidden: true, maxStringLength: null } as const;
		const text = [
			inspect(error, options),
			inspect(run, options),
			stringify(run),
			JSON.stringify([error, errorItems, items]),
			String(error?.stack),
		].join('\n');
		const fromHex = (_match: string, hex: string) => String.fromCharCode(parseInt(hex, 16));
		return [
			text,
			text.replace(/\\+u00([\da-f]{2})/gi, fromHex),
			text.replace(/%(?:25)*([\da-f]{2})/gi, fromHex),
		].join('\n');
	};

	const echo = `The key ${KEY} is not good enough`;
	const escapeAll = (prefix: string) =>
		Array.from(KEY, (letter) => prefix + letter.charCodeAt(0).toString(16)).join('');
	const jsonText = (body: string): Fault => ({
		body,
		headers: { 'content-type': 'application/json' },
	});
	const ESCAPED = [
		KEY.replaceAll('/', '\\/').replaceAll('+', '\\u002B').replaceAll('=', '\\u003d'),
		escapeAll('\\u00'),
		encodeURIComponent(KEY),
		escapeAll('%'),
	];
	const FAULTS: [string, Fault][] = [
		...[401, 429, 503].map((status): [string, Fault] => [
			String(status),
			// Few requests until the node gives up after 429.
			{ status, headers: { 'retry-after': '100' } },
		]),
		['a dropped connection', { disconnect: 'beforeResponse' }],
		['a truncated body', { disconnect: 'midBody' }],
		['a timeout', { hang: true }],
		['a redirect', { status: 302, headers: { location: 'https://example.com/' } }],
		['a web page', { body: '<p>Hello', headers: { 'content-type': 'text/html' } }],
		['invalid JSON', { body: '{', headers: { 'content-type': 'application/json' } }],
	];
	const ECHOES: [string, Fault][] = [
		['in its message', { status: 401, body: { message: echo } }],
		['in plain text', { status: 403, body: echo }],
		['in a field', { status: 422, body: { message: 'No', request: { headers: { key: KEY } } } }],
		[
			'in a web page',
			{ status: 500, body: `<p>${echo}`, headers: { 'content-type': 'text/html' } },
		],
		['in a redirect', { status: 302, headers: { location: `https://example.com/${KEY}` } }],
		[
			'percent-encoded in a redirect',
			{
				status: 302,
				headers: { location: `https://example.com/${encodeURIComponent(KEY)}` },
			},
		],
		...ESCAPED.flatMap((escaped): [string, Fault][] => [
			[`as ${escaped} in JSON`, { status: 401, ...jsonText(`{"message":"No ${escaped}"}`) }],
			[
				`as ${escaped} in a field and its name`,
				{ status: 422, ...jsonText(`{"message":"No","more":{"${escaped}":["${escaped}"]}}`) },
			],
			[`as ${escaped} in truncated JSON`, { status: 400, ...jsonText(`{"x":"${escaped}`) }],
			[`as ${escaped} in broken JSON with status 200`, jsonText(`{"message":"No ${escaped}`)],
		]),
		[
			'in a web page with status 200',
			{ body: `<p>No ${KEY}`, headers: { 'content-type': 'text/html' } },
		],
	];

	/** One spelling in each place: which spellings are recognized is up to none of the requests. */
	const PLACES = ECHOES.filter(
		([where]) => where.startsWith('in ') || where.startsWith(`as ${ESCAPED[0]} `),
	);

	describe.each<[string, () => INodeParameters, [string, Fault][]]>([
		['GET', () => getAsset(firstId()), ECHOES],
		['POST', () => createSpeech(), PLACES],
		['download', () => downloadAsset(firstId()), PLACES],
	])('of a %s', (_which, parameters, echoes) => {
		const expectSafeError = async (options: Partial<RunOptions> = {}) => {
			const outcome = await studio.getOutcome(withTimeout(20_000, parameters()), options);

			expect(outcome.error).toBeDefined();
			expect(shown(outcome)).not.toContain(DIGITS);
		};

		it.each([
			...FAULTS,
			...echoes.map(([where, fault]) => [`a response that repeats it ${where}`, fault] as const),
		])('after %s', async (_failure, fault) => {
			studio.service.injectFault(fault);
			await expectSafeError();
		});

		it.each<[string, baseUrl: () => string | Promise<string>, apiKey?: string]>([
			['the service does not respond', async () => (await findUnusedAddress()).url],
			['the host does not exist', () => 'https://studio.invalid'],
			['TLS fails', () => studio.service.url.replace('http:', 'https:')],
			['Base URL is not a URL', () => 'not an address'],
			['Base URL is not encrypted', () => 'http://example.com'],
			['the key contains a line break', () => 'https://example.com', `${KEY}\n${KEY}`],
		])('if %s', async (_which, getBaseUrl, apiKey = KEY) => {
			await expectSafeError({ credentials: { baseUrl: await getBaseUrl(), apiKey } });
			expect(studio.getRoutes()).toHaveLength(0);
		});

		it('on the error output', async () => {
			studio.service.injectFault({ status: 403 });
			const outcome = await studio.run(parameters(), {
				settings: { onError: 'continueErrorOutput' },
			});

			expect(outcome.errorItems).toHaveLength(1);
			expect(shown(outcome)).not.toContain(DIGITS);
		});
	});

	describe('in a download on the host of the service', () => {
		const downloadFromService = async (fault: Fault) => {
			const body = { id: firstId(), url: `${studio.service.url}/v1/voices` };
			studio.service.injectFault({ times: 1, body });
			studio.service.injectFault(fault);
			const outcome = await studio.getOutcome(downloadAsset(firstId()));
			// The stand-in requires the key there.
			studio.service.requests.length = 0;
			return shown(outcome);
		};

		it.each(PLACES.filter(([, { status }]) => status !== 302))(
			'that repeats it %s',
			async (_where, fault) => {
				expect(await downloadFromService(fault)).not.toContain(DIGITS);
			},
		);

		it.each([
			['content-type', `image/${KEY}`],
			['content-disposition', `attachment; filename="${KEY}.png"`],
		])('that repeats it in %s', async (header, value) => {
			expect(await downloadFromService({ body: 'x', headers: { [header]: value } })).not.toContain(
				DIGITS,
			);
		});
	});

	it('in a Custom API Call to another host', async () => {
		const options = { url: `${elsewhere.url}/x` };
		const error = await getError(
			Promise.resolve().then(() => authenticate(studio.credentials, options)),
		);

		expect(error.message).toContain('was not sent to');
		expect(inspect(error)).not.toContain(DIGITS);
	});

	it('in a long body whose beginning ends in the middle of the key', async () => {
		const host = await startRawHost((_request, response) => {
			response.writeHead(400, { 'content-type': 'text/plain' });
			response.write(`${'x'.repeat(65_518)}${KEY.slice(0, -1)}`);
			const rest = setInterval(() => {
				clearInterval(rest);
				response.end(KEY.slice(-1));
			}, 20);
		});
		const credentials = { baseUrl: host.url, apiKey: KEY };
		const outcome = await studio.getOutcome(getAsset(firstId()), { credentials });

		expect(outcome.error!.httpCode).toBe('400');
		expect(shown(outcome)).not.toContain(DIGITS);
	});

	it('in the items of a successful run', async () => {
		expect(shown(await studio.run(downloadAsset(firstId())))).not.toContain(DIGITS);
	});
});
