import { inspect } from 'node:util';

import { stringify } from 'flatted';
import type { IHttpRequestOptions, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { AvatarStudioApi } from '../../credentials/AvatarStudioApi.credentials';
import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { CredentialsHelper } from '../support/engine/credentialsHelper';
import { getError, getErrorText, type Outcome } from '../support/engine/engine';
import {
	createSpeech,
	createVideo,
	deleteAsset,
	downloadAsset,
	getAllAssets,
	getAsset,
	getAssets,
	ITEM_SCRIPT,
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
beforeAll(async () => {
	elsewhere = await startRawHost((request, response) => {
		sentElsewhere.push(`${request.method} ${request.url} ${JSON.stringify(request.rawHeaders)}`);
		const type = request.url?.endsWith('.png') ? 'image/png' : 'application/json';
		response.setHeader('content-type', type).end('{"stolen":true}');
	});
});
beforeEach(() => (sentElsewhere = []));
afterAll(async () => await elsewhere.close());

/** A request as authenticated by the credential, which n8n calls. */
async function authenticated(options: IHttpRequestOptions): Promise<IHttpRequestOptions> {
	const { authenticate } = new AvatarStudioApi();
	if (typeof authenticate !== 'function') throw new Error('authenticate is not a function');
	return await authenticate({ baseUrl: studio.service.url, apiKey: KEY }, options);
}

const itemOf = (paired: INodeExecutionData['pairedItem']) => (paired as { item: number }).item;

const REDIRECTS = [301, 302, 303, 307, 308];
const redirect = (status: number, location: string): Fault => ({ status, headers: { location } });
/** Another name of the same machine, which counts as another host. */
const getUrlWithOtherHostName = () => studio.service.url.replace('127.0.0.1', 'localhost');

describe('a redirect to another host', () => {
	it.each(REDIRECTS)('(%i) is not followed, and the message names it', async (status) => {
		studio.service.injectFault(redirect(status, `${elsewhere.url}/v1/assets`));
		const error = await getError(studio.run(getAsset(firstId())));
		expect(sentElsewhere).toEqual([]);
		expect(getErrorText(error)).toContain(`${elsewhere.url}/v1/assets`);
		expect(getErrorText(error)).toContain('key was not sent there');
		expect(error.httpCode).toBe(String(status));
	});

	it.each([
		['another port', () => elsewhere.url],
		['another name', getUrlWithOtherHostName],
		['another scheme', () => studio.service.url.replace('http:', 'https:')],
		['a protocol-relative URL', () => `//localhost:1`],
	])('includes one to %s', async (_which, address) => {
		studio.service.injectFault(redirect(302, `${address()}/v1/assets`));
		const error = await getError(studio.run(getAsset(firstId())));

		expect(getErrorText(error)).toContain('redirected the request');
		expect(studio.getRoutes()).toHaveLength(1);
	});

	it.each<[string, () => INodeParameters]>([
		['POST', createVideo],
		['PATCH', () => updateAsset(firstId())],
		['DELETE', () => deleteAsset(firstId())],
		['list', () => getAllAssets()],
		['first request of a download', () => downloadAsset(firstId())],
	])('of a %s is not followed', async (_which, parameters) => {
		studio.service.injectFault(redirect(307, `${elsewhere.url}/v1/x`));
		const error = await getError(studio.run(parameters()));

		expect(sentElsewhere).toEqual([]);
		expect(error.httpCode).toBe('307');
	});

	it('is not followed at the end of a chain on the same host', async () => {
		studio.service.injectFault({ ...redirect(302, '/v1/voices'), times: 1 });
		studio.service.injectFault(redirect(302, elsewhere.url));
		const error = await getError(studio.run(getAsset(firstId())));

		expect(sentElsewhere).toEqual([]);
		expect(getErrorText(error)).toContain(elsewhere.url);
	});
});

describe('a redirect on the same host', () => {
	it.each(REDIRECTS)('(%i) of a GET is followed, with the key', async (status) => {
		const id = firstId();
		studio.service.injectFault({ ...redirect(status, `/v1/assets/${id}`), times: 1 });
		const { json } = await studio.run(getAsset('123e4567-e89b-12d3-a456-426614174000'));
		expect(json[0]!.id).toBe(id);
		expect(studio.service.requests.map(({ headers }) => headers['x-api-key'])).toEqual([KEY, KEY]);
	});

	it('is followed at once, even if the page that comes with it never ends', async () => {
		const host = await startRawHost(({ url }, response) => {
			if (url === '/v1/assets/new') return void response.end('{"id":"new"}');
			response.writeHead(302, { location: '/v1/assets/new' }).write('<p>Moved');
		});
		const credentials = { baseUrl: host.url, apiKey: KEY };
		const { json } = await studio.run(getAsset('old'), { credentials });
		await host.close();

		expect(json).toEqual([{ id: 'new' }]);
	});

	it.each([
		['absolute', () => `${studio.service.url}/v1/voices?query=ryan`],
		['relative to the host', () => '/v1/voices?query=ryan'],
		['relative to the path', () => 'voices?query=ryan'],
		['relative to the scheme', () => `//${new URL(studio.service.url).host}/v1/voices?query=ryan`],
	])('is followed if Location is %s', async (_which, location) => {
		studio.service.injectFault({ ...redirect(302, location()), times: 1 });
		const error = await getError(studio.run(getAssets({ limit: 5 })));
		const [, followed] = studio.service.requests;

		// The list of voices contains no assets.
		expect(getErrorText(error)).toContain('contains no list of assets');
		expect(followed!.url).toBe('/v1/voices?query=ryan');
		expect(followed!.headers.accept).toBe('application/json');
	});

	it('is followed at most five times', async () => {
		studio.service.injectFault({ ...redirect(302, `/v1/assets/${firstId()}`), times: 5 });
		await studio.run(getAsset(firstId()));
		const before = studio.service.requests.length;
		studio.service.injectFault(redirect(302, `/v1/assets/${firstId()}`));
		const error = await getError(studio.run(getAsset(firstId())));

		expect(error.httpCode).toBe('302');
		expect(studio.service.requests.length - before).toBe(6);
	});

	it.each<[string, number, () => INodeParameters]>([
		...REDIRECTS.map((status): [string, number, () => INodeParameters] => [
			'POST',
			status,
			createVideo,
		]),
		['PATCH', 302, () => updateAsset(firstId())],
		['DELETE', 302, () => deleteAsset(firstId())],
	])('of a %s is an error (%i), never a GET', async (method, status, parameters) => {
		studio.service.injectFault(redirect(status, '/v1/assets'));
		const error = await getError(studio.run(parameters()));

		expect(studio.service.requests.map((request) => request.method)).toEqual([method]);
		expect(getErrorText(error)).toContain('not followed');
		expect(error.httpCode).toBe(String(status));
	});

	it.each(['', 'http://', 'https://[bad'])('to "%s" is an error', async (location) => {
		studio.service.injectFault(redirect(302, location));
		const error = await getError(studio.run(getAsset(firstId())));

		expect(error.httpCode).toBe('302');
		expect(studio.service.requests.length).toBeLessThanOrEqual(6);
	});
});

describe('a key from an expression', () => {
	const own = () => ({ baseUrl: studio.service.url, apiKey: '={{ $json.key }}' });
	const items = [KEY, 'sk-Other-1', 'sk-Other-2'].map((key) => ({ json: { key, script: key } }));
	const settings = { onError: 'continueRegularOutput' as const };

	it('is only sent with the request of its item', async () => {
		await studio.run(createSpeech({ script: ITEM_SCRIPT }), {
			credentials: own(),
			items,
			settings,
		});
		const sent = studio.service.requests.map(({ headers, body }) => [headers['x-api-key'], body]);

		expect(sent).toHaveLength(3);
		for (const [key, body] of sent) expect(body).toMatchObject({ script: key });
	});

	it("is sent with every page of its item's list", async () => {
		studio.service.addAssets(15);
		const { items: listed } = await studio.run(getAllAssets({ pageSize: 5 }), {
			credentials: own(),
			items,
			settings,
		});
		await drainInFlight(studio);
		const of = (index: number) => listed.filter(({ pairedItem }) => itemOf(pairedItem) === index);

		expect(of(0)).toHaveLength(20);
		expect([of(1), of(2)]).toMatchObject([
			[{ json: { httpCode: 401 } }],
			[{ json: { httpCode: 401 } }],
		]);
	});
});

test('the credential is read once for a list, however many pages it has', async () => {
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

describe('a credential that n8n cannot read', () => {
	// n8n reads it before the first item, and succeeds.
	const failOnce = () =>
		jest
			.spyOn(CredentialsHelper.prototype, 'getDecrypted')
			.mockResolvedValueOnce(studio.credentials)
			.mockRejectedValueOnce(new Error('SQLITE_BUSY'));

	it('is reported as that, not as a broken connection', async () => {
		const read = failOnce();
		const error = await getError(studio.run(createVideo()));
		read.mockRestore();

		expect(getErrorText(error)).toBe('SQLITE_BUSY. Nothing was sent to the service.');
		expect(studio.service.videos).toEqual([]);
	});

	it('is read again with Retry On Fail', async () => {
		const read = failOnce();
		await studio.run(createVideo(), {
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		read.mockRestore();

		expect(studio.service.videos).toHaveLength(1);
	});
});

describe('a download link', () => {
	it('asks for no compression, so that a file cut short cannot look complete', async () => {
		await studio.run(downloadAsset(firstId()));
		const [, file] = studio.service.requests;

		expect(file!.headers['accept-encoding']).toBe('identity');
	});

	it("is requested without the key even on the service's host", async () => {
		studio.service.injectFault({
			times: 1,
			body: { id: firstId(), url: `${studio.service.url}/v1/voices` },
		});
		await studio.run(downloadAsset(firstId()));
		const [, file] = studio.service.requests;

		expect(file!.headers['x-api-key']).toBeUndefined();
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

describe('on n8n 1.x, which does not support allowedDomains,', () => {
	it('n8n itself follows no redirect', async () => {
		const options = await authenticated({ url: '/v1/assets' });

		expect(options).toMatchObject({
			url: `${studio.service.url}/v1/assets`,
			disableFollowRedirect: true,
			followRedirect: false,
			followAllRedirects: false,
			headers: { 'x-api-key': KEY },
		});
	});

	it('a redirect does not leak the key', async () => {
		const asBefore = jest
			.spyOn(CredentialsHelper.prototype, 'authenticate')
			.mockImplementation(async (_credentials, _type, options) => {
				await authenticated(options);
				delete options.allowedDomains;
				return options;
			});
		studio.service.injectFault(redirect(302, `${elsewhere.url}/v1/assets`));
		const error = await getError(studio.run(getAsset(firstId())));
		asBefore.mockRestore();

		expect(sentElsewhere).toEqual([]);
		expect(getErrorText(error)).toContain('key was not sent there');
	});
});

describe('no failure reveals the key', () => {
	const clock = useClock();
	beforeEach(() => clock.run(200));

	/** Everything that n8n may log, display or store about a run. */
	function formatOutcome({ error, errorItems, items, run }: Outcome): string {
		const options = { depth: Infinity, showHidden: true, maxStringLength: null } as const;
		return [
			inspect(error, options),
			inspect(run, options),
			stringify(run),
			JSON.stringify([error, errorItems, items]),
			String(error?.stack),
		].join('\n');
	}

	/** The same, and with escape sequences decoded. */
	const shown = (outcome: Outcome): string => {
		const text = formatOutcome(outcome);
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
		KEY.replaceAll('/', '\\\\\\/').replaceAll('+', '\\\\u002b'),
		escapeAll('\\u00'),
		encodeURIComponent(KEY),
		encodeURIComponent(encodeURIComponent(KEY)),
		escapeAll('%'),
	];
	const FAULTS: [string, Fault][] = [
		...[400, 401, 403, 404, 429, 500, 502, 503].map((status): [string, Fault] => [
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
		...[KEY.replaceAll('+', '&#43;').replaceAll('=', '&#x3D;'), KEY].map(
			(escaped): [string, Fault] => [
				`as ${escaped} in a web page with status 200`,
				{ body: `<p>No ${escaped}`, headers: { 'content-type': 'text/html' } },
			],
		),
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
		it.each(FAULTS)('after %s', async (_failure, fault) => {
			studio.service.injectFault(fault);
			const outcome = await studio.getOutcome(withTimeout(20_000, parameters()));

			expect(outcome.error).toBeDefined();
			expect(shown(outcome)).not.toContain(DIGITS);
		});

		it.each(echoes)('if the service repeats it %s', async (_where, fault) => {
			studio.service.injectFault(fault);
			const outcome = await studio.getOutcome(parameters());

			expect(outcome.error).toBeDefined();
			expect(shown(outcome)).not.toContain(DIGITS);
		});

		it('if the service does not respond, the host does not exist, or TLS fails', async () => {
			const { url } = await findUnusedAddress();
			for (const baseUrl of [
				url,
				'https://studio.invalid',
				studio.service.url.replace('http:', 'https:'),
			]) {
				const outcome = await studio.getOutcome(parameters(), {
					credentials: { baseUrl, apiKey: KEY },
				});

				expect(outcome.error).toBeDefined();
				expect(shown(outcome)).not.toContain(DIGITS);
			}
		});

		it.each([
			['Base URL is not a URL', { baseUrl: 'not an address', apiKey: KEY }],
			['Base URL is not encrypted', { baseUrl: 'http://example.com', apiKey: KEY }],
			[
				'the key contains a line break',
				{ baseUrl: 'https://example.com', apiKey: `${KEY}\n${KEY}` },
			],
		])('if %s', async (_which, credentials) => {
			const outcome = await studio.getOutcome(parameters(), { credentials });

			expect(outcome.error).toBeDefined();
			expect(shown(outcome)).not.toContain(DIGITS);
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
		const attempt = authenticated({ url: `${elsewhere.url}/x` });

		await expect(attempt).rejects.toThrow('was not sent to');
		expect(inspect(await attempt.catch((error: unknown) => error))).not.toContain(DIGITS);
	});

	it('in a long body whose beginning ends in the middle of the key', async () => {
		const host = await startRawHost((_request, response) => {
			response.writeHead(400, { 'content-type': 'text/plain' });
			response.write(`${'x'.repeat(65_530)}${KEY.slice(0, -1)}`);
			const rest = setInterval(() => {
				clearInterval(rest);
				response.end(KEY.slice(-1));
			}, 20);
		});
		const credentials = { baseUrl: host.url, apiKey: KEY };
		const outcome = await studio.getOutcome(getAsset(firstId()), { credentials });
		await host.close();

		expect(outcome.error!.httpCode).toBe('400');
		expect(shown(outcome)).not.toContain(DIGITS);
	});

	it('in the items of a successful run', async () => {
		expect(shown(await studio.run(downloadAsset(firstId())))).not.toContain(DIGITS);
	});
});
