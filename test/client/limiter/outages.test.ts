import type { RequestListener } from 'node:http';

import { forgetRateLimits } from '../../../nodes/AvatarStudio/client/limiter/rateLimiters';
import { useClock } from '../../support/clock';
import { getErrorText } from '../../support/engine/engine';
import { INTERACTIVE } from '../../support/interactive';
import {
	createIdItems,
	createScriptItems,
	createSpeech,
	createSpeeches,
	createVideo,
	downloadAsset,
	getAllAssets,
	getAsset,
	ITEM_ID,
	ITEM_SCRIPT,
	SOME_ID,
	withTimeout,
} from '../../support/parameters';
import { findUnusedAddress, startRawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const clock = useClock();

const MINUTE_MS = 60_000;
const JSON_TYPE = { 'content-type': 'application/json' };
const isPost = ({ method }: { method: string }) => method === 'POST';

test('Time in which nobody asks is no outage: each run waits for a slot as long as it may', async () => {
	clock.run(200);
	let busyUntil = Date.now() + 17 * MINUTE_MS;
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

	expect(await runEvery5Minutes()).toMatch(
		/admitted no request for 1[56] min \(15 min unless Wait If Busy is set\)/,
	);
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
		const running = studio.start(getAsset(), {
			items: createIdItems(studio.service.addAssets(60)),
		});
		// By then the run asks every half minute.
		const startedAt = Date.now();
		while (Date.now() - startedAt < 70_000) await new Promise((resolve) => setImmediate(resolve));
		return running;
	}

	it.each(INTERACTIVE)(
		'%s asks without waiting for the next attempt of the run',
		async (_name, request) => {
			clock.run(100);
			const running = await startRun({ status: 503 });
			studio.service.clearFaults();
			const answered = request(studio.credentials).then(() => true);
			expect(await answered).toBe(true);
			await running.cancel();
		},
	);

	it('a picker waits for one response at most, though the one of the run does not come', async () => {
		clock.run(100);
		const running = await startRun({ hang: true });
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
	clock.run(50);
	const startedAt = Date.now();
	const runs: Promise<unknown>[] = [];
	for (let started = 0; started < 120; started++) {
		runs.push(studio.run(getAsset(SOME_ID), { credentials }));
		await new Promise((resolve) => setTimeout(resolve, 500));
	}
	await Promise.all(runs);

	expect(Date.now() - startedAt).toBeLessThan(1.4 * 120_000);
}, 60_000);

test.each([1, 50])('A wrong address is reported within 10 s (%i items)', async (count) => {
	clock.run(200);
	const credentials = { ...studio.credentials, baseUrl: (await findUnusedAddress()).url };
	const startedAt = Date.now();
	const { error } = await studio.getOutcome(...createSpeeches(count, { credentials }));

	expect(error?.message).toContain('did not respond at its address');
	expect(Date.now() - startedAt).toBeLessThan(10_000);
});

test.each([1, 20])('503 for good is reported within 150 s (%i items)', async (count) => {
	clock.run(200);
	const items = createIdItems(studio.service.addAssets(count));
	await studio.run(getAsset(items[0]!.json.id));
	studio.service.injectFault({ status: 503 });
	const startedAt = Date.now();
	const { error } = await studio.getOutcome(getAsset(), { items });

	expect(error?.message).toContain('(503)');
	expect(Date.now() - startedAt).toBeLessThan(150_000);
});

test('A request that gets no response after an outage holds back nobody for its Timeout', async () => {
	let mode: 'works' | 'fails' | 'hangs' = 'works';
	const host = await startRawHost((request, response) => {
		request.resume();
		if (mode === 'hangs') return;
		if (mode === 'fails') return void response.writeHead(503).end();
		response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"${SOME_ID}"}`);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	clock.run(200);
	await studio.run(createVideo(), { credentials });
	mode = 'fails';
	for (let i = 0; i < 2; i++) await studio.getOutcome(createVideo(), { credentials });
	mode = 'hangs';
	const lost = studio.getOutcome(withTimeout(300_000, createVideo()), { credentials });
	while (host.requests < 4) await new Promise((resolve) => setTimeout(resolve, 200));
	mode = 'works';
	const startedAt = Date.now();
	await Promise.all([1, 2, 3].map(async () => await studio.run(createVideo(), { credentials })));
	const seconds = (Date.now() - startedAt) / 1000;
	await lost;

	expect(seconds).toBeLessThan(10);
}, 60_000);

test.each([
	['responds with 521', 30],
	['responds with 521', 90],
	['refuses connections', 90],
])(
	'A deploy of 10 s, of a service that %s, is survived if each response then takes %i s',
	async (fault, seconds) => {
		let mode: 'works' | 'deploys' | 'isSlow' = 'works';
		const respond: RequestListener = (request, response) => {
			request.resume();
			if (mode === 'deploys') return void response.writeHead(521).end();
			const answer = () => response.writeHead(200, JSON_TYPE).end(`{"id":"${SOME_ID}"}`);
			return void setTimeout(answer, mode === 'isSlow' ? seconds * 1000 : 0);
		};
		let host = await startRawHost(respond);
		const credentials = { ...studio.credentials, baseUrl: host.url };
		clock.run(300);
		await studio.run(getAsset(SOME_ID), { credentials });
		mode = 'deploys';
		if (fault === 'refuses connections') await host.close();
		const running = studio.run(
			...createSpeeches(20, { credentials, settings: { onError: 'continueRegularOutput' } }),
		);
		await clock.pass(10_000);
		mode = 'isSlow';
		if (fault === 'refuses connections') {
			host = await startRawHost(respond, Number(new URL(host.url).port));
		}
		const { json } = await running;

		expect(json.filter(({ error }) => error)).toEqual([]);
	},
	60_000,
);

test.each([
	[1, 22],
	[30, 28],
	[200, 38],
])(
	'A file host that hangs for good is given up after four attempts (%i files, in %i min)',
	async (count, minutes) => {
		clock.run(1000);
		studio.service.injectFault({ when: { host: 'files' }, hang: true });
		const body = { id: SOME_ID, url: `${studio.service.filesUrl}/late.mp3` };
		studio.service.injectFault({ body });
		const startedAt = Date.now();
		const { json } = await studio.run(
			createSpeech({ script: ITEM_SCRIPT, options: { downloadFile: true } }),
			{ items: createScriptItems(count) },
		);

		expect(json.filter(({ fileError }) => fileError)).toHaveLength(count);
		expect((Date.now() - startedAt) / MINUTE_MS).toBeLessThan(minutes);
	},
	60_000,
);

test('A file host that is back after four minutes is asked again while a file is waited for', async () => {
	clock.run(500);
	const worksAt = Date.now() + 4 * MINUTE_MS;
	studio.service.injectFault({
		when: ({ host }) => host === 'files' && Date.now() < worksAt,
		hang: true,
	});
	const headers = { 'content-type': 'audio/mpeg' };
	studio.service.injectFault({ when: { host: 'files' }, body: 'audio', headers });
	studio.service.injectFault({
		body: { id: SOME_ID, url: `${studio.service.filesUrl}/late.mp3` },
	});
	const { json } = await studio.run(
		createSpeech({
			script: ITEM_SCRIPT,
			options: { downloadFile: true, waitForFileMinutes: 20 },
		}),
		{ items: createScriptItems(15) },
	);

	expect(json.filter(({ fileError }) => fileError)).toEqual([]);
}, 60_000);

test('A file that is wanted late in an outage of its host waits for its own time', async () => {
	clock.run(200);
	const items = createIdItems(studio.service.addAssets(5));
	await studio.run(downloadAsset(), { items });
	const worksAt = Date.now() + 110_000;
	studio.service.injectFault({
		when: ({ host }) => host === 'files' && Date.now() < worksAt,
		status: 503,
	});
	const { json } = await studio.run(
		{
			...downloadAsset(),
			requestOptions: { batching: { batch: { batchSize: 1, batchInterval: 25_000 } } },
		},
		{ items, settings: { onError: 'continueRegularOutput' } },
	);

	expect(json.slice(3).map(({ error }) => error)).toEqual([undefined, undefined]);
}, 60_000);

test('A file whose connection is lost is asked for again if its host responds to others', async () => {
	clock.run(500);
	studio.service.injectFault({ when: { host: 'files' }, hang: true, times: 1 });
	const items = createIdItems(studio.service.addAssets(20));
	const { json } = await studio.run(downloadAsset(), { items });

	expect(json).toHaveLength(20);
}, 60_000);

test('Paid speeches have their files, although their host allows twenty a minute', async () => {
	clock.run(200);
	let [windowEnds, count] = [0, 0];
	const host = await startRawHost((_request, response) => {
		const now = Date.now();
		if (now >= windowEnds) [windowEnds, count] = [now + MINUTE_MS, 0];
		const retryAfter = String(Math.ceil((windowEnds - now) / 1000));
		if (++count > 20) response.writeHead(429, { 'retry-after': retryAfter }).end();
		else response.writeHead(200, { 'content-type': 'audio/mpeg' }).end('audio');
	});
	studio.service.injectFault({ body: { id: SOME_ID, url: `${host.url}/a.mp3` } });
	const { json } = await studio.run(
		createSpeech({ script: ITEM_SCRIPT, options: { downloadFile: true } }),
		{ items: createScriptItems(60) },
	);

	expect(json.filter(({ fileError }) => fileError)).toEqual([]);
}, 60_000);

test('What a firewall forbids fails at once and holds back nothing else', async () => {
	clock.run(100);
	await studio.run(createSpeech());
	studio.service.injectFault({
		when: ({ body }) => /\D5\D|\D7\D/.test(JSON.stringify(body)),
		status: 403,
		body: '<html><title>403 Forbidden</title></html>',
		headers: { 'content-type': 'text/html' },
	});
	const startedAt = Date.now();
	const { json } = await studio.run(
		...createSpeeches(20, { settings: { onError: 'continueRegularOutput' } }),
	);

	expect(json.filter(({ code }) => code === 'firewall')).toHaveLength(2);
	expect(Date.now() - startedAt).toBeLessThan(10_000);
	expect(studio.service.requests).toHaveLength(21);
});

test('One rejection of the key costs one item, though one is in flight at a time', async () => {
	clock.run(10);
	studio.service.configure({ latencyMs: 20, rateLimit: { concurrent: 1 } });
	const items = createIdItems(studio.service.addAssets(40));
	await studio.run(getAsset(), { items });
	studio.service.injectFault({ status: 401, times: 1, skip: 10 });
	const { json } = await studio.run(getAsset(), {
		items,
		settings: { onError: 'continueRegularOutput' },
	});

	expect(json.filter(({ error }) => error)).toHaveLength(1);
}, 60_000);

test('After one rejection of the key, a picker does not wait for the slow response of another run', async () => {
	clock.run(50);
	const host = await startRawHost((request, response) => {
		request.resume();
		if (host.requests === 1) return;
		if (host.requests === 2) return void response.writeHead(401, JSON_TYPE).end('{}');
		response.writeHead(200, JSON_TYPE).end(`{"id":"${SOME_ID}","assets":[{"id":"${SOME_ID}"}]}`);
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	const slow = studio.getOutcome(withTimeout(240_000, getAsset(SOME_ID)), { credentials });
	while (host.requests < 1) await new Promise((resolve) => setImmediate(resolve));
	await studio.getOutcome(getAsset(SOME_ID), { credentials });
	const startedAt = Date.now();
	await INTERACTIVE[0]![1](credentials);
	const seconds = (Date.now() - startedAt) / 1000;
	clock.run(5_000);
	await slow;

	expect(seconds).toBeLessThan(26);
}, 60_000);

test('After one rejection of the key, speeches are not held for the five minutes of another one', async () => {
	clock.run(50);
	const host = await startRawHost((request, response) => {
		request.resume();
		const respond = () => response.writeHead(200, JSON_TYPE).end('{"id":"x"}');
		if (host.requests === 1) setTimeout(respond, 280_000);
		else if (host.requests === 2) response.writeHead(401, JSON_TYPE).end('{}');
		else respond();
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	const slow = studio.getOutcome(createSpeech(), { credentials });
	while (host.requests < 1) await new Promise((resolve) => setImmediate(resolve));
	await studio.getOutcome(createSpeech(), { credentials });
	const startedAt = Date.now();
	await studio.run(createSpeech(), { credentials });
	const seconds = (Date.now() - startedAt) / 1000;
	clock.run(5_000);
	await slow;

	expect(seconds).toBeLessThan(60);
}, 60_000);

test('With Batching, an item is asked for after two others were told that the key is rejected', async () => {
	clock.run(50);
	let requests = 0;
	studio.service.injectFault({ when: () => ++requests <= 2, status: 401 });
	const batching = { batch: { batchSize: 1, batchInterval: 30_000 } };
	const { json } = await studio.run(
		{ ...getAsset(ITEM_ID), requestOptions: { batching } },
		{
			items: createIdItems(studio.service.addAssets(6)),
			settings: { onError: 'continueRegularOutput' },
		},
	);
	expect(json.filter(({ error }) => error)).toHaveLength(2);
});

/** Seconds until all but one of 700 are read, of a service that allows 5 a second, after 10 s 100. */
async function read(isOneSilent: boolean): Promise<number> {
	forgetRateLimits();
	clock.run(20);
	const startedAt = Date.now();
	let [times, done, seconds]: [number[], number, number] = [[], 0, 0];
	const host = await startRawHost((_request, response) => {
		const now = Date.now();
		if (isOneSilent && host.requests === 1) return;
		times = times.filter((time) => time > now - 1000);
		if (times.length >= (now - startedAt < 10_000 ? 5 : 100)) {
			return void response.writeHead(429).end();
		}
		times.push(now);
		setTimeout(() => {
			if (++done === 699) {
				seconds = (Date.now() - startedAt) / 1000;
				clock.run(5_000);
			}
			response.writeHead(200, { 'content-type': 'application/json' }).end(`{"id":"${SOME_ID}"}`);
		}, 200);
	});
	await studio.getOutcome(withTimeout(240_000, getAsset(ITEM_ID)), {
		items: Array.from({ length: 700 }, () => ({ json: { id: SOME_ID } })),
		credentials: { ...studio.credentials, baseUrl: host.url },
		settings: { onError: 'continueRegularOutput' },
	});
	return seconds;
}

test('One read without a response does not slow down 699 others', async () => {
	const usual = await read(false);
	expect(await read(true)).toBeLessThan(1.4 * usual);
}, 200_000);

test('A list whose route allows ten requests a minute waits for them, though others are not limited', async () => {
	clock.run(30);
	let [endsAt, used] = [0, 0];
	const assets = Array.from({ length: 1500 }, (_, number) => ({ id: `asset-${number}` }));
	const host = await startRawHost((request, response) => {
		request.resume();
		const { pathname, searchParams } = new URL(request.url!, host.url);
		if (pathname !== '/v1/assets') {
			return void setTimeout(() => response.writeHead(200, JSON_TYPE).end('{"id":"x"}'), 300);
		}
		const now = Date.now();
		if (now >= endsAt) [endsAt, used] = [now + MINUTE_MS, 0];
		if (++used > 10) return void response.writeHead(429).end();
		const [page, size] = ['Page', 'PageSize'].map((name) => Number(searchParams.get(name)));
		const listed = assets.slice(page! * size!, (page! + 1) * size!);
		response.writeHead(200, JSON_TYPE).end(JSON.stringify({ assets: listed }));
	});
	const credentials = { ...studio.credentials, baseUrl: host.url };
	const items = createIdItems(assets.slice(0, 150));
	const others = async () => {
		for (let run = 0; run < 5; run++) {
			await studio.run(getAsset(ITEM_ID), { credentials, items });
		}
	};
	const [{ error, json }] = await Promise.all([
		studio.getOutcome(getAllAssets(), { credentials }),
		others(),
	]);

	expect(error?.message).toBeUndefined();
	expect(json).toHaveLength(assets.length);
}, 60_000);
