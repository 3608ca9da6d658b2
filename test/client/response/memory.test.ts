import { createReadStream } from 'node:fs';
import { Readable } from 'node:stream';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { runNode, startEngine } from '../../support/engine/engine';
import { downloadAsset, SOME_ID } from '../../support/parameters';
import { sendJson, startRawHost } from '../../support/rawHost';

const MB = 1_000_000;
const SIZE = 200 * MB;
const CHUNK = Buffer.alloc(100_000);

function* repeatChunk(bytes: number) {
	for (let sent = 0; sent < bytes; sent += CHUNK.length) yield CHUNK;
}

/** Downloads a film of so many bytes, which are never in memory all at once. */
async function download(bytes: number) {
	const host = await startRawHost(({ url }, response) => {
		if (url === '/film') {
			response.setHeader('content-type', 'video/mp4');
			return Readable.from(repeatChunk(bytes)).pipe(response);
		}
		const asset = { id: SOME_ID, name: 'Film', extension: '.mp4', url: `${host.url}/film` };
		return sendJson(response, asset);
	});
	const { items } = await runNode(downloadAsset(SOME_ID), { credentials: host.credentials });
	return items[0]!.binary!.data!;
}

beforeAll(async () => await startEngine());

test('downloading a file of 200 MB takes less than half of its size in memory', async () => {
	// Loads and compiles everything first, so that only the file is measured.
	await download(MB);
	const before = process.memoryUsage().rss;
	let peak = before;
	const watching = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage().rss);
	}, 10);
	const file = await download(SIZE);
	clearInterval(watching);
	const stored = Container.get(BinaryDataService).getPath(file.id!);
	let bytes = 0;
	for await (const chunk of createReadStream(stored)) bytes += (chunk as Buffer).length;
	await Container.get(BinaryDataService).deleteMany([
		{ type: 'execution', workflowId: 'workflow', executionId: 'execution' },
	]);
	expect(file).toMatchObject({ fileName: 'Film.mp4', mimeType: 'video/mp4', fileSize: '200 MB' });
	expect(bytes).toBe(SIZE);
	expect((peak - before) / MB).toBeLessThan(SIZE / MB / 2);
}, 90_000);
