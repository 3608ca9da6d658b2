import { useClock } from '../../support/clock';
import { getErrorText } from '../../support/engine/engine';
import { INTERACTIVE } from '../../support/interactive';
import {
	createIdItems,
	createSpeech,
	downloadAsset,
	getAsset,
	SOME_ID,
} from '../../support/parameters';
import { startRawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const clock = useClock();

const MINUTE_MS = 60_000;
const isPost = ({ method }: { method: string }) => method === 'POST';

test('Time in which nobody asks is no outage: each run waits for a slot as long as it may', async () => {
	clock.run(200);
	let busyUntil = Date.now() + 16 * MINUTE_MS;
	studio.service.injectFault({
		when: (request) => isPost(request) && Date.now() < busyUntil,
		status: 429,
	});
	const runEvery5Minutes = async () => {
		const { error } = await studio.getOutcome(createSpeech());
		await clock.pass(5 * MINUTE_MS);
		busyUntil = Date.now() + 10_000;
		return error && getErrorText(error);
	};

	expect(await runEvery5Minutes()).toMatch(/admitted no request for 1[45] min/);
	expect(await runEvery5Minutes()).toBeUndefined();
	expect(await runEvery5Minutes()).toBeUndefined();
}, 60_000);

test.each([
	[429, 15, 660],
	[429, 60, 1800],
	[503, 15, 800],
])(
	'A service that says %i for good, with %i minutes to wait for and Retry-After %i, is given up in time',
	async (status, minutes, seconds) => {
		clock.run(2_000);
		studio.service.injectFault({ status, headers: { 'retry-after': String(seconds) } });
		const startedAt = Date.now();
		const parameters =
			status === 503
				? getAsset(SOME_ID)
				: createSpeech({ options: { waitIfBusyMinutes: minutes } });
		const { error } = await studio.getOutcome(parameters);

		expect(error && getErrorText(error)).toContain(`(${status})`);
		expect(Date.now() - startedAt).toBeLessThan((minutes + 1) * MINUTE_MS);
	},
	60_000,
);

describe('While a run waits for a service that does not work,', () => {
	async function startRun(fault: object) {
		await studio.run(getAsset(studio.service.assets[0]!.id));
		studio.service.injectFault({ when: ({ method }) => method === 'GET', ...fault });
		return studio.start(getAsset(), { items: createIdItems(studio.service.addAssets(60)) });
	}

	it.each(INTERACTIVE)(
		'%s asks without waiting for the next attempt of the run',
		async (_name, request) => {
			clock.run(100);
			const running = await startRun({ status: 503 });
			await studio.service.waitForRequest(() => studio.getRoutes().length >= 11);
			studio.service.clearFaults();
			const answered = request(studio.credentials).then(() => true);
			expect(await answered).toBe(true);
			await running.cancel();
		},
	);

	it('a picker waits for one response at most, though the one of the run does not come', async () => {
		clock.run(100);
		const running = await startRun({ hang: true });
		const hangs = Date.now();
		while (Date.now() - hangs < 70_000) await new Promise((resolve) => setImmediate(resolve));
		const startedAt = Date.now();
		await expect(INTERACTIVE[0]![1](studio.credentials)).rejects.toThrow('in time');
		expect(Date.now() - startedAt).toBeLessThan(26_000);
		await running.cancel();
	}, 60_000);
});

test('Downloads of two runs from a host that refuses them end in 15 minutes, and ask rarely', async () => {
	const files = await startRawHost((_request, response) => response.writeHead(429).end());
	studio.service.injectFault({
		when: ({ host }) => host === 'files',
		status: 302,
		headers: { location: files.url },
	});
	clock.run(200);
	const items = createIdItems(studio.service.addAssets(10));
	const startedAt = Date.now();
	const outcomes = [1, 2].map(async () => await studio.getOutcome(downloadAsset(), { items }));
	const errors = (await Promise.all(outcomes)).map(({ error }) => error?.message);
	await files.close();

	expect(errors).toEqual([expect.stringContaining('429'), expect.stringContaining('429')]);
	expect(Date.now() - startedAt).toBeLessThan(16 * MINUTE_MS);
	expect(files.requests).toBeLessThan(80);
}, 60_000);

test('Executions and pickers that keep coming are given up in a service that hangs', async () => {
	let hangs = false;
	const host = await startRawHost((request, response) => {
		request.resume();
		if (hangs) return;
		response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"${SOME_ID}"}`);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	clock.run(300);
	await studio.run(getAsset(SOME_ID), { credentials });
	hangs = true;
	const outcomes: Promise<number>[] = [];
	for (let started = 0; started < 150; started++) {
		const startedAt = Date.now();
		if (started % 6 === 0) void INTERACTIVE[0]![1](credentials).catch(() => undefined);
		const outcome = studio.getOutcome(getAsset(SOME_ID), { credentials });
		outcomes.push(outcome.then(() => Date.now() - startedAt));
		await clock.pass(10_000);
	}
	const longestMs = Math.max(...(await Promise.all(outcomes)));
	await host.close();

	expect(longestMs).toBeLessThan(17 * MINUTE_MS);
	expect(host.requests).toBeLessThan(2 * outcomes.length);
}, 120_000);

test('A believed limit holds whoever comes: executions that keep coming take as long as they must', async () => {
	let inFlight = 0;
	const host = await startRawHost((request, response) => {
		request.resume();
		if (inFlight >= 5) return response.writeHead(429).end();
		inFlight++;
		return setTimeout(() => {
			inFlight--;
			response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"${SOME_ID}"}`);
		}, 5_000);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	clock.run(20);
	const startedAt = Date.now();
	const runs: Promise<unknown>[] = [];
	for (let started = 0; started < 120; started++) {
		runs.push(studio.run(getAsset(SOME_ID), { credentials }));
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
	await Promise.all(runs);
	await host.close();

	expect(Date.now() - startedAt).toBeLessThan(1.4 * 120_000);
}, 60_000);
