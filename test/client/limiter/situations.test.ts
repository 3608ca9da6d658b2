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
	ITEM_ID,
	ITEM_SCRIPT,
	withTimeout,
} from '../../support/parameters';
import { findUnusedAddress, startRawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const clock = useClock();

const CONTINUE = { onError: 'continueRegularOutput' } as const;
const SPEECH = createSpeech({ script: ITEM_SCRIPT });
const waitFor = (waitIfBusyMinutes: number) => ({ ...SPEECH, options: { waitIfBusyMinutes } });
const countStatus = (status: number) =>
	studio.service.requests.filter(({ responseStatus }) => responseStatus === status).length;

/** Runs an operation for so many items, which all get a result or an error. */
async function runItems(
	parameters: INodeParameters,
	count: number,
	credentials = studio.credentials,
) {
	const startedAt = Date.now();
	const ids = createIdItems(studio.service.addAssets(count));
	const scripts = createScriptItems(count);
	const items = ids.map(({ json }, index) => ({ json: { ...json, ...scripts[index]!.json } }));
	const { json } = await studio.run(parameters, {
		items,
		settings: CONTINUE,
		credentials,
	});
	const errors = json.filter(({ error }) => error).map((item) => JSON.stringify(item));
	return { errors, seconds: (Date.now() - startedAt) / 1000 };
}

/** The fault applies for so many seconds from now on. */
function forSeconds(seconds: number, fault: Fault): Fault {
	const until = Date.now() + seconds * 1000;
	return { ...fault, when: () => Date.now() < until };
}

interface Situation {
	parameters?: INodeParameters;
	items?: number;
	fault: () => Fault;
	/** What each item says; nothing fails by default. */
	words?: RegExp[];
	/** When it ends. */
	seconds: [least: number, most: number];
	/** How many requests are sent at most, or exactly if each item is sent once. */
	requests?: number;
}

const retryAfter = (seconds: number) => ({ 'retry-after': String(seconds) });
const GAVE_UP = /is not sent again: the service refuses it too often, or for longer/;
const QUOTA = { status: 429, body: { message: 'Monthly quota used up' } };

const SITUATIONS: Record<string, Situation> = {
	'429 three times': { fault: () => ({ status: 429, times: 3 }), seconds: [1, 4], requests: 4 },
	'429 three times to a creation': {
		parameters: SPEECH,
		fault: () => ({ status: 429, times: 3 }),
		seconds: [1, 4],
		requests: 4,
	},
	'429 with a Retry-After': {
		fault: () => ({ status: 429, headers: retryAfter(20), times: 1 }),
		seconds: [19, 30],
		requests: 2,
	},
	'429 with a date as Retry-After': {
		fault: () => ({
			status: 429,
			headers: { 'retry-after': new Date(Date.now() + 20_500).toUTCString() },
			times: 1,
		}),
		seconds: [19, 30],
		requests: 2,
	},
	'503 with a Retry-After, which holds back the whole run': {
		items: 60,
		fault: () => ({ status: 503, headers: retryAfter(60), times: 1 }),
		seconds: [59, 70],
		requests: 61,
	},
	'503 for 10 s': {
		items: 100,
		fault: () => forSeconds(10, { status: 503 }),
		seconds: [10, 25],
	},
	'502 for 10 s': { items: 20, fault: () => forSeconds(10, { status: 502 }), seconds: [10, 30] },
	'521 for 10 s to creations, which says that they were not passed on': {
		items: 20,
		parameters: SPEECH,
		fault: () => forSeconds(10, { status: 521 }),
		seconds: [10, 30],
	},
	'a file of a host that says 503 for 10 s': {
		parameters: downloadAsset(),
		fault: () => {
			const until = Date.now() + 10_000;
			return { status: 503, when: ({ host }) => host === 'files' && Date.now() < until };
		},
		seconds: [10, 25],
	},
	'502 for good': {
		fault: () => ({ status: 502 }),
		words: [/\(502\)/, /Gave up after \d+ attempts/],
		seconds: [60, 75],
		requests: 20,
	},
	'429 for good': {
		items: 20,
		fault: () => QUOTA,
		words: [/Monthly quota used up/, GAVE_UP],
		seconds: [899, 935],
		requests: 70,
	},
	'a maintenance': {
		items: 100,
		fault: () => ({ status: 503, headers: retryAfter(60), body: { message: 'Down for repair' } }),
		words: [/Down for repair/, GAVE_UP],
		seconds: [890, 970],
		requests: 70,
	},
	'a Retry-After of a day': {
		items: 500,
		fault: () => ({ ...QUOTA, headers: retryAfter(86_400) }),
		words: [/Monthly quota used up/, GAVE_UP],
		seconds: [0, 5],
		requests: 60,
	},
	'429, and no wait': {
		parameters: waitFor(0),
		fault: () => QUOTA,
		words: [/Monthly quota used up/, GAVE_UP],
		seconds: [0, 1],
		requests: 1,
	},
	'429, and a wait of a minute': {
		parameters: waitFor(1),
		fault: () => QUOTA,
		words: [/Monthly quota used up/, GAVE_UP],
		seconds: [59, 70],
	},
	'a Retry-After as long as the wait': {
		parameters: waitFor(1),
		fault: () => ({ status: 429, headers: retryAfter(60), times: 1 }),
		seconds: [59, 62],
		requests: 2,
	},
	'503 to a creation': {
		parameters: SPEECH,
		fault: () => ({ status: 503, headers: retryAfter(60), afterEffect: true }),
		words: [/may exist/],
		seconds: [0, 1],
		requests: 1,
	},
	'a rejected key': {
		items: 80,
		fault: () => ({ status: 401 }),
		words: [/rejected the API key/],
		seconds: [0, 2],
		requests: 80,
	},
	'a response that does not come': {
		parameters: withTimeout(20_000, getAsset()),
		fault: () => ({ hang: true, times: 1 }),
		seconds: [20, 25],
		requests: 2,
	},
	'a connection that is reset': {
		fault: () => ({ disconnect: 'beforeResponse', times: 2 }),
		seconds: [0, 3],
		requests: 3,
	},
};

test.each(Object.entries(SITUATIONS))('%s ends as it should', async (_what, situation) => {
	const { parameters = getAsset(), items = 1, fault, words = [], requests = Infinity } = situation;
	clock.run();
	await studio.run(getAsset(studio.service.assets[0]!.id));
	studio.service.requests.length = 0;
	studio.service.injectFault(fault());
	const { errors, seconds } = await runItems(parameters, items);

	expect(errors).toHaveLength(words.length > 0 ? items : 0);
	for (const word of words) expect(errors.filter((error) => !word.test(error))).toEqual([]);
	expect(seconds).toBeGreaterThanOrEqual(situation.seconds[0]);
	expect(seconds).toBeLessThan(situation.seconds[1]);
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
])(
	'A plan of %i slots for %i s makes the videos of %i executions of %i, each once',
	async (slots, seconds, executions, items, headers) => {
		limitSlots(slots, seconds, headers);
		clock.run();
		const begun = Date.now();
		const create = async () => await runItems(createVideo({ script: ITEM_SCRIPT }), items);
		await Promise.all(Array.from({ length: executions }, create));
		const wanted = executions * items;
		const idealMs = (Math.ceil(wanted / slots) - 1) * seconds * 1000;

		expect(studio.service.videos).toHaveLength(wanted);
		expect(Date.now() - begun).toBeLessThan(2 * idealMs);
		expect(countStatus(429)).toBeLessThanOrEqual(15 * wanted);
	},
);

test('G5: Forty executions share what a service allows at a time', async () => {
	const [executions, items, concurrent, latencyMs] = [40, 5, 5, 500];
	studio.service.configure({ rateLimit: { concurrent }, latencyMs });
	clock.run();
	const begun = Date.now();
	const read = async () => await runItems(getAsset(), items);
	const results = await Promise.all(Array.from({ length: executions }, read));
	const idealMs = (executions * items * latencyMs) / concurrent;

	expect(results.flatMap(({ errors }) => errors)).toEqual([]);
	expect(Date.now() - begun).toBeLessThan(idealMs / 0.9);
	expect(countStatus(429)).toBeLessThanOrEqual(66);
});

test('What was sent before a pause and succeeds does not end the pause', async () => {
	clock.run();
	studio.service.injectFault({ latencyMs: 50, times: 1 });
	studio.service.injectFault({ ...QUOTA, headers: retryAfter(86_400) });
	const first = await runItems(getAsset(), 20);
	const second = await runItems(getAsset(), 1);

	expect([first.errors.length, second.errors.length]).toEqual([19, 1]);
	expect(second.seconds).toBeLessThan(5);
});

test('Reads do not wait for creations that wait', async () => {
	limitSlots(0, 3_600);
	clock.run();
	const videos = studio.start(createVideo({ script: ITEM_SCRIPT }), {
		items: createScriptItems(6),
	});
	await studio.service.waitForRequest(() => countStatus(429) >= 6);
	const { errors, seconds } = await runItems(getAsset(), 200);
	await videos.cancel();

	expect(errors).toEqual([]);
	expect(seconds).toBeLessThan(2);
});

test('A used-up quota ends a run, and each round of a loop after it, though others keep asking', async () => {
	studio.service.injectFault(QUOTA);
	clock.run();
	let isOver = false;
	const others = (async () => {
		while (!isOver) {
			await searchList('searchAssets', studio.credentials).catch(() => undefined);
			await new Promise((resolve) => setTimeout(resolve, 60_000));
		}
	})();
	const first = await runItems(getAsset(), 20);
	const second = await runItems(getAsset(), 20);
	isOver = true;
	await others;

	for (const error of [...first.errors, ...second.errors]) expect(error).toContain('quota used up');
	expect([first.errors.length, second.errors.length]).toEqual([20, 20]);
	expect(first.seconds).toBeLessThan(17 * 60);
	expect(second.seconds).toBeLessThan(60);
});

test('A request that is refused a hundred times fails, though others are admitted', async () => {
	clock.run();
	studio.service.injectFault({
		status: 429,
		when: ({ body }) => JSON.stringify(body).includes('Script 0'),
	});
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
	const before = await startService({ port });
	before.injectFault({ status: 503, body: { message: 'Down for repair' } });
	clock.run();
	const begun = Date.now();
	const running = runItems(getAsset(), 20, { ...studio.credentials, baseUrl: url });
	await before.waitForRequest(({ startedAt }) => startedAt > begun + 100_000);
	await before.close();
	const { errors, seconds } = await running;

	expect(errors).toHaveLength(20);
	for (const error of errors) expect(error).toContain('did not respond at its address');
	expect(seconds).toBeLessThan(300);
});

test('A run survives ten seconds in which the host refuses connections', async () => {
	const { url, port } = await findUnusedAddress();
	const before = await startService({ port });
	const { id } = before.assets[0]!;
	clock.run();
	await studio.run(getAsset(id), { credentials: { ...studio.credentials, baseUrl: url } });
	await before.close();
	const running = runItems(SPEECH, 80, { ...studio.credentials, baseUrl: url });
	await new Promise((resolve) => setTimeout(resolve, 10_000));
	const after = await startService({ port });
	const { errors } = await running;
	const { speeches } = after;
	await after.close();

	expect(errors).toEqual([]);
	expect(new Set(speeches.map(({ script }) => script)).size).toBe(80);
	expect(speeches).toHaveLength(80);
});

describe('For a user,', () => {
	it('a pause of two seconds is not too long, one of a minute is, and each search asks', async () => {
		clock.run();
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

	it('a list comes before what a run has waiting, and an execution takes turns with it', async () => {
		clock.run();
		studio.service.configure({ rateLimit: { concurrent: 5 } });
		const long = runItems(getAsset(), 400);
		await studio.service.waitForRequest();
		await searchList('searchAssets', studio.credentials);
		const before = studio.service.requests.length;
		await runItems(getAsset(), 10);
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
	studio.service.injectFault({ status: 429, headers });
	const items = createIdItems(studio.service.addAssets(count));
	const run = studio.start(getAsset(ITEM_ID), { items });
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
	clock.run();
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
	const credentials = { ...studio.credentials, baseUrl: host.url };
	const { error } = await studio.getOutcome(SPEECH, { items: createScriptItems(400), credentials });

	expect(error?.message).toContain('No credits');
	expect(sentAfter).toBe(0);
});

test('50 requests are in flight, and no more', async () => {
	clock.run();
	studio.service.configure({ latencyMs: 600 });
	await runItems(getAsset(), 60);

	expect(studio.service.peakInFlight).toBe(50);
});

test.each([
	['address', 'localhost', undefined],
	['key', '127.0.0.1', 'another-key'],
])('A pause is not that of an account with another %s', async (_what, hostName, apiKey) => {
	studio.service.injectFault({ status: 429, headers: retryAfter(60), times: 1 });
	await expect(searchList('searchVoices', studio.credentials)).rejects.toThrow('too many requests');
	if (apiKey) studio.service.configure({ apiKey });
	const baseUrl = studio.service.url.replace('127.0.0.1', hostName);
	// The clock is stopped: this would not return if it waited.
	await studio.run(getAsset(studio.service.assets[0]!.id), {
		credentials: { apiKey: apiKey ?? studio.service.apiKey, baseUrl },
	});

	expect(studio.getRoutes()).toHaveLength(2);
});
