import type { ServerResponse } from 'node:http';

import { startService } from '../../../service/service';
import { useClock } from '../../support/clock';
import { getError, getErrorText } from '../../support/engine/engine';
import {
	createIdItems,
	createScriptItems,
	createSpeech,
	createSpeeches,
	createVideo,
	getAsset,
	ITEM_SCRIPT,
	withTimeout,
} from '../../support/parameters';
import { findUnusedAddress, startRawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

const studio = useStudio();
const clock = useClock();

const count = (method: string, status?: number) =>
	studio.service.requests.filter(
		(request) =>
			request.method === method && (status === undefined || request.responseStatus === status),
	).length;

/** A plan that renders so many videos at a time: each is responded to at once, and takes its slot. */
function limitSlots(slots: number, seconds: number, headers = {}): void {
	let ends: number[] = [];
	studio.service.injectFault({
		when: ({ method }) => {
			ends = ends.filter((end) => end > Date.now());
			if (method !== 'POST' || ends.length >= slots) return method === 'POST';
			ends.push(Date.now() + seconds * 1000);
			return false;
		},
		status: 429,
		headers,
	});
}

const createVideos = async (items: number) =>
	await studio.run(createVideo({ script: ITEM_SCRIPT }), { items: createScriptItems(items) });

describe('A plan that renders a few videos at a time', () => {
	it.each([
		[10, 240, 40, 1, {}],
		[3, 360, 1, 12, {}],
		[1, 400, 1, 3, {}],
		[1, 400, 1, 3, { 'retry-after': '120' }],
		[2, 600, 3, 2, {}],
	])(
		'(%i for %i s, %i executions of %i) makes each of them once',
		async (slots, seconds, executions, items, headers) => {
			limitSlots(slots, seconds, headers);
			clock.run(100);
			const begun = Date.now();
			await Promise.all(Array.from({ length: executions }, async () => await createVideos(items)));
			const wanted = executions * items;
			const idealMs = (Math.ceil(wanted / slots) - 1) * seconds * 1000;

			expect(studio.service.videos).toHaveLength(wanted);
			expect(Date.now() - begun).toBeLessThan(1.6 * idealMs);
			expect(count('POST', 429)).toBeLessThanOrEqual(14 * wanted);
		},
		60_000,
	);

	it('does not slow down what another workflow reads', async () => {
		limitSlots(1, 3_600);
		clock.run(20);
		const videos = studio.start(createVideo({ script: ITEM_SCRIPT }), {
			items: createScriptItems(6),
		});
		await studio.service.waitForRequest(() => count('POST') > 6);
		const begun = Date.now();
		await studio.run(getAsset(), { items: createIdItems(studio.service.addAssets(200)) });
		const readMs = Date.now() - begun;
		await videos.cancel();

		expect(count('GET')).toBe(200);
		expect(readMs).toBeLessThan(60_000);
	});
});

test.each([
	['one of the first breaks', 3, 600, true, [3, 9], 60],
	['the first breaks', 1, 120, true, [1, 6], 40],
	['another program has it for a minute', 1, 120, false, [5], 40],
])(
	'A slot that is taken from outside costs nobody’s video: %s (%i of %i s)',
	async (_what, slots, seconds, breaks, executions, most) => {
		// Any faster, a busy machine is late by seconds, and refusals look like those of a rate.
		clock.run(200);
		let rendering = breaks ? 0 : 1;
		let refused = 0;
		const host = await startRawHost((request, response) => {
			request.resume().on('end', () => {
				if (rendering >= slots) return void (refused++, response.writeHead(429).end());
				rendering++;
				// What is rendered goes on without its connection.
				if (breaks && host.requests === 1) setTimeout(() => response.destroy(), 20_000);
				setTimeout(() => {
					rendering--;
					response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
				}, seconds * 1000);
			});
		});
		if (!breaks) setTimeout(() => rendering--, 60_000);
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const settings = { onError: 'continueRegularOutput' } as const;
		const outcomes = executions.map(async (count, number) => {
			await new Promise((resolve) => setTimeout(resolve, number * 40_000));
			const [speeches, input] = createSpeeches(count, { credentials, settings });
			return await studio.getOutcome(withTimeout(1_200_000, speeches), input);
		});
		const json = (await Promise.all(outcomes)).flatMap((outcome) => outcome.json);

		expect(json.filter(({ mayExist }) => mayExist === false)).toStrictEqual([]);
		expect(json.filter(({ mayExist }) => mayExist === true)).toHaveLength(breaks ? 1 : 0);
		expect(refused).toBeLessThan(most);
	},
	60_000,
);

test('A slot does not stay empty for long, although every fifth video breaks', async () => {
	clock.run(2_000);
	let rendering = 0;
	const host = await startRawHost((request, response) => {
		request.setEncoding('utf8').on('data', (body: string) => {
			if (rendering > 0) return void response.writeHead(429).end();
			rendering++;
			const breaks = Number(/Script (\d+)/.exec(body)![1]) % 5 === 1;
			setTimeout(
				() => {
					rendering--;
					const status = breaks ? 502 : 200;
					response.writeHead(status, { 'content-type': 'application/json' }).end('{"id":"1"}');
				},
				breaks ? 100_000 : 200_000,
			);
		});
	});
	const begun = Date.now();
	const { json } = await studio.run(
		...createSpeeches(24, {
			credentials: { ...studio.credentials, baseUrl: host.url },
			settings: { onError: 'continueRegularOutput' },
		}),
	);

	expect(json.filter(({ mayExist }) => mayExist === false)).toStrictEqual([]);
	expect((Date.now() - begun) / 1000).toBeLessThan(2 * 24 * 200);
}, 60_000);

test('One failure ends nobody’s wait for slots that the run itself takes for longer than Wait If Busy', async () => {
	clock.run(300);
	let rendering = 0;
	const host = await startRawHost((request, response) => {
		request.resume();
		if (host.requests === 12) return void response.writeHead(502).end();
		if (rendering === 2) return void response.writeHead(429).end();
		rendering++;
		setTimeout(() => {
			rendering--;
			response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
		}, 120_000);
	});
	const [speeches, input] = createSpeeches(10, {
		credentials: { ...studio.credentials, baseUrl: host.url },
		settings: { onError: 'continueRegularOutput' },
	});
	const { json } = await studio.run({ ...speeches, options: { waitIfBusyMinutes: 1 } }, input);

	expect(json.filter(({ mayExist }) => mayExist === true)).toHaveLength(1);
	expect(json.filter(({ mayExist }) => mayExist === false)).toEqual([]);
}, 60_000);

test.each([
	[
		'the first renders after a restart of n8n',
		50,
		{ seconds: 20, downAt: 7, downSeconds: 20, lateSeconds: 0, most: 7 },
	],
	[
		'later ones, to which a gateway responds late',
		100,
		{ seconds: 60, downAt: 130, downSeconds: 60, lateSeconds: 60, most: 9 },
	],
])(
	'A deploy during %s fails those alone, and one more at a time',
	async (_name, speed, { seconds, downAt, downSeconds, lateSeconds, most }) => {
		clock.run(speed);
		const downFrom = Date.now() + downAt * 1000;
		const isDown = () => Date.now() > downFrom && Date.now() < downFrom + downSeconds * 1000;
		let sentWhileDown = 0;
		const rendering = new Set<ServerResponse>();
		const host = await startRawHost((request, response) => {
			request.resume();
			if (isDown()) {
				sentWhileDown++;
				return void setTimeout(() => response.writeHead(504).end(), lateSeconds * 1000);
			}
			if (rendering.size === 5) return void response.writeHead(429).end();
			rendering.add(response);
			setTimeout(() => {
				rendering.delete(response);
				response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"1"}');
			}, seconds * 1000);
		});
		setTimeout(() => {
			for (const response of rendering) response.destroy();
			rendering.clear();
		}, downAt * 1000);
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const settings = { onError: 'continueRegularOutput' } as const;
		const { json } = await studio.run(...createSpeeches(30, { credentials, settings }));

		expect(json.filter(({ mayExist }) => mayExist === false)).toStrictEqual([]);
		expect(sentWhileDown).toBeLessThan(most);
	},
	60_000,
);

