import { setTimeout as sleep } from 'node:timers/promises';

import { isVersion1 } from '../../../n8n/installation';
import {
	createLocator,
	createVideo as videoParameters,
	downloadAsset,
	VOICE,
} from '../../support/parameters';
import { connectInOrder, rows, STUDIO, type Part } from '../runningN8n';
import { n8nVersion } from '../servers';

import { recordFigure, scale } from './figures';
import { useStack } from './stack';
import { callWebhookTimes, webhook, type WebhookResult } from './webhook';

const CALLS = scale(300);
/** Of the test in which workers share a service that takes so many requests at a time. */
const SHARED = { executions: scale(40), videosPerExecution: 10, atATime: 5, seconds: 2 };

const stack = useStack('queue mode', {
	// A worker that does not renew its lock is given up after this time, not after a minute.
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
	// n8n 1.x runs the executions of a killed worker again unless told not to.
	QUEUE_WORKER_MAX_STALLED_COUNT: '0',
});
const { n8n } = stack;

// In queue mode, n8n 1.x keeps files in memory unless it has a licence, and has no links to them.
const describeFiles = isVersion1(n8nVersion()) ? describe.skip : describe;

/** Says in the title which call and which process the video is from. */
const TITLE = "={{ $json.body.call + ' by ' + $env.PROCESS_NAME }}";
const callOf = (title: unknown) => Number.parseInt(String(title), 10);
const processOf = (title: unknown) => String(title).split(' by ')[1];

/** Publishes a workflow that creates so many videos for each call of its webhook. */
async function publishWebhook(videosPerCall = 1): Promise<{ id: string; url: string }> {
	const { part, path } = webhook();
	const list = `Array.from({ length: ${videosPerCall} }, () => ({ body: $json.body }))`;
	const parts = [part, ...rows(list), createVideo()];
	const id = await n8n.newWorkflow('Videos per call', parts, connectInOrder(parts));
	await n8n.publish(id);
	return { id, url: `${stack.main.url}/webhook/${path}` };
}

function createVideo(): Part {
	return {
		name: 'Create video',
		type: STUDIO,
		parameters: videoParameters({ videoTitle: TITLE, voiceId: createLocator(VOICE, 'list') }),
		credentials: n8n.account,
	};
}

/** Waits until no execution of a workflow runs and counts them by status. */
async function countExecutions(workflowId: string): Promise<{ success: number; failed: number }> {
	const count = async (...status: string[]) => {
		const filter = encodeURIComponent(JSON.stringify({ workflowId, status }));
		const found = await n8n.rest<{ count: number }>('GET', `/executions?limit=1&filter=${filter}`);
		return found.count;
	};
	while ((await count('new', 'running')) > 0) await sleep(200);
	return { success: await count('success'), failed: await count('error', 'crashed') };
}

/** Calls that made a video, calls that were answered with theirs, and videos nobody was told of. */
function balance(results: WebhookResult[]) {
	const created = n8n.service.videos.map(({ videoTitle }) => callOf(videoTitle));
	const answered = results.flatMap(({ items }) => items.map(({ id }) => id));
	return {
		created: created.length,
		distinct: new Set(created).size,
		answered: answered.length,
		unreported: n8n.service.videos.filter(({ id }) => !answered.includes(id)).length,
	};
}

