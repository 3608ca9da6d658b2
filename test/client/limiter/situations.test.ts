import type { INodeParameters } from 'n8n-workflow';

import { type Fault, startService } from '../../../service/service';
import { useClock } from '../../support/clock';
import { searchList } from '../../support/engine/engine';
import {
	createIdItems,
	createScriptItems,
	createSpeech,
	createVideo,
	downloadAsset,
	getAsset,
	ITEM_SCRIPT,
} from '../../support/parameters';
import { findUnusedAddress, startRawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const clock = useClock({ runs: true });

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const READ = getAsset();
const SPEECH = createSpeech({ script: ITEM_SCRIPT });
const VIDEO = createVideo({ script: ITEM_SCRIPT });
const waitFor = (waitIfBusyMinutes: number) => ({ ...SPEECH, options: { waitIfBusyMinutes } });
const countStatus = (status: number) =>
	studio.service.requests.filter(({ responseStatus }) => responseStatus === status).length;

/** Runs an operation for so many items, which all get a result or an error. */
async function runItems(parameters: INodeParameters, count: number, baseUrl = studio.service.url) {
	const startedAt = Date.now();
	const ids = createIdItems(studio.service.addAssets(count));
	const scripts = createScriptItems(count);
	const items = ids.map(({ json }, index) => ({ json: { ...json, ...scripts[index]!.json } }));
	const credentials = { ...studio.credentials, baseUrl };
	const { json } = await studio.run(parameters, { items, settings: CONTINUE, credentials });
	const errors = json.filter(({ error }) => error).map((item) => JSON.stringify(item));
	return { errors, seconds: (Date.now() - startedAt) / 1000 };
}

const retryAfter = (seconds: number) => ({ 'retry-after': String(seconds) });
const GAVE_UP = /is not sent again: the service refuses it too often, or for longer/;
const QUOTA = { status: 429, body: { message: 'Monthly quota used up' } };
const USED_UP = [/Monthly quota used up/, GAVE_UP];
const pause = (seconds: number, times?: number): Fault => {
	return { ...QUOTA, headers: retryAfter(seconds), times };
};
const repair = (times?: number): Fault => {
	return { status: 503, headers: retryAfter(60), body: { message: 'Down for repair' }, times };
};
const REJECTED = [/rejected the API key/];
const IN_REPAIR = [/Down for repair/, GAVE_UP];
const OF_FILE = { host: 'files' } as const;
const RESET: Fault = { disconnect: 'beforeResponse', times: 2 };

interface Others {
	items?: number;
	/** For how many seconds there is a fault. */
	lasts?: number;
	/** How many requests are sent at most, or exactly if each item is sent once. */
	requests?: number;
	/** What each item says; nothing fails by default. */
	words?: RegExp[];
}
type Seconds = [least: number, most: number];
type Situation = [what: string, INodeParameters, Fault, ends: Seconds, Others];

const SITUATIONS: Situation[] = [
	['429 three times', READ, { status: 429, times: 3 }, [1, 4], { requests: 4 }],
	['429 three times to a creation', SPEECH, { status: 429, times: 3 }, [1, 4], { requests: 4 }],
	['a Retry-After of 20 s', READ, pause(20, 1), [19, 30], { requests: 2 }],
	['a pause of the whole run', READ, repair(1), [59, 70], { items: 60, requests: 61 }],
	['503 for 10 s', READ, { status: 503 }, [10, 25], { items: 100, lasts: 10 }],
	['502 for 10 s', READ, { status: 502 }, [10, 30], { items: 20, lasts: 10 }],
	['521, which passes no creation on', SPEECH, { status: 521 }, [10, 30], { items: 20, lasts: 10 }],
	['503 of a file', downloadAsset(), { status: 503, when: OF_FILE }, [10, 25], { lasts: 10 }],
	['429 for good', READ, QUOTA, [899, 935], { items: 20, requests: 70, words: USED_UP }],
	['a maintenance', READ, repair(), [890, 970], { items: 100, requests: 70, words: IN_REPAIR }],
	['a pause of a day', READ, pause(86_400), [0, 5], { items: 500, requests: 60, words: USED_UP }],
	['429, and no wait', waitFor(0), QUOTA, [0, 1], { requests: 1, words: USED_UP }],
	['429, and a wait of a minute', waitFor(1), QUOTA, [59, 70], { words: USED_UP }],
	['a pause as long as the wait', waitFor(1), pause(60, 1), [59, 62], { requests: 2 }],
	[
		'503 to a creation',
		SPEECH,
		{ ...repair(), afterEffect: true },
		[0, 1],
		{ requests: 1, words: [/may exist/] },
	],
	['a wrong key', READ, { status: 401 }, [0, 2], { items: 80, requests: 80, words: REJECTED }],
	['a connection that is reset', READ, RESET, [0, 3], { requests: 3 }],
];

test.each(SITUATIONS)('%s ends as it should', async (_what, parameters, fault, ends, others) => {
	const { items = 1, lasts = Infinity, requests = Infinity, words = [] } = others;
	const [least, most] = ends;
	await studio.run(getAsset(studio.service.assets[0]!.id));
	studio.service.requests.length = 0;
	studio.service.injectFault(fault);
	if (lasts < Infinity) setTimeout(() => studio.service.clearFaults(), lasts * 1000);
	const { errors, seconds } = await runItems(parameters, items);

	expect(errors).toHaveLength(words.length > 0 ? items : 0);
	for (const word of words) expect(errors.filter((error) => !word.test(error))).toEqual([]);
	expect(seconds).toBeGreaterThanOrEqual(least);
	expect(seconds).toBeLessThan(most);
	expect(studio.service.requests.length).toBeLessThanOrEqual(requests);
});

/** A plan that renders so many videos at a time: each is responded to at once, and takes its slot. */
function limitSlots(slots: number, seconds: number, headers = {}): void {
	let ends: number[] = [];
	studio.service.injectFault({
		when: ({ method }) => {
			if (method !== 'POST') return false;
			ends = ends.filter((end) => end > Date.now());
			if (ends.length >= slots) return true;
			ends.push(Date.now() + seconds * 1000);
			return false;
		},
		status: 429,
		headers,
	});
}

test.each([
	[10, 240, 40, 1, {}],
	[3, 360, 1, 12, {}],
	[1, 400, 1, 3, retryAfter(120)],
	[2, 600, 3, 2, {}],
])('A plan of %i slots for %i s makes all videos of %i executions of %i once', async (...row) => {
	const [slots, seconds, executions, items, headers] = row;
	limitSlots(slots, seconds, headers);
	const begun = Date.now();
	await Promise.all(Array.from({ length: executions }, async () => await runItems(VIDEO, items)));
	const wanted = executions * items;
	const idealMs = (Math.ceil(wanted / slots) - 1) * seconds * 1000;

	expect(studio.service.videos).toHaveLength(wanted);
	expect(Date.now() - begun).toBeLessThan(2 * idealMs);
	expect(countStatus(429)).toBeLessThanOrEqual(15 * wanted);
});

test('G5: Forty executions share what a service allows at a time', async () => {
	const [executions, items, concurrent, latencyMs] = [40, 5, 5, 500];
	studio.service.configure({ rateLimit: { concurrent }, latencyMs });
	const begun = Date.now();
	const runs = Array.from({ length: executions }, async () => await runItems(READ, items));
	const results = await Promise.all(runs);
	const idealMs = (executions * items * latencyMs) / concurrent;

	expect(results.flatMap(({ errors }) => errors)).toEqual([]);
	expect(Date.now() - begun).toBeLessThan(idealMs / 0.9);
	expect(countStatus(429)).toBeLessThanOrEqual(66);
});

test('What was sent before a pause and succeeds does not end the pause', async () => {
	studio.service.injectFault({ latencyMs: 50, times: 1 });
	studio.service.injectFault(pause(86_400));
	const first = await runItems(READ, 20);
	const second = await runItems(READ, 1);

	expect([first.errors.length, second.errors.length]).toEqual([19, 1]);
	expect(second.seconds).toBeLessThan(5);
});

test('Reads do not wait for creations that wait', async () => {
	limitSlots(0, 3_600);
	const videos = studio.start(VIDEO, { items: createScriptItems(6) });
	await studio.service.waitForRequest(() => countStatus(429) >= 6);
	const { errors, seconds } = await runItems(READ, 200);
	await videos.cancel();

	expect(errors).toEqual([]);
	expect(seconds).toBeLessThan(2);
});

test('A used-up quota ends a run, and each round of a loop after it, though others keep asking', async () => {
	studio.service.injectFault(QUOTA);
	let isOver = false;
	const others = (async () => {
		while (!isOver) {
			await searchList('searchAssets', studio.credentials).catch(() => undefined);
			await new Promise((resolve) => setTimeout(resolve, 60_000));
		}
	})();
	const first = await runItems(READ, 20);
	const second = await runItems(READ, 20);
	isOver = true;
	await others;

	for (const error of [...first.errors, ...second.errors]) expect(error).toContain('quota used up');
	expect([first.errors.length, second.errors.length]).toEqual([20, 20]);
	expect(first.seconds).toBeLessThan(17 * 60);
	expect(second.seconds).toBeLessThan(60);
});

test('A request that is refused a hundred times fails, though others are admitted', async () => {
	const isRefused: Fault['when'] = ({ body }) => JSON.stringify(body).includes('Script 0');
	studio.service.injectFault({ status: 429, when: isRefused });
	const refused = runItems(waitFor(1), 1);
	for (let others = 0; others < 30; others++) {
		await studio.run(createSpeech());
		await new Promise((resolve) => setTimeout(resolve, 5_000));
	}
	const { errors, seconds } = await refused;

	expect(errors).toEqual([expect.stringMatching(GAVE_UP)]);
	expect(seconds).toBeLessThan(400);
});

test('A service that refuses, and then cannot be reached, is not said to refuse', async () => {
	const { url, port } = await findUnusedAddress();
	const before = await startService({ asSpecified: true, port });
	before.injectFault({ ...repair(), headers: {} });
	const begun = Date.now();
	const running = runItems(READ, 20, url);
	await before.waitForRequest(({ startedAt }) => startedAt > begun + 100_000);
	await before.close();
	const { errors, seconds } = await running;

	expect(errors).toHaveLength(20);
	for (const error of errors) expect(error).toContain('did not respond at its address');
	expect(seconds).toBeLessThan(300);
});

test('A run survives ten seconds in which the host refuses connections', async () => {
	const { url, port } = await findUnusedAddress();
	const before = await startService({ asSpecified: true, port });
	const { id } = before.assets[0]!;
	await studio.run(getAsset(id), { credentials: { ...studio.credentials, baseUrl: url } });
	await before.close();
	const running = runItems(SPEECH, 80, url);
	await new Promise((resolve) => setTimeout(resolve, 10_000));
	const after = await startService({ asSpecified: true, port });
	const { errors } = await running;
	const { speeches } = after;
	await after.close();

	expect(errors).toEqual([]);
	expect(new Set(speeches.map(({ script }) => script)).size).toBe(80);
	expect(speeches).toHaveLength(80);
});

describe('For a user,', () => {
	it('a pause of two seconds is not too long, one of a minute is, and each search asks', async () => {
		studio.service.injectFault({ status: 429, headers: retryAfter(2), times: 1 });
		await searchList('searchVoices', studio.credentials);
		studio.service.injectFault({ status: 429, headers: retryAfter(60), times: 2 });
		for (let sent = 3; sent < 5; sent++) {
			const searched = searchList('searchVoices', studio.credentials);
			await expect(searched).rejects.toThrow('too many requests');
			expect(studio.getRoutes()).toHaveLength(sent);
		}
		await searchList('searchVoices', studio.credentials);
		expect(studio.getRoutes()).toHaveLength(5);
		await runItems(SPEECH, 1);
		expect(studio.getRoutes()).toHaveLength(6);
	});

	it('a search of many pages lets a run go on', async () => {
		studio.service.addAssets(2_000);
		studio.service.configure({ rateLimit: { concurrent: 2 }, latencyMs: 300 });
		const run = runItems(READ, 30);
		for (let searches = 0; searches < 9; searches++) {
			await searchList('searchAssets', studio.credentials, { text: 'none' });
		}

		expect((await run).seconds).toBeLessThan(45);
	});

	it('a list comes before what a run has waiting, and an execution takes turns with it', async () => {
		studio.service.configure({ rateLimit: { concurrent: 5 } });
		const long = runItems(READ, 400);
		await studio.service.waitForRequest();
		await searchList('searchAssets', studio.credentials);
		const before = studio.service.requests.length;
		await runItems(READ, 10);
		const between = studio.service.requests.length;
		await long;

		expect(before).toBeLessThan(200);
		expect(between).toBeLessThan(350);
	});
});

test.each([
	['a pause', 1, retryAfter(60), 1],
	['a back-off', 1, {}, 1],
	['the waits of all items', 60, retryAfter(60), 50],
])('Cancelling ends %s within a second', async (_what, count, headers, sent) => {
	clock.stop();
	studio.service.injectFault({ status: 429, headers });
	const items = createIdItems(studio.service.addAssets(count));
	const run = studio.start(READ, { items });
	const nextTurn = async () => await new Promise((resolve) => setImmediate(resolve));
	while (studio.service.requests.length < sent) await nextTurn();
	await studio.service.waitUntilIdle();
	while (clock.countTimers() === 0) await nextTurn();
	const cancelled = run.cancel();
	await clock.pass(1_000);
	// The clock is stopped: this would not return if anything still waited.
	await cancelled;
	await clock.pass(600_000);

	expect(studio.getRoutes()).toHaveLength(sent);
});

test('Nothing is sent after the headers of an error that stops the run, however late its words are', async () => {
	let [isRefused, sentAfter] = [false, 0];
	const host = await startRawHost((request, response) => {
		const isFirst = host.requests === 1;
		request.resume().on('end', () => {
			if (isRefused) sentAfter++;
			response.setHeader('content-type', 'application/json');
			if (!isFirst) return setTimeout(() => response.end('{"id":"x"}'), 300);
			response.writeHead(402).write('{"message":');
			// Until then, what was sent before may arrive.
			setTimeout(() => (isRefused = true), 1_000);
			return setTimeout(() => response.end('"No credits"}'), 1_500);
		});
	});
	const setup = { items: createScriptItems(400), credentials: host.credentials };
	const text = await studio.getFailure(SPEECH, setup);

	expect(text).toContain('No credits');
	expect(sentAfter).toBe(0);
});

test('50 requests are in flight, and no more', async () => {
	studio.service.configure({ latencyMs: 600 });
	await runItems(READ, 60);

	expect(studio.service.peakInFlight).toBe(50);
});

test.each([
	['address', 'localhost', undefined],
	['key', '127.0.0.1', 'another-key'],
])('A pause is not that of an account with another %s', async (_what, hostName, apiKey) => {
	clock.stop();
	studio.service.injectFault({ status: 429, headers: retryAfter(60), times: 1 });
	await expect(searchList('searchVoices', studio.credentials)).rejects.toThrow('too many requests');
	if (apiKey) studio.service.configure({ apiKey });
	const baseUrl = studio.service.url.replace('127.0.0.1', hostName);
	const credentials = { ...studio.credentials, baseUrl };
	// The clock is stopped: this would not return if it waited.
	await studio.run(getAsset(studio.service.assets[0]!.id), { credentials });

	expect(studio.getRoutes()).toHaveLength(2);
});