describe('A used-up quota', () => {
	const QUOTA = { status: 429, body: { message: 'Monthly quota used up' } };

	it('ends each round of a loop in its words, the first after 15 minutes, later ones after one request', async () => {
		studio.service.injectFault(QUOTA);
		clock.run(500);
		const rounds: { ms: number; sent: number }[] = [];
		for (let round = 0; round < 3; round++) {
			const [begun, before] = [Date.now(), count('POST')];
			const error = await getError(studio.run(...createSpeeches(20)));
			rounds.push({ ms: Date.now() - begun, sent: count('POST') - before });

			expect(getErrorText(error)).toContain('Monthly quota used up');
		}
		const [first, ...later] = rounds;

		expect(first!.ms).toBeLessThan(17 * 60_000);
		expect(first!.sent).toBeLessThan(100);
		expect(Math.max(...later.map(({ ms }) => ms))).toBeLessThan(60_000);
		expect(later.map(({ sent }) => sent)).toEqual([1, 1]);
	});

	it.each([0, 1])('ends after the %i minutes that the user wants to wait', async (minutes) => {
		studio.service.injectFault(QUOTA);
		clock.run(100);
		const begun = Date.now();
		const parameters = createSpeech({ options: { waitIfBusyMinutes: minutes } });
		const error = await getError(studio.run(parameters));

		expect(getErrorText(error)).toContain('Monthly quota used up');
		expect(Date.now() - begun).toBeLessThan((minutes + 0.5) * 60_000);
		// At 0 nothing is said of a wait, because there was none.
		expect(getErrorText(error).includes('was not sent again')).toBe(minutes > 0);
		expect(count('POST') === 1).toBe(minutes === 0);
	});
});

