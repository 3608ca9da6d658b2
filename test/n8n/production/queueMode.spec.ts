import { setTimeout as sleep } from 'node:timers/promises';

import { isVersion1 } from '../../../n8n/installation';
import { createLocator, createVideo as videoParameters, VOICE } from '../../support/parameters';
import { connectInOrder, rows, watchWait } from '../runningN8n';
import { n8nVersion } from '../servers';

import { scale } from './scale';
import { useStack } from './stack';
import { callWebhookTimes, webhook, type WebhookResult } from './webhook';

const stack = useStack('queue mode', {
	// A worker that does not renew its lock is given up after this time, not after a minute.
	QUEUE_WORKER_LOCK_DURATION: '10000',
	QUEUE_WORKER_LOCK_RENEW_TIME: '2000',
	QUEUE_WORKER_STALLED_INTERVAL: '2000',
	// n8n 1.x runs the executions of a killed worker again unless told not to.
	QUEUE_WORKER_MAX_STALLED_COUNT: '0',
});
const { n8n } = stack;

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
async function interrupt(calls: number, signal: NodeJS.Signals, worker?: number) {
	const { id, url } = await publishWebhook();
	n8n.service.configure({ latencyMs: 500 });
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
	return { id, ...balance(await answers), ...(await countExecutions(id)) };
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
	const created = n8n.service.videos.map(({ videoTitle }) => videoTitle);
	const answered = results.flatMap(({ items }) => items.map(({ id }) => id));
	return {
		created: created.length,
		callsDone: new Set(created.map((title) => Number.parseInt(title!, 10))).size,
		answered: answered.length,
		unreported: n8n.service.videos.filter(({ id }) => !answered.includes(id)).length,
	};
}

test('Both workers share a service that takes five requests at a time, and no execution fails', async () => {
	const executions = scale(40);
	const { id, url } = await publishWebhook(10);
	n8n.service.configure({ latencyMs: 2_000, rateLimit: { concurrent: 5 } });
	const results = await callWebhookTimes(url, executions, executions);
	const processes = n8n.service.videos.map(({ videoTitle }) => processOf(videoTitle));

	expect(await countExecutions(id)).toEqual({ success: executions, failed: 0 });
	const videos = executions * 10;
	expect(balance(results)).toMatchObject({ created: videos, answered: videos, unreported: 0 });
	expect(new Set(processes)).toEqual(new Set(['worker 0', 'worker 1']));
}, 900_000);

test('The log of the worker says once that a creation waits for the service, and once that it is over', async () => {
	const { url } = await publishWebhook();
	const readWaits = (processes: { readLog: () => string[] }[]) =>
		processes.flatMap((each) => each.readLog()).filter((line) => line.includes('admit'));
	// A worker that was starved by the other one in an earlier test has said so, too.
	const earlier = readWaits(stack.workers);
	const { expected } = watchWait(n8n.service);
	expect(await callWebhookTimes(url, 1, 1)).toMatchObject([{ items: [{}] }]);

	expect(readWaits([stack.main])).toEqual([]);
	const waits = readWaits(stack.workers).filter((line) => !earlier.includes(line));
	expect(waits).toEqual(expected('Create video', 'Videos per call'));
});

test('Nothing is repeated when a worker is killed, and each execution that was lost is reported', async () => {
	const ended = await interrupt(60, 'SIGKILL', 1);
	const { created, callsDone, answered, unreported } = ended;

	expect(callsDone).toBe(created);
	expect(ended).toMatchObject({ success: answered, failed: 60 - answered });
	expect(unreported).toBeGreaterThan(0);
	expect(unreported).toBeLessThanOrEqual(60 - answered);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
	'Nothing is repeated when the main process ends by %s, and workers finish',
	async (signal) => {
		const { id, success, created, callsDone } = await interrupt(40, signal);
		const executions = await n8n.session.executionsOf(id);
		const stored = executions.flatMap(({ items }) => items['Create video'] ?? []);
		const idsOf = (videos: { id?: unknown }[]) => new Set(videos.map((video) => video.id));

		expect(callsDone).toBe(created);
		expect(success).toBe(created);
		// Whether or not the caller was still there, n8n holds the result of every video.
		expect(idsOf(stored)).toEqual(idsOf(n8n.service.videos));
	},
);

test('Files reach the service by a link to the main process, or the error says why there is none', async () => {
	const outcome = await n8n.copyAsset().then(
		({ original, copy }) => copy.content!.equals(original.content!),
		(error: Error) => error.message,
	);
	// In queue mode, n8n 1.x keeps files in memory unless it has a licence.
	const words = expect.stringContaining('n8n keeps this file in memory') as string;
	expect(outcome).toEqual(isVersion1(n8nVersion()) ? words : true);
});
