import { setTimeout as sleep } from 'node:timers/promises';

import { isVersion1 } from '../../../n8n/installation';
import { createLocator, createVideo as videoParameters, VOICE } from '../../support/parameters';
import { everySecond, waitForPolls } from '../polls';
import { connectInOrder, rows, STUDIO } from '../runningN8n';
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
const processOf = (title: unknown) => String(title).split(' by ')[1];

/** Publishes a workflow that creates so many videos for each call of its webhook. */
async function publishWebhook(videosPerCall = 1): Promise<{ id: string; url: string }> {
	const { part, path } = webhook();
	const list = `Array.from({ length: ${videosPerCall} }, () => ({ body: $json.body }))`;
	const voiceId = createLocator(VOICE, 'list');
	const parameters = videoParameters({ videoTitle: TITLE, voiceId });
	const parts = [part, ...rows(list), n8n.studio('Create video', parameters)];
	const id = await n8n.newWorkflow('Videos per call', parts, connectInOrder(parts));
	await n8n.publish(id);
	return { id, url: `${stack.main.url}/webhook/${path}` };
}

/** Calls a webhook, 20 times at once, and ends a process while it works for the service. */
async function interrupt(
	{ calls, latencyMs }: { calls: number; latencyMs: number },
	signal: NodeJS.Signals,
	worker?: number,
) {
	const { id, url } = await publishWebhook();
	n8n.service.configure({ latencyMs });
	const answers = callWebhookTimes(url, calls, 20);
	await n8n.waitForRequestOf(answers, ({ body }) => {
		const title = (body as { videoTitle?: unknown } | undefined)?.videoTitle;
		return title !== undefined && (worker === undefined || processOf(title) === `worker ${worker}`);
	});
	const target = worker === undefined ? stack.main : stack.workers[worker]!;
	target.kill(signal);
	await target.ended;
	// A main process that is back would answer the calls that are still to come.
	if (worker === undefined) await answers;
	await (worker === undefined ? stack.restartMain() : stack.restartWorker(worker));
	const results = await answers;
	return { id, balance: balance(results), executions: await countExecutions(id) };
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
	const created = n8n.service.videos.map(({ videoTitle }) => Number.parseInt(videoTitle!, 10));
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
		const processes = n8n.service.videos.map(({ videoTitle }) => processOf(videoTitle));
		const shares = stack.workers.map(
			(_, index) => processes.filter((name) => name === `worker ${index}`).length,
		);

		const all = { created: CALLS, distinct: CALLS, answered: CALLS, unreported: 0 };
		expect(balance(results)).toEqual(all);
		expect(shares[0]! + shares[1]!).toBe(CALLS);
		expect(Math.min(...shares)).toBeGreaterThan(0);
		expect(await countExecutions(id)).toEqual({ success: CALLS, failed: 0 });
		recordFigure(
			`${CALLS} webhook calls over two workers`,
			`${shares.join(' + ')} videos, none twice, ${perSecond} calls/s`,
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
		const ended = await interrupt({ calls: 60, latencyMs: 500 }, 'SIGTERM', 0);

		expect(ended).toMatchObject({
			balance: { created: 60, distinct: 60, answered: 60, unreported: 0 },
			executions: { success: 60, failed: 0 },
		});
		recordFigure('SIGTERM of a worker during 60 calls', 'all answered, none twice');
	});

	it('repeats nothing when a worker is killed, and reports each execution that was lost', async () => {
		const ended = await interrupt({ calls: 60, latencyMs: 1_000 }, 'SIGKILL', 1);
		const { created, distinct, answered, unreported } = ended.balance;

		expect(distinct).toBe(created);
		expect(ended.executions).toEqual({ success: answered, failed: 60 - answered });
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
			const { id, ...ended } = await interrupt({ calls: 40, latencyMs: 500 }, signal);
			const { success, failed } = ended.executions;
			const { created, distinct, answered } = ended.balance;
			const stored = (await n8n.session.executionsOf(id)).flatMap(
				({ items }) => items['Create video'] ?? [],
			);
			const idsOf = (videos: { id?: unknown }[]) => new Set(videos.map((video) => video.id));

			expect(distinct).toBe(created);
			expect(success).toBe(created);
			// Whether or not the caller was still there, n8n holds the result of every video.
			expect(idsOf(stored)).toEqual(idsOf(n8n.service.videos));
			recordFigure(
				`${signal} of the main process during 40 calls`,
				`${created} videos by ${success} executions, none twice, ${failed} reported as failed, ${answered} callers answered`,
			);
		},
	);

	it('starts a workflow once for an asset that came while the main process was down', async () => {
		const parameters = { event: 'assetCreated', pollTimes: everySecond };
		const settings = { type: `${STUDIO}Trigger` };
		const trigger = n8n.studio('Avatar Studio Trigger', parameters, settings);
		const id = await n8n.newWorkflow('On new asset', [trigger], []);
		await n8n.publish(id);
		await waitForPolls(n8n.service, 2);
		stack.main.kill('SIGKILL');
		await stack.main.ended;
		const [missed] = n8n.service.addAssets(1);
		await stack.restartMain();
		await waitForPolls(n8n.service, 3);
		const executions = await n8n.session.executionsOf(id);

		expect(executions.map(({ items }) => items['Avatar Studio Trigger']![0]!.id)).toEqual([
			missed!.id,
		]);
		recordFigure('Asset added while the main process is down', 'starts its workflow once');
	});

	describeFiles('Files', () => {
		it('reach the service by a link to the main process', async () => {
			const { original, copy } = await n8n.copyAsset();
			expect(copy.content!.equals(original.content!)).toBe(true);
			recordFigure(
				'Asset: Download, then Asset: Upload, with files in the database',
				'the service holds the same bytes',
			);
		});
	});
});