test('A service that asks for as long a pause as a creation waits is asked again after it', async () => {
	clock.run(100);
	studio.service.injectFault({ status: 429, headers: { 'retry-after': '60' }, times: 1 });
	const { json } = await studio.run(createSpeech({ options: { waitIfBusyMinutes: 1 } }));

	expect(json).toHaveLength(1);
	expect(studio.service.speeches).toHaveLength(1);
});

describe('A deploy of ten seconds', () => {
	it('is survived by whatever had no effect', async () => {
		const { url, port } = await findUnusedAddress();
		const credentials = { ...studio.credentials, baseUrl: url };
		const before = await startService({ port });
		const { id } = before.assets[0]!;
		clock.run(20);
		await studio.run(getAsset(id), { credentials });
		await before.close();
		const [parameters, options] = createSpeeches(80, { credentials });
		const running = studio.run(parameters, options);
		while (clock.countTimers() === 0) await new Promise((resolve) => setImmediate(resolve));
		await clock.pass(10_000);
		const after = await startService({ port });
		const { json } = await running;
		const { speeches } = after;
		await after.close();

		expect(json).toHaveLength(80);
		expect(new Set(speeches.map(({ script }) => script)).size).toBe(80);
		expect(speeches).toHaveLength(80);
	});

	it.each([
		[502, 100],
		[503, 100],
		[504, 100],
		[502, 1],
	])('(%i) is survived by whatever reads (%i items)', async (status, length) => {
		clock.run(100);
		const items = createIdItems(studio.service.addAssets(length));
		await studio.run(getAsset(items[0]!.json.id));
		const back = Date.now() + 10_000;
		studio.service.injectFault({ when: () => Date.now() < back, status });
		const { json } = await studio.run(getAsset(), { items });

		expect(json).toHaveLength(length);
	});
});

test.each([
	[1, 240, 4, 1],
	[3, 240, 1, 12],
])(
	'A plan that makes %i videos at a time and responds when one is made (%i s) refuses few of %i executions of %i',
	async (slots, seconds, executions, count) => {
		clock.run(500);
		let [busy, made, refused] = [0, 0, 0];
		const host = await startRawHost((request, response) => {
			request.resume();
			if (busy >= slots) {
				refused++;
				response.writeHead(429).end();
				return;
			}
			busy++;
			setTimeout(() => {
				busy--;
				made++;
				response.writeHead(200, { 'content-type': 'application/json' }).end('{"id":"x"}');
			}, seconds * 1000);
		});
		const credentials = { ...studio.credentials, baseUrl: host.url };
		const items = createScriptItems(count);
		const run = async () =>
			await studio.run(createVideo({ script: ITEM_SCRIPT }), { credentials, items });
		await Promise.all(Array.from({ length: executions }, run));

		expect(made).toBe(executions * count);
		expect(refused).toBeLessThanOrEqual(14 * executions * count);
	},
	60_000,
);
