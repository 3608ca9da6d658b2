import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

import type { INodeParameters } from 'n8n-workflow';

import { readFile } from '../support/engine/engine';
import { createSpeech, getAsset, SOME_ID } from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
/** Enough to be small, and done in a moment. */
const quickly = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } };
/** A list of zeros, longer than what the node reads of a body. */
const ZEROS = brotliCompressSync(`[${'0,'.repeat(20_000_000)}0]`, quickly);

/** Sends this body in this encoding. */
const send =
	(encoding: string, body: Buffer): RequestListener =>
	(_request, response) =>
		response
			.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding })
			.end(body);

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
	const hosts = await Promise.all(
		[
			send('br', ZEROS),
			send('gzip', lists),
			send('identity', Buffer.from(`[${'{},'.repeat(2_700_000)}{}]`)),
			send('identity', Buffer.from(`{"error":"${'No'.repeat(4_000_000)}"}`)),
		].map(async (listener) => await startRawHost(listener)),
	);
	const { code, errors } = await runWithLittleMemory(hosts.map(({ url }) => url));

	const limits = ['8 MB', '8 MB', '500,000', 'failed (200): NoNo'];
	expect(errors).toEqual(limits.map((limit): unknown => expect.stringContaining(limit)));
	expect(code).toBe(0);
}, 120_000);

test('G11: A large response to a creation is paid for, so it is stored as a file', async () => {
	const body = Buffer.from(JSON.stringify({ audio: 'UklGRg=='.repeat(1_500_000) }));
	const { url: baseUrl } = await startRawHost(send('identity', body));
	const parameters = createSpeech({ options: { downloadFile: true } });
	const credentials = { baseUrl, apiKey: 'key' };
	const { items, json } = await studio.run(parameters, { credentials });
	const fileError = expect.stringContaining('cannot be searched for the file') as string;
	const file = { fileName: 'file.json', mimeType: 'application/json' };
	expect(json).toMatchObject([{ ...file, fileError }]);
	expect((await readFile(items[0])).equals(body)).toBe(true);
});

test.each<[INodeParameters, string, words: string]>([
	[getAsset(SOME_ID), 'application/json', 'larger than 8 MB'],
	[createSpeech(), 'application/json', 'more than 64 MB of JSON or text.* The speech may exist'],
	[createSpeech(), 'text/plain', 'more than 64 MB of JSON or text.* The speech may exist'],
	[createSpeech(), 'audio/mpeg', 'more than 64 MB of JSON or text.* The speech may exist'],
])('G11: A response that never ends is given up, and so is the connection: %#', async (...row) => {
	const [parameters, type, words] = row;
	let closed!: Promise<unknown>;
	const chunk = '['.padEnd(1024 * 1024);
	const sendForever: RequestListener = (_request, response) => {
		closed = once(response, 'close');
		response.writeHead(200, { 'content-type': type });
		const goOn = () => {
			if (!response.destroyed) response.write(chunk, goOn);
		};
		goOn();
	};
	const host = await startRawHost(sendForever);
	const credentials = { baseUrl: host.url, apiKey: 'key' };
	const message = await studio.getFailure(parameters, { credentials });
	await closed;
	expect(message).toMatch(new RegExp(words));
	expect(host.requests).toBe(1);
});
