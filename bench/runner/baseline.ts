import { createWriteStream } from 'node:fs';
import { rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { scriptOf, type Fixtures, type Task } from '../cases/task';

import type { RunResult } from './contenders';
import { measure } from './measure';

const CONCURRENCY = 50;
const PAGE_CONCURRENCY = 4;
const PAGE_SIZE = 100;
const MAX_PAGES = 10_000;

/** The minimum cost of a task: plain `fetch` with keep-alive, with the node's concurrency. */
export async function run(task: Task, fixtures: Fixtures): Promise<RunResult> {
	const { result, ...measurement } = await measure(async () => await execute(task, fixtures));
	return { ...measurement, output: result, evaluations: 0, credentialReads: 0 };
}

async function execute(task: Task, fixtures: Fixtures): Promise<number> {
	if (task.kind === 'list') return await list(fixtures);
	if (task.kind === 'download') return await download(fixtures);
	const { assetIds, voiceId } = fixtures;
	const request = async (item: number) =>
		task.kind === 'get'
			? await requestJson(fixtures, `/v1/assets/${assetIds[item % assetIds.length]}`)
			: await requestJson(fixtures, '/v1/speech', { voiceId, script: scriptOf(item) });
	const items = Readable.from(Array(task.items).keys());
	return (await items.map(request, { concurrency: CONCURRENCY }).toArray()).length;
}

async function list(fixtures: Fixtures): Promise<number> {
	const fetchPage = async (page: number) =>
		await requestJson<{ assets: unknown[] }>(
			fixtures,
			`/v1/assets?Page=${page + 1}&PageSize=${PAGE_SIZE}`,
		);
	let count = 0;
	const pages = Readable.from(Array(MAX_PAGES).keys()).map(fetchPage, {
		concurrency: PAGE_CONCURRENCY,
	});
	for await (const { assets } of pages as AsyncIterable<{ assets: unknown[] }>) {
		if (assets.length === 0) break;
		count += assets.length;
	}
	return count;
}

async function download(fixtures: Fixtures): Promise<number> {
	const path = `/v1/assets/${fixtures.largeAssetId}`;
	const { url } = await requestJson<{ url: string }>(fixtures, path);
	const target = join(tmpdir(), `avatar-studio-bench-${process.pid}`);
	try {
		const { body } = await fetch(url);
		await pipeline(Readable.fromWeb(body as never), createWriteStream(target));
		return (await stat(target)).size;
	} finally {
		await rm(target, { force: true });
	}
}

async function requestJson<T>(
	{ baseUrl, apiKey }: Fixtures,
	path: string,
	body?: object,
): Promise<T> {
	const response = await fetch(baseUrl + path, {
		method: body ? 'POST' : 'GET',
		headers: {
			accept: 'application/json',
			'x-api-key': apiKey,
			...(body && { 'content-type': 'application/*+json' }),
		},
		body: body && JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${path}: status ${response.status}`);
	return (await response.json()) as T;
}