describe('Queue mode', () => {
	it(`creates one video for each of ${CALLS} calls, on both workers`, async () => {
		const { id, url } = await publishWebhook();
		const started = Date.now();
		const results = await callWebhookTimes(url, CALLS, 20);
		const perSecond = ((CALLS * 1000) / (Date.now() - started)).toFixed(1);
		const shares: Record<string, number> = {};
		for (const { videoTitle } of n8n.service.videos) {
			const name = processOf(videoTitle)!;
			shares[name] = (shares[name] ?? 0) + 1;
		}

		expect(balance(results)).toEqual({
			created: CALLS,
			distinct: CALLS,
			answered: CALLS,
			unreported: 0,
		});
		expect(Object.keys(shares).sort()).toEqual(['worker 0', 'worker 1']);
		expect(await countExecutions(id)).toEqual({ success: CALLS, failed: 0 });
		recordFigure(
			`${CALLS} webhook calls over two workers`,
			`${Object.values(shares).join(' + ')} videos, none twice, ${perSecond} calls/s`,
		);
	});

	it(`shares a service that takes ${SHARED.atATime} requests at a time among both workers`, async () => {
		const { executions, videosPerExecution, atATime, seconds } = SHARED;
		const videos = executions * videosPerExecution;
		const { id, url } = await publishWebhook(videosPerExecution);
		n8n.service.configure({ latencyMs: seconds * 1000, rateLimit: { concurrent: atATime } });
		const results = await callWebhookTimes(url, executions, executions);
		const sent = n8n.service.requests.map(({ startedAt }) => startedAt);
		const usedSeconds = (Math.max(...sent) - Math.min(...sent)) / 1000 + seconds;
		const share = Math.round((100 * videos * seconds) / atATime / usedSeconds);

		expect(await countExecutions(id)).toEqual({ success: executions, failed: 0 });
		expect(balance(results)).toMatchObject({ created: videos, answered: videos, unreported: 0 });
		recordFigure(
			`${executions} executions of ${videosPerExecution} videos over two workers, on a service that takes ${atATime} at a time for ${seconds} s`,
			`${videos} videos, ${share} % of what the service allows, ${sent.length - videos} requests refused, no execution failed`,
		);
	}, 900_000);

	it('finishes what a worker does when it is asked to stop', async () => {
		const { id, url } = await publishWebhook();
		n8n.service.configure({ latencyMs: 500 });
		const calls = callWebhookTimes(url, 60, 20);
		await n8n.service.waitForRequest(({ body }) => processOf(getVideoTitle(body)) === 'worker 0');
		stack.workers[0]!.kill('SIGTERM');
		await stack.workers[0]!.ended;
		await stack.restartWorker(0);
		const results = await calls;

		expect(balance(results)).toEqual({ created: 60, distinct: 60, answered: 60, unreported: 0 });
		expect(await countExecutions(id)).toEqual({ success: 60, failed: 0 });
		recordFigure('SIGTERM of a worker during 60 calls', 'all answered, none twice');
	});

	it('repeats nothing when a worker is killed, and reports each execution that was lost', async () => {
		const { id, url } = await publishWebhook();
		n8n.service.configure({ latencyMs: 1_000 });
		const calls = callWebhookTimes(url, 60, 20);
		await n8n.service.waitForRequest(({ body }) => processOf(getVideoTitle(body)) === 'worker 1');
		stack.workers[1]!.kill('SIGKILL');
		await stack.workers[1]!.ended;
		await stack.restartWorker(1);
		const results = await calls;
		const executions = await countExecutions(id);
		const { created, distinct, answered, unreported } = balance(results);

		expect(distinct).toBe(created);
		expect(executions.success).toBe(answered);
		expect(answered + executions.failed).toBe(60);
		expect(created).toBe(answered + unreported);
		expect(unreported).toBeGreaterThan(0);
		expect(unreported).toBeLessThanOrEqual(60 - answered);
		recordFigure(
			'SIGKILL of a worker during 60 calls',
			`${answered} answered, ${60 - answered} reported as failed, ${unreported} videos without a result, none twice`,
		);
	});

	it.each(['SIGTERM', 'SIGKILL'] as const)(
		'repeats nothing when the main process ends by %s, and workers finish',
		async (signal) => {
			const { id, url } = await publishWebhook();
			n8n.service.configure({ latencyMs: 500 });
			const calls = callWebhookTimes(url, 40, 20);
			await n8n.service.waitForRequest({ path: '/v1/talkingphotos' });
			stack.main.kill(signal);
			const results = await calls;
			await stack.main.ended;
			await stack.restartMain();
			const executions = await countExecutions(id);
			const stored = (await n8n.executionsOf(id)).flatMap(
				({ items }) => items['Create video'] ?? [],
			);
			const { created, distinct, answered } = balance(results);

			expect(distinct).toBe(created);
			// Whether or not the caller was still there, n8n holds the result of every video.
			expect(new Set(stored.map((video) => video.id))).toEqual(
				new Set(n8n.service.videos.map((video) => video.id)),
			);
			expect(executions.success).toBe(created);
			recordFigure(
				`${signal} of the main process during 40 calls`,
				`${created} videos by ${executions.success} executions, none twice, ${executions.failed} reported as failed, ${answered} callers answered`,
			);
		},
	);

	it('starts a workflow once for an asset that came while the main process was down', async () => {
		const everySecond = Array.from({ length: 60 }, (_, second) => ({
			mode: 'custom',
			cronExpression: `${second} * * * * *`,
		}));
		const trigger: Part = {
			name: 'Avatar Studio Trigger',
			type: `${STUDIO}Trigger`,
			parameters: { event: 'assetCreated', pollTimes: { item: everySecond } },
			credentials: n8n.account,
		};
		const id = await n8n.newWorkflow('On new asset', [trigger], []);
		await n8n.publish(id);
		await waitForPolls(2);
		stack.main.kill('SIGKILL');
		await stack.main.ended;
		const [missed] = n8n.service.addAssets(1);
		await stack.restartMain();
		await waitForPolls(3);
		const executions = await n8n.executionsOf(id);

		expect(executions.map(({ items }) => items['Avatar Studio Trigger']![0]!.id)).toEqual([
			missed!.id,
		]);
		recordFigure('Asset added while the main process is down', 'starts its workflow once');
	});

	describeFiles('Files', () => {
		it('uploads the file of a download, which the service fetches from the main process', async () => {
			const { id, content, name } = n8n.service.assets[0]!;
			const { status, items } = await n8n.runChain(
				{
					name: 'Download asset',
					type: STUDIO,
					parameters: downloadAsset(id),
					credentials: n8n.account,
				},
				{
					name: 'Upload asset',
					type: STUDIO,
					parameters: { resource: 'asset', operation: 'upload', inputDataFieldName: 'data' },
					credentials: n8n.account,
				},
			);
			const uploaded = n8n.service.assets.find(
				(asset) => asset.id === items['Upload asset']![0]!.id,
			);

			expect(status).toBe('success');
			expect(uploaded).toMatchObject({ name });
			expect(uploaded!.content!.equals(content!)).toBe(true);
			recordFigure(
				'Asset: Download, then Asset: Upload, with files in the database',
				'the service holds the same bytes',
			);
		});
	});
});

function getVideoTitle(body: unknown): unknown {
	return (body as { videoTitle?: unknown } | undefined)?.videoTitle;
}

/** Waits until so many more polls have begun; then the one before them is over. */
async function waitForPolls(count: number): Promise<void> {
	for (let left = count; left > 0; left--) {
		const before = new Set(n8n.service.requests);
		await n8n.service.waitForRequest(
			(request) => request.query.Page === '0' && !before.has(request),
		);
	}
}
