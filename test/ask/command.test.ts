import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

import { runCommand } from '../../ask/command';
import type { Report } from '../../ask/report';
import type { UserError } from '../../scripts/userError';
import type { Fault, RecordedRequest } from '../../service/service';
import { useService } from '../service/client';
import { findUnusedAddress } from '../support/rawHost';

const ROOT = join(__dirname, '../..');
const KEY = 'secret-key-of-an-account';

const api = useService({ apiKey: KEY });
let folder: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'ask-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Runs the command; without other settings, the environment holds base URL and key. */
async function run(
	args: string[] = [],
	env: NodeJS.ProcessEnv = {},
	{
		input = '',
		signal = new AbortController().signal,
	}: { input?: string | Readable; signal?: AbortSignal } = {},
) {
	let output = '';
	const print = (text: string) => void (output += text);
	const code = await runCommand({
		args: ['--out', folder, ...args],
		env: { ...readCredential(), ...env },
		stdin: typeof input === 'string' ? Readable.from(input) : input,
		print,
		printMessage: print,
		signal,
	}).catch((error: UserError) => {
		print(`${error.message} ${error.hint}`);
		return 1;
	});
	return { code, output };
}

function readCredential() {
	return { AVATAR_STUDIO_BASE_URL: api.service.url, AVATAR_STUDIO_API_KEY: KEY };
}

function readPage(): string {
	return readFileSync(join(folder, 'avatar-studio-report.md'), 'utf8');
}

function readReport(): Report {
	return JSON.parse(readFileSync(join(folder, 'avatar-studio-report.json'), 'utf8')) as Report;
}

function isTemporary({ name }: { name: string }): boolean {
	return name.startsWith('n8n-nodes-avatar-studio ask');
}

test('By default the service is only read', async () => {
	const { code, output } = await run();
	expect(code).toBe(0);
	expect(output).toMatch(/^\d+ of the \d+ open points that requests can answer were observed\.$/m);
	expect(new Set(api.service.requests.map(({ method }) => method))).toEqual(new Set(['GET']));
	expect(readPage()).toContain('not asked: add --write');
	expect(readReport().points.firstPage).toMatchObject({
		observed: 'The first page is page 1. Page 0 is the same as page 1.',
	});
});

test('Only requests that should fail violate the contract', async () => {
	await run(['--write', '--create', '--yes']);
	const expected = /no-such-path|not-an-id|Header x-api-key is missing|unknown field type/;
	expect(api.service.violations.filter((violation) => !expected.test(violation))).toEqual([]);
});

test('Neither the API key nor anything else of the account is written down', async () => {
	const { service } = api;
	const { url, filesUrl } = service;
	const body = { message: `${KEY} at ${url}`, [KEY]: 'Jane Doe', id: service.assets[0]!.id };
	service.injectFault({ when: ({ query }) => query.PageSize === '-1', status: 400, body });
	service.injectFault({
		when: ({ path }) => path === '/v1/speech',
		body: { [service.assets[0]!.id]: KEY, owner: 'Jane Doe' },
	});
	const { output } = await run(['--write', '--create', '--yes']);
	const written = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));
	const { assets, voices } = service;
	const values = [
		...[KEY, 'Jane Doe', new URL(url).host, new URL(filesUrl).host, 'signature='],
		...assets.flatMap(({ id, name }) => [id, name]),
		...voices.flatMap(({ id, voiceId, providerVoiceId }) => [id, voiceId, providerVoiceId]),
	];
	const found = values.filter((value) => [output, ...written].join('\n').includes(value));
	expect(found).toEqual([]);
	expect(readPage()).toContain('{ [masked]: text, owner: text }');
});

test.each([[[KEY]], [['--api-key', KEY]], [[`--key=${KEY}`]], [['--out']]])(
	'%j is refused without repeating it',
	async (args) => {
		const { code, output } = await run(args);
		expect(code).toBe(1);
		expect(output).toContain('An option is not known, or lacks its value.');
		expect(output).not.toContain(KEY);
		expect(api.service.requests).toEqual([]);
	},
);

test('What the environment does not hold is asked for, and the key is not repeated', async () => {
	const unset = { AVATAR_STUDIO_BASE_URL: undefined, AVATAR_STUDIO_API_KEY: undefined };
	const { code, output } = await run([], unset, { input: `${api.service.url}\n${KEY}\n` });
	expect(code).toBe(0);
	expect(output).toContain('Base URL: ');
	expect(output).toContain('API key (hidden): ');
	expect(output).not.toContain(KEY);
});

test.each<[string, NodeJS.ProcessEnv, string]>([
	['no answer', { AVATAR_STUDIO_API_KEY: undefined }, 'No answer was given.'],
	['an empty key', { AVATAR_STUDIO_API_KEY: ' ' }, 'The API key is empty'],
	[
		'an address that is not encrypted',
		{ AVATAR_STUDIO_BASE_URL: 'http://api.example.com' },
		'Base URL does not start with https://.',
	],
])('With %s nothing is requested', async (_name, env, message) => {
	const { code, output } = await run([], env);
	expect(code).toBe(1);
	expect(output).toContain(message);
	expect(api.service.requests).toEqual([]);
});

test.each([
	['n', 0],
	['', 0],
	['y', 1],
])('Asked whether it may create something, "%s" creates %i speeches', async (answer, count) => {
	const { output } = await run(['--create'], {}, { input: `${answer}\n` });
	expect(output).toContain('They may cost credits');
	expect(api.service.speeches).toHaveLength(count);
	expect(api.service.videos).toHaveLength(count);
});

