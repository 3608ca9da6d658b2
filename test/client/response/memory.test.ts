import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import path from 'node:path';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import { runNode, startEngine } from '../../support/engine/engine';
import { downloadAsset } from '../../support/parameters';

const MB = 1_000_000;
const SIZE = 200 * MB;
const ID = '123e4567-e89b-12d3-a456-426614174001';
const SMALL = '123e4567-e89b-12d3-a456-426614174000';

let service: ChildProcess;
let baseUrl: string;
beforeAll(async () => {
	await startEngine('filesystem');
	const script = path.join(__dirname, '../../support/largeFileService.ts');
	service = spawn(process.execPath, ['--import', 'tsx', script, ID, String(SIZE)], {
		stdio: ['pipe', 'pipe', 'inherit'],
	});
	const [line] = (await once(service.stdout!, 'data')) as [Buffer];
	baseUrl = String(line).trim();
});
afterAll(async () => {
	service.stdin!.end();
	await once(service, 'exit');
});

const download = async (id: string) =>
	await runNode(downloadAsset(id), { credentials: { baseUrl, apiKey: 'demo-key' } });

test('downloading a file of 200 MB takes less than half of its size in memory', async () => {
	// Loads and compiles everything first, so that only the file is measured.
	await download(SMALL);
	const before = process.memoryUsage().rss;
	let peak = before;
	const watching = setInterval(() => {
		peak = Math.max(peak, process.memoryUsage().rss);
	}, 10);
	const { items } = await download(ID);
	clearInterval(watching);
	const file = items[0]!.binary!.data!;
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
