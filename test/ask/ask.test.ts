import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import { runCommand } from '../../ask/command';
import { openPoints, type PointId } from '../../ask/openPoints';
import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import type { UserError } from '../../scripts/userError';
import type { Fault, RecordedRequest, ServiceOptions } from '../../service/service';
import { useService } from '../service/client';
import { useClock } from '../support/clock';
import { findUnusedAddress, startRawHost } from '../support/rawHost';

const ROOT = join(__dirname, '../..');
const KEY = 'secret-key-of-an-account';

const api = useService({ apiKey: KEY });
const clock = useClock();
let folder: string;

beforeEach(() => {
	clock.run(20);
	folder = mkdtempSync(join(tmpdir(), 'ask-'));
});

afterEach(forgetRateLimits);

interface Settings {
	env?: NodeJS.ProcessEnv;
	input?: string;
	signal?: AbortSignal;
}

/** Runs the command; without other settings, the environment holds base URL and key. */
async function run(args = '', { env, input = '', signal }: Settings = {}) {
	let output = '';
	const print = (text: string) => void (output += text);
	const code = await runCommand({
		args: ['--out', folder, ...args.split(' ').filter(Boolean)],
		env: { ...readCredential(), ...env },
		stdin: Readable.from(input),
		print,
		signal: signal ?? new AbortController().signal,
		tellEveryMs: 20,
	}).catch((error: UserError) => {
		print(`${error.message} ${error.hint}`);
		return 1;
	});
	const [file] = readdirSync(folder);
	const page = file ? readFileSync(join(folder, file), 'utf8') : '';
	return { code, output, page, get: (id: PointId) => getResult(page, id) };
}

function readCredential() {
	return { AVATAR_STUDIO_BASE_URL: api.service.url, AVATAR_STUDIO_API_KEY: KEY };
}

/** What the page says about a point; what differs from the node's assumption begins with a star. */
function getResult(page: string, id: PointId): string {
	const { title } = openPoints.find((point) => point.id === id)!;
	const [before, section = ''] = page.split(`### ${title}\n`);
	const observed = /\*\*Observed:\*\* (.*)/.exec(section)?.[1];
	if (observed !== undefined) return before!.includes('\n## Observed') ? observed : `* ${observed}`;
	return page.split('\n').find((line) => line.startsWith(`- ${title}: `)) ?? 'not in the page';
}

const getTemporary = () =>
	api.service.assets.filter(({ name }) => name.startsWith('n8n-nodes-avatar-studio ask'));

