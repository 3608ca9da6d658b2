import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { scriptOf, type Job, type Outcome, type Subject } from './job';
import { measured } from './measured';

const AT_A_TIME = 50;
const PAGES_AT_A_TIME = 4;
const PAGE_SIZE = 100;

let subject: Subject;

/** The bare wire: `fetch` with keep-alive in a plain loop, as many at a time as the node has. */
export const answers = {
	start: async (about: Subject) => {
		subject = about;
		await Promise.resolve();
	},
	run: async (job: Job): Promise<Outcome> => {
		const { result, ...taken } = await measured(async () => await done(job));
		return { ...taken, produced: result, evaluations: 0, credentialReads: 0 };
	},
};

export type WireAnswers = typeof answers;

async function done(job: Job): Promise<number> {
	switch (job.what) {
		case 'get':
		case 'create': {
			const answers: unknown[] = [];
			await inParallel(AT_A_TIME, job.items, async (index) => {
				const { assetIds } = subject;
				answers[index] =
					job.what === 'get'
						? await json(`/v1/assets/${assetIds[index % assetIds.length]}`)
						: await json('/v1/speech', { voiceId: subject.voiceId, script: scriptOf(index) });
			});
			return answers.length;
		}
		case 'list':
			return await list();
		case 'download':
			return await download();
	}
}

/** Pages are asked for until one is empty. */
async function list(): Promise<number> {
	const assets: unknown[] = [];
	let isOver = false;
	await inParallel(PAGES_AT_A_TIME, Infinity, async (index) => {
		const page = await json(`/v1/assets?Page=${index + 1}&PageSize=${PAGE_SIZE}`);
		for (const asset of page.assets!) assets.push(asset);
		isOver ||= page.assets!.length === 0;
		return isOver;
	});
	return assets.length;
}

async function download(): Promise<number> {
	const { url } = await json(`/v1/assets/${subject.fileAssetId}`);
	const target = join(tmpdir(), `avatar-studio-bench-${process.pid}`);
	let bytes = 0;
	try {
		const { body } = await fetch(url!);
		const counted = Readable.fromWeb(body as never).on('data', (chunk: Buffer) => {
			bytes += chunk.length;
		});
		await pipeline(counted, createWriteStream(target));
	} finally {
		await rm(target, { force: true });
	}
	return bytes;
}

async function json(path: string, body?: object): Promise<{ url?: string; assets?: unknown[] }> {
	const response = await fetch(subject.url + path, {
		method: body ? 'POST' : 'GET',
		headers: {
			accept: 'application/json',
			'x-api-key': subject.apiKey,
			...(body && { 'content-type': 'application/*+json' }),
		},
		body: body && JSON.stringify(body),
	});
	if (!response.ok) throw new Error(`${path} was answered with ${response.status}`);
	return (await response.json()) as { url?: string; assets?: unknown[] };
}

/** @param work ends the loop by returning true */
async function inParallel(
	width: number,
	count: number,
	work: (index: number) => Promise<boolean | void>,
): Promise<void> {
	let next = 0;
	let isOver = false;
	const worker = async () => {
		while (!isOver && next < count) if (await work(next++)) isOver = true;
	};
	await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}