test('Run again, it says what changed, and remembers what it does not ask this time', async () => {
	await run(['--create', '--yes']);
	expect(readPage()).toContain('There is no earlier report to compare with.');

	const { output } = await run();
	expect(output).toMatch(/Changed since the report of .* UTC: nothing\./);
	expect(readPage()).toMatch(/not asked: add --create.* Last observed on .*: Speech: /);

	api.service.injectFault({ disconnect: 'beforeResponse' });
	await run();
	api.service.clearFaults();
	api.service.configure({ pagination: { pageZero: 404 }, speechResponse: 'link' });
	const { output: changed } = await run(['--create', '--yes']);
	expect(changed).toMatch(/Changed since the report of .* UTC: 3\./);
	expect(readPage()).toMatch(
		/\| The first page is page 1\. Page 0 is the same as page 1\. \(.* UTC\) \| The first page is page 1\. Page 0 is refused with 404\. \|/,
	);
});

test('The report of another account is neither compared with nor overwritten', async () => {
	await run();
	const page = readPage();
	const { code, output } = await run([], { AVATAR_STUDIO_API_KEY: 'another-key' });
	expect(code).toBe(1);
	expect(output).toMatch(/is the report of another base URL or API key.* --out/);
	expect(readPage()).toBe(page);
});

test('A file instead of a folder is refused before anything is requested', async () => {
	const file = join(folder, 'file');
	writeFileSync(file, '');
	const { code, output } = await run(['--create', '--yes', '--out', file]);
	expect(code).toBe(1);
	expect(output).toContain('is not a folder.');
	expect(api.service.requests).toEqual([]);
});

test('A host that is not there gets a page that says so', async () => {
	const { url } = await findUnusedAddress();
	const { code, output } = await run(['--write'], { AVATAR_STUDIO_BASE_URL: url });
	expect(code).toBe(1);
	expect(output).toContain('\n0 of the ');
	expect(readPage()).toContain('Not observed: GET /v1/assets failed: ECONNREFUSED.');
	expect(readPage()).toContain('Not observed: the service did not respond.');
});

test('A wrong key gets a page with everything that can be seen without one', async () => {
	const { code } = await run(['--write'], { AVATAR_STUDIO_API_KEY: 'wrong' });
	expect(code).toBe(0);
	const { errors, firstPage } = readReport().points;
	expect(errors).toMatchObject({
		observed: expect.stringContaining('No API key: 401. Wrong API key: 401. Body: '),
	});
	expect(firstPage).toEqual({
		notObserved: 'GET /v1/assets responded with status 401: the service rejected the API key',
	});
});

test.each<[string, string, Fault]>([
	['imported', 'importAsset', { latencyMs: 100 }],
	['read', 'getAsset', { hang: true }],
	['renamed', 'updateAsset', { latencyMs: 100 }],
])('Interrupted while an asset is %s, it deletes the asset', async (_name, operation, fault) => {
	const own = () => api.service.assets.filter(isTemporary);
	const when = ({ operation: actual, path }: RecordedRequest) =>
		actual === operation &&
		(operation === 'importAsset' || own().some(({ id }) => path.includes(id)));
	api.service.injectFault({ ...fault, when });
	const controller = new AbortController();
	const ended = run(['--write'], {}, { signal: controller.signal });
	await api.service.waitForRequest(when);
	controller.abort();
	const { code } = await ended;
	expect(code).toBe(130);
	expect(api.service.requests.filter((request) => request.method === 'DELETE')).toHaveLength(1);
	expect(api.service.assets.filter(isTemporary)).toEqual([]);
	expect(readPage()).toContain('The first page is page 1.');
	expect(readPage()).toContain('Not observed: interrupted.');
});

test('Ctrl+C ends the command after it has cleaned up', async () => {
	api.service.injectFault({ when: { operation: 'importAsset' }, latencyMs: 500 });
	const tsx = join(ROOT, 'node_modules/tsx/dist/cli.mjs');
	const child = spawn(process.execPath, [tsx, 'ask/main.ts', '--write', '--out', folder], {
		cwd: ROOT,
		env: { PATH: process.env.PATH, ...readCredential() },
	});
	const ended = once(child, 'close');
	await api.service.waitForRequest({ operation: 'importAsset' });
	child.kill('SIGINT');
	const [code] = (await ended) as [number];
	expect(code).toBe(130);
	expect(api.service.assets.filter(isTemporary)).toEqual([]);
});

test('An import whose response is lost is found by its name and deleted', async () => {
	api.service.addAssets(250);
	api.service.injectFault({
		when: { operation: 'importAsset' },
		disconnect: 'beforeResponse',
		afterEffect: true,
	});
	const { code, output } = await run(['--write']);
	expect(code).toBe(0);
	expect(api.service.assets.filter(isTemporary)).toEqual([]);
	expect(output).not.toContain('Temporary assets');
	expect(readPage()).toMatch(/Not observed: POST \/v1\/assets\/import\/url failed: \w+/);
});

test('An asset that cannot be deleted is reported by its name', async () => {
	api.service.injectFault({ when: { operation: 'deleteAsset' }, status: 500 });
	const { output } = await run(['--write']);
	expect(output).toContain(
		'Look in the studio application for names that begin with "n8n-nodes-avatar-studio ask".',
	);
});