test('By default the service is only read', async () => {
	const { code, output, page } = await run();
	expect(code).toBe(0);
	expect(output).toMatch(/^\d+ of the \d+ open points that requests can answer were observed\./m);
	expect(new Set(api.service.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
	expect(page).toContain('not asked: add --write');
	expect(page).toMatch(/assumes\n\nNone\./);
});

test('Every point is observed, or the page says why not, and nothing is left behind', async () => {
	const before = api.service.assets.map(({ id }) => id);
	const { page } = await run('--write --create --yes');
	const observable = openPoints.filter(({ observer }) => observer);
	expect(observable.filter(({ title }) => !page.includes(title))).toEqual([]);
	expect(page).toContain('## Not observed\n\n- Empty lists: the account has assets\n\n#');
	expect(api.service.assets.map(({ id }) => id)).toEqual(before);
	expect(api.service.speeches).toHaveLength(1);
	expect(api.service.videos).toMatchObject([{ draft: true }]);
	const expected = /not-an-id|Header x-api-key is missing|unknown field type/;
	expect(api.service.violations.filter((violation) => !expected.test(violation))).toEqual([]);
});

test('Neither the API key nor anything else of the account is written down', async () => {
	const { service } = api;
	const { url, filesUrl, assets, voices } = service;
	const { id } = assets[0]!;
	const body = { message: `${KEY} at ${url}`, [KEY]: 'Jane Doe', id };
	service.injectFault({ when: ({ query }) => query.PageSize === '-1', status: 400, body });
	const speech = { [id]: KEY, owner: 'Jane', status: 'Jane Doe 7', 'jane.doe': `${filesUrl}/a` };
	service.injectFault({ when: { path: '/v1/speech' }, body: speech });
	const { output, page } = await run('--write --create --yes');
	const values = [
		...[KEY, 'Jane', 'jane', new URL(url).host, new URL(filesUrl).host, 'signature='],
		...assets.flatMap((asset) => [asset.id, asset.name]),
		...voices.flatMap((voice) => [voice.id, voice.voiceId, voice.providerVoiceId]),
	];
	expect(values.filter((value) => `${output}${page}`.includes(value))).toEqual([]);
	expect(page).toContain('{ [masked]: text | link, owner: text, status: text }');
});

test.each<[string, Fault, string]>([
	['A wrong key', { status: 401 }, 'The service rejected the API key (401).'],
	['500 to everything', { status: 500 }, 'The service did not complete the request (500).'],
	[
		'A sign-in page to everything',
		{ body: '<html><title>Sign in</title></html>', headers: { 'content-type': 'text/html' } },
		'The response is a web page instead of data (200).',
	],
	['Other JSON', { body: { users: [] } }, 'The response contains no list of voices (200).'],
	['A closed connection', { disconnect: 'beforeResponse' }, 'The connection to the service was'],
])('%s is the reason why there is no page', async (_name, fault, reason) => {
	api.service.injectFault(fault);
	const { code, output, page } = await run('--write --create --yes');
	expect(output).toContain(`Nothing could be read: ${reason}`);
	expect({ code, page }).toEqual({ code: 1, page: '' });
	expect(api.service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('A host that is not there is the reason why there is no page', async () => {
	const { url } = await findUnusedAddress();
	const { code, output } = await run('', { env: { AVATAR_STUDIO_BASE_URL: url } });
	expect(code).toBe(1);
	expect(output).toContain('Nothing could be read: The service did not respond at its address.');
});

test.each([500, 501])('What fails with %i every third time is no answer', async (status) => {
	const points: PointId[] = ['firstPage', 'pageSize', 'pagesBeyondLast', 'stability', 'errors'];
	const truth = await run();
	let count = 0;
	api.service.injectFault({ when: ({ host }) => host === 'api' && ++count % 3 === 0, status });
	const { code, get } = await run();
	expect(code).toBe(0);
	expect(points.map(get)).toEqual(points.map(truth.get));
});

test('A failure that comes each time, while other requests succeed, is an answer', async () => {
	api.service.configure({ pagination: { pageZero: 500, pageBeyondLast: 404 } });
	const { get } = await run();
	expect(get('firstPage')).toBe(
		'With PageSize 1, page 0 is refused with 500, page 1 has 1 asset, page 2 has 1 asset.',
	);
	expect(get('pagesBeyondLast')).toBe('Page 1000000 is refused with 404.');
});

test('What fails halfway is not observed, and the page says why', async () => {
	api.service.injectFault({ skip: 20, status: 500 });
	const { get } = await run();
	expect(get('voiceFields')).toContain('voiceId: text');
	expect(get('pagesBeyondLast')).toMatch(/^- .*: it fails with 500 or above, but not each time$/);
});

const write = '--write';
const create = '--create --yes';

test.each<[PointId, ServiceOptions, string, options?: string]>([
	['firstPage', {}, 'With PageSize 1, page 0 has 1 asset, page 1 is the same, page 2 has 1 asset.'],
	[
		'firstPage',
		{ pagination: { firstPage: 0 } },
		'With PageSize 1, page 0 has 1 asset, page 1 has 1 asset, page 2 has 1 asset.',
	],
	[
		'pageSize',
		{ pagination: { maxPageSize: 2 } },
		'A page has 2 assets without PageSize, has 2 assets with 100, has 2 assets with 1000, of 5 in all.',
	],
	[
		'pageSize',
		{ pagination: { ignored: true } },
		'A page has 5 assets without PageSize, has 5 assets with 100, has 5 assets with 1000, of 5 in all.',
	],
	['pagesBeyondLast', {}, 'Page 1000000 is empty.'],
	['pagesBeyondLast', { pagination: { pageBeyondLast: 'last' } }, 'Page 1000000 has 1 asset.'],
	['stability', {}, 'The order stays the same.'],
	[
		'stability',
		{ pagination: { order: 'shuffled' } },
		'* The order changes from request to request.',
	],
	['listedAssetFields', { listedAssetFields: 'minimal' }, '`[ { id: UUID, name: text } ]`.'],
	[
		'voiceSearch',
		{},
		'A voice is found by: voiceId, name, gender, provider, language, languageCode.',
	],
	[
		'linkExpiry',
		{ linkLifetimeSeconds: 600 },
		'The query of a link: expires in 600 s or nonce text or signature text.',
	],
	['downloadLinks', {}, 'A link of an asset leads to a file.'],
	['downloadLinks', { linkLifetimeSeconds: -10 }, '* A link of an asset leads to no file (403).'],
	[
		'errors',
		{},
		'No API key: 401. Wrong API key: 401. Unknown ID: 404. Malformed ID: 400. PageSize -1: 400. Body: `application/json { title: text, status: number, detail: text }` or `application/json { title: text, status: number, detail: text, violations: [ text ] }`.',
	],
	['order', {}, 'A new asset is number 6 of 6.', write],
	['order', { pagination: { order: 'newest' } }, 'A new asset is number 1 of 6.', write],
	['patchableFields', {}, 'Besides the name: type is refused with 400.', write],
	['patchableFields', { extraBodyFields: ['type'] }, 'Besides the name: type is accepted.', write],
	[
		'requiredFields',
		{},
		'An import: without name is accepted, without fileUrl is refused with 422, without type is accepted.',
		write,
	],
	[
		'emptyResponses',
		{},
		'POST /v1/assets/import/url: `application/json { id: UUID, name: text, url: link, originalFileUrl: null }`. GET /v1/assets/{id}: `application/json { id: UUID, name: text, url: link, originalFileUrl: link, extension: text }`. PATCH /v1/assets/{id}: `application/json { id: UUID }`. DELETE /v1/assets/{id}: `application/json {}`.',
		write,
	],
	[
		'creations',
		{ speechResponse: 'noContent', videoResponse: 'id' },
		'Speech: `empty body`. Video: `application/json { id: UUID, videoTitle: text, status: text }`.',
		create,
	],
	[
		'creations',
		{ speechResponse: 'file', videoResponse: 'text' },
		'Speech: `audio/wav file`. Video: `text/plain link`.',
		create,
	],
	[
		'linkField',
		{ speechResponse: 'links', videoResponse: 'links' },
		'Speech: of 2 links, number 1 is chosen and leads to a file. Video: of 2 links, number 1 is chosen and leads to a file.',
		create,
	],
	[
		'linkField',
		{ speechResponse: 'text', videoResponse: 'file' },
		'Speech: of 1 links, number 1 is chosen and leads to a file. Video: no link.',
		create,
	],
	['creationStatus', {}, 'Speech: no status. Video: status "completed".', create],
	['createdAssets', {}, 'There is no new asset.', create],
])('%s is recognized with %j', async (id, options, expected, args = '') => {
	api.service.configure(options);
	const { get } = await run(args);
	expect(get(id)).toBe(expected);
});

test('Links of which the node chooses none differ from what it assumes', async () => {
	const { filesUrl } = api.service;
	const body = { a: `${filesUrl}/1.mp4`, b: `${filesUrl}/2.mp4` };
	api.service.injectFault({ when: { operation: 'createVideo' }, body });
	const { get } = await run(create);
	expect(get('linkField')).toBe('* Speech: no link. Video: of 2 links, none is chosen.');
});

test('A list that the node cannot read to its end differs from what it assumes', async () => {
	api.service.addAssets(245);
	api.service.configure({ pagination: { maxRecords: { count: 120, status: 422 } } });
	const { get } = await run();
	expect(get('pagesBeyondLast')).toMatch(/^\* Page 1000000 .* The node reads \d+ assets, then: /);
});

test.each([
	[undefined, 'is empty'],
	[404, 'is refused with 404'],
])('The pages of an empty list are recognized: %s', async (emptyList, expected) => {
	api.service.assets = [];
	api.service.configure({ pagination: { emptyList } });
	const { get } = await run();
	const pages = [0, 1, 2].map((number) => `page ${number} ${expected}`);
	expect(get('emptyLists')).toBe(`Of an empty list, ${pages.join(', ')}.`);
	expect(get('firstPage')).toContain('the account has no assets');
});

test('Created files among the assets are recognized', async () => {
	const ended = run(create);
	await api.service.waitForRequest({ operation: 'createVideo' });
	api.service.addAssets(1);
	expect((await ended).get('createdAssets')).toMatch(/^New assets: \w+\.$/);
});

test('A creation that is refused, and one whose response is lost, are told apart', async () => {
	api.service.injectFault({ when: { operation: 'createSpeech' }, status: 402 });
	api.service.injectFault({ when: { operation: 'createVideo' }, disconnect: 'beforeResponse' });
	const { get } = await run(create);
	expect(get('creations')).toBe('Speech: refused with 402.');
	expect(get('linkField')).toMatch(/: POST \/v1\/talkingphotos: The connection .* interrupted$/);
	expect(api.service.requests.filter(({ method }) => method === 'POST')).toHaveLength(2);
});

test('A rate limit is waited for, which the user is told, and reported', async () => {
	clock.run(1);
	api.service.configure({ rateLimit: { perSecond: 30, retryAfter: 1, sendsHeaders: true } });
	const { output, get } = await run();
	expect(output).toMatch(/Waiting\. Status of the last response: 429\./);
	expect(get('rateLimits')).toMatch(/^Headers: .*ratelimit-limit.* 429: [1-9]\d* of /);
});

test('Redirects, closed connections and compression are recognized', async () => {
	const host = await startRawHost(({ url = '' }, response) => {
		const isMoved = url.startsWith('/v1/voices') && !url.includes('moved');
		response.writeHead(isMoved ? 307 : 200, {
			...(isMoved && { location: '/v1/voices?moved' }),
			connection: 'close',
			'content-encoding': 'gzip',
			'content-type': 'application/json',
		});
		response.end(gzipSync('{"assets":[],"voices":[]}'));
	});
	const { get } = await run('', { env: { AVATAR_STUDIO_BASE_URL: host.url } });
	expect(get('connections')).toMatch(
		/^Redirects: [1-9] of .* Connection: close\. Compression: gzip\.$/,
	);
});

test('A body of 300 MB is not read to its end', async () => {
	const params = { [constants.BROTLI_PARAM_QUALITY]: 0 };
	const body = brotliCompressSync(Buffer.alloc(300 * 1024 * 1024), { params });
	api.service.injectFault({ body, headers: { 'content-encoding': 'br' } });
	const before = process.memoryUsage().rss;
	const { code, output } = await run();
	expect(code).toBe(1);
	expect(output).toContain('Nothing could be read: The response is larger than 8 MB (200).');
	expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
});

test.each([KEY, `--api-key ${KEY}`, `--key=${KEY}`, '--out'])(
	'%s is refused without repeating it',
	async (args) => {
		const { code, output } = await run(args);
		expect(code).toBe(1);
		expect(output).toContain('An option is not known, or lacks its value.');
		expect(output).not.toContain(KEY);
		expect(api.service.requests).toEqual([]);
	},
);

test.each<[string, Settings & { args?: string }, string]>([
	['no answer', { env: { AVATAR_STUDIO_API_KEY: undefined } }, 'Set AVATAR_STUDIO_API_KEY.'],
	['an empty key', { env: { AVATAR_STUDIO_API_KEY: ' ' } }, 'API Key is empty.'],
	[
		'an address that is not encrypted',
		{ env: { AVATAR_STUDIO_BASE_URL: 'http://api.example.com' } },
		'Base URL does not start with https://.',
	],
	['no terminal to ask on', { args: '--create' }, 'No answer was given. Add --yes to create'],
	[
		'options that npm took',
		{ env: { npm_config_write: 'true', npm_config_avatar_id: 'true' } },
		'npm took --write --avatar-id for an option of its own. Put -- before it: npm run ask -- --write',
	],
	['a file instead of a folder', { args: '--out package.json' }, 'is not a folder.'],
])('With %s nothing is requested', async (_name, { args, ...settings }, message) => {
	const { code, output } = await run(args, settings);
	expect(code).toBe(1);
	expect(output).toContain(message);
	expect(api.service.requests).toEqual([]);
});

test('What the environment does not hold is asked for, and the key is not repeated', async () => {
	const env = { AVATAR_STUDIO_BASE_URL: undefined, AVATAR_STUDIO_API_KEY: undefined };
	const { code, output } = await run('', { env, input: `${api.service.url}\n${KEY}\n` });
	expect(code).toBe(0);
	expect(output).toContain('API key (hidden): ');
	expect(output).not.toContain(KEY);
});

test.each([
	['n', 0],
	['', 0],
	['y', 1],
])('Asked whether it may create something, "%s" creates %i speeches', async (answer, count) => {
	const { output } = await run('--create', { input: `${answer}\n` });
	expect(output).toContain('They may cost credits');
	expect(api.service.speeches).toHaveLength(count);
	expect(api.service.videos).toHaveLength(count);
});

test.each<[string, string, Fault]>([
	['imported', 'importAsset', { latencyMs: 100 }],
	['read', 'getAsset', { hang: true }],
	['renamed', 'updateAsset', { latencyMs: 100 }],
])('Interrupted while an asset is %s, it deletes the asset', async (_name, operation, fault) => {
	const when = ({ operation: actual, path }: RecordedRequest) =>
		actual === operation &&
		(operation === 'importAsset' || getTemporary().some(({ id }) => path.includes(id)));
	api.service.injectFault({ ...fault, when });
	const controller = new AbortController();
	const ended = run(write, { signal: controller.signal });
	await api.service.waitForRequest(when);
	controller.abort();
	const { code, get } = await ended;
	expect(code).toBe(130);
	expect(api.service.requests.filter((request) => request.method === 'DELETE')).toHaveLength(1);
	expect(getTemporary()).toEqual([]);
	expect(get('firstPage')).toContain('With PageSize 1, page 0 ');
	expect(get('importTypes')).toContain('interrupted');
});

test('Ctrl+C ends the command after it has cleaned up', async () => {
	api.service.injectFault({ when: { operation: 'importAsset' }, latencyMs: 500 });
	const args = ['--import', 'tsx', 'ask/main.ts', '--write', '--out', folder];
	const env = { PATH: process.env.PATH, ...readCredential() };
	const child = spawn(process.execPath, args, { cwd: ROOT, env });
	const ended = once(child, 'close');
	await api.service.waitForRequest({ operation: 'importAsset' });
	child.kill('SIGINT');
	expect(await ended).toEqual([130, null]);
	expect(getTemporary()).toEqual([]);
});

test.each<[string, Fault]>([
	[
		'whose response is lost',
		{ when: { operation: 'importAsset' }, disconnect: 'beforeResponse', afterEffect: true },
	],
	['that cannot be deleted', { when: { operation: 'deleteAsset' }, status: 500 }],
])('The user is told of an asset %s', async (_name, fault) => {
	api.service.injectFault(fault);
	const { output } = await run(write);
	expect(output).toContain('names begin with "n8n-nodes-avatar-studio ask"');
});
