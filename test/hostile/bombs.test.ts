import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { readFile } from '../support/engine/engine';
import { createSpeech, getAsset, SOME_ID } from '../support/parameters';
import { type RawHost, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
/** Enough to be small, and done in a moment. */
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
/** A list of zeros, longer than what the node reads of a body. */
const ZEROS = brotliCompressSync(`[${'0,'.repeat(20_000_000)}0]`, quickly);

/** Starts a host that sends this body in this encoding. */
async function startSender(encoding: string, body: Buffer): Promise<RawHost> {
	const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
	return await startRawHost((_request, response) => response.writeHead(200, headers).end(body));
}

/** Runs the node in a process of its own, with half the memory of the smallest n8n. */
async function runWithLittleMemory(urls: string[]): Promise<{ code: number; errors: string[] }> {
	const script = path.join(__dirname, '../support/runInProcess.ts');
	const args = ['--max-old-space-size=384', '--import', 'tsx', script, ...urls];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] });
	const [output, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
	return { code: code as number, errors: output.match(/^ERROR .*$/gm) ?? [] };
}

test('G11: n8n survives zeros in Brotli, lists in gzip, and objects', async () => {
	const lists = gzipSync('[],'.repeat(10_000_000), { level: 1 });
	const hosts = await Promise.all([
		startSender('br', ZEROS),
		startSender('gzip', lists),
		startSender('identity', Buffer.from(`[${'{},'.repeat(2_700_000)}{}]`)),
		startSender('identity', Buffer.from(`{"error":"${'No'.repeat(4_000_000)}"}`)),
	]);
	const { code, errors } = await runWithLittleMemory(hosts.map(({ url }) => url));

	const limits = ['8 MB', '8 MB', '500,000', 'failed (200): NoNo'];
	expect(errors).toEqual(limits.map((limit): unknown => expect.stringContaining(limit)));
	expect(code).toBe(0);
}, 120_000);

test('G11: A large response to a creation is paid for, so it is stored as a file', async () => {
	const body = Buffer.from(JSON.stringify({ audio: 'UklGRg=='.repeat(1_500_000) }));
	const { credentials } = await startSender('identity', body);
	const parameters = createSpeech({ options: { downloadFile: true } });
	const { items, json } = await studio.run(parameters, { credentials });
	const fileError = expect.stringContaining('cannot be searched for the file') as string;
	const file = { fileName: 'Hello there.json', mimeType: 'application/json' };
	expect(json).toMatchObject([{ ...file, fileError }]);
	expect((await readFile(items[0])).equals(body)).toBe(true);
});

const TOO_MUCH = 'more than 64 MB of JSON or text.* The speech may exist';

test.each<[INodeParameters, string, words: string]>([
	[getAsset(SOME_ID), 'application/json', 'larger than 8 MB'],
	[createSpeech(), 'application/json', TOO_MUCH],
	[createSpeech(), 'text/plain', TOO_MUCH],
	[createSpeech(), 'audio/mpeg', TOO_MUCH],
])('G11: A response that never ends is given up, and so is the connection: %#', async (...row) => {
	const [parameters, type, words] = row;
	let closed!: Promise<unknown>;
	const chunk = '['.padEnd(1024 * 1024);
	const host = await startRawHost((_request, response) => {
		closed = once(response, 'close');
		response.writeHead(200, { 'content-type': type });
		const goOn = () => {
			if (!response.destroyed) response.write(chunk, goOn);
		};
		goOn();
	});
	const message = await studio.getFailure(parameters, { credentials: host.credentials });
	await closed;
	expect(message).toMatch(new RegExp(words));
	expect(host.requests).toBe(1);
});
