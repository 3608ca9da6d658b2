import { CongestionController } from '../../../nodes/AvatarStudio/client/limiter/congestionController';
import {
	type Arrivals,
	both,
	concurrent,
	type Limit,
	perOpenedSecond,
	perSlidingSecond,
	perWallClockWindow,
	simulateLimits,
	type Simulation,
	tokenBucket,
} from '../../support/simulateLimits';

type Case = [
	name: string,
	createLimit: () => Limit,
	options: Omit<Simulation, 'limit' | 'seconds'> & { seconds?: number },
	/** Of what the service allows, the mean of both seeds. */
	leastShare: number,
	mostRefusals?: number,
];

const SEEDS = [1, 2];
const RETRY_AFTER = { retryAfter: 1 };

/** Executions that start one after the other, and a long one. */
const oneByOne = (requests: number): Arrivals => [
	...Array.from({ length: 8 }, (_, index): [number, number] => [index * 63, 1]),
	[8 * 63, requests - 8],
];
const fortyAtOnce = (requests: number): Arrivals =>
	Array.from({ length: 40 }, (_, index) => [index * 32, requests / 40]);

/** Another limit from a second on. */
const changing = (before: number, after: number, second: number) =>
	concurrent((now) => (now < second * 1000 ? before : after));

function measure(createLimit: () => Limit, options: Case[2], seeds = SEEDS) {
	const results = seeds.map((seed) =>
		simulateLimits({ seconds: 40, latencyMs: 200, ...options, limit: createLimit(), seed }),
	);
	const mean = (values: number[]) => values.reduce((sum, value) => sum + value) / values.length;
	return {
		share: mean(results.map(({ share }) => share)),
		refusals: mean(results.map(({ refusals }) => refusals)),
		smallestPart: mean(results.map(({ fairness }) => Math.min(...fairness))),
		endedAtMs: Math.max(...results.map(({ endedAtMs }) => endedAtMs)),
	};
}

type Group = [
	name: string,
	cases: [createLimit: () => Limit, options?: Case[2]][],
	leastShare: number,
	leastShareRetryAfter: number,
];

/** Combines each limit with each latency. */
const combine = (limits: (() => Limit)[], latencies: number[], options?: Case[2]): Group[1] =>
	limits.flatMap((createLimit) =>
		latencies.map((latencyMs): Group[1][number] => [createLimit, { latencyMs, ...options }]),
	);
const inFlight = (...limits: number[]) => limits.map((limit) => () => concurrent(limit));
const perSecond = (...limits: number[]) =>
	limits.flatMap((limit) => [
		() => perOpenedSecond(limit),
		() => perSlidingSecond(limit),
		() => perWallClockWindow(limit, 1000, 337),
	]);
const buckets = (...limits: [number, number][]) =>
	limits.map(
		([rate, size]) =>
			() =>
				tokenBucket(rate, size),
	);

/** The mean of many cases says more about the principle than any one of them. */
describe('On average, a service is used that limits', () => {
	it.each<Group>([
		[
			'requests in flight',
			[...combine(inFlight(1, 3, 5, 12), [50]), ...combine(inFlight(1, 5, 20, 35), [400])],
			0.92,
			0.88,
		],
		[
			'requests in flight, and responds slowly',
			combine(inFlight(2, 5, 12), [5_000, 20_000], { seconds: 400 }),
			0.97,
			0.97,
		],
		['a rate', combine(perSecond(3, 20, 50), [50, 400]), 0.91, 0.91],
		[
			'a rate, and responds slowly',
			combine(perSecond(1, 2, 5), [2_000, 5_000], { seconds: 180 }),
			0.88,
			0.79,
		],
		[
			'a rate, and saves some of it',
			combine(buckets([5, 5], [20, 4], [50, 10], [50, 25]), [50, 400]),
			0.95,
			0.65,
		],
		[
			'a rate, and takes one request at a time',
			combine(buckets([5, 1], [20, 1]), [400, 2_000]),
			0.5,
			0.2,
		],
		[
			'what several processes send',
			combine([...inFlight(5, 20), ...perSecond(20)], [200], {
				processes: 3,
				seconds: 80,
				countFromSecond: 20,
			}),
			0.9,
			0.87,
		],
		[
			'requests in flight and a rate',
			combine(
				[
					() => both(concurrent(5), perOpenedSecond(20)),
					() => both(concurrent(10), perOpenedSecond(60)),
				],
				[100, 250],
			),
			0.9,
			0.84,
		],
	])('%s', (_name, cases, leastShare, leastShareRetryAfter) => {
		const measureGroup = (retryAfter: number) => {
			const shares = cases.map(
				([createLimit, options]) => measure(createLimit, { ...options, retryAfter }, [1]).share,
			);
			return shares.reduce((sum, share) => sum + share) / shares.length;
		};

		expect(measureGroup(0)).toBeGreaterThan(leastShare);
		expect(measureGroup(1)).toBeGreaterThan(leastShareRetryAfter);
	});
});

describe('A service is used to a large part if it allows', () => {
	it.each<Case>([
		['1 in flight', () => concurrent(1), { latencyMs: 100 }, 0.9, 0.35],
		['3 in flight', () => concurrent(3), {}, 0.95, 0.15],
		['20 in flight', () => concurrent(20), {}, 0.95, 0.05],
		['12 in flight, Retry-After 5', () => concurrent(12), { retryAfter: 5, seconds: 120 }, 0.85],
		['20 a second', () => perOpenedSecond(20), {}, 0.9, 0.2],
		['50 a second, Retry-After', () => perOpenedSecond(50), RETRY_AFTER, 0.85, 0.1],
		['300 a minute', () => perWallClockWindow(300, 60_000), { seconds: 240, retryAfter: 5 }, 0.9],
		['20 in flight, refusals slow', () => concurrent(20), { refusalMs: 1_000 }, 0.7],
		['50 a second, refusals slow', () => perOpenedSecond(50), { refusalMs: 1_000 }, 0.85],
		['20 in flight, n8n busy', () => concurrent(20), { longestStallMs: 200 }, 0.85],
		['5 in flight, 8 s of work', () => concurrent(5), { arrivals: [[0, 400]] }, 0.85],
		['20 in flight, executions', () => concurrent(20), { arrivals: oneByOne(2_000) }, 0.9],
		['50 a second, executions', () => perOpenedSecond(50), { arrivals: fortyAtOnce(800) }, 0.85],
	])('%s', (_name, createLimit, options, leastShare, mostRefusals = Infinity) => {
		const { share, refusals } = measure(createLimit, { seconds: 40, ...options });

		expect(share).toBeGreaterThan(leastShare);
		expect(refusals).toBeLessThan(mostRefusals);
	});
});

test('Forty executions that start within a second find a limit, however busy n8n is', () => {
	const arrivals = Array.from({ length: 40 }, (_, index): [number, number] => [index * 33, 25]);
	const busy = { workMs: 1.5, sendMs: 2, longestStallMs: 100 };
	for (const seed of [1, 2, 3, 4, 5, 6, 7, 8]) {
		const options = { ...RETRY_AFTER, ...busy, arrivals, seconds: 200 };

		expect(measure(() => concurrent(8), options, [seed]).share).toBeGreaterThan(0.7);
	}
});

test.each<[perSecond: number, latencyMs: number]>([
	[1, 5_000],
	[5, 5_000],
	[10, 3_000],
	[20, 1_000],
])('A rate of %i a second is found although responses take %i ms', (perSecond, latencyMs) => {
	for (const retryAfter of [0, 1]) {
		for (const [jitter, leastShare] of [
			[0.2, 0.7],
			[0, 0.6],
		] as const) {
			const options = { latencyMs, jitter, retryAfter, seconds: 180 };
			const { share } = measure(() => perOpenedSecond(perSecond), options);

			expect(share).toBeGreaterThan(leastShare);
		}
	}
});

describe('A limit that changes is followed:', () => {
	it.each<Case>([
		['20 to 5 in flight', () => changing(20, 5, 30), {}, 0.85],
		['12 to 1 in flight', () => changing(12, 1, 30), {}, 0.8],
		['5 to 20 in flight', () => changing(5, 20, 30), {}, 0.85],
		['none for 30 s', () => changing(0, 50, 30), { workMs: 0, countFromSecond: 50 }, 0.85],
		[
			'none for 30 s, Retry-After',
			() => changing(0, 50, 30),
			{ workMs: 0, countFromSecond: 50, retryAfter: 5 },
			0.85,
		],
		[
			'5 to 20 in flight, Retry-After, a minute later',
			() => changing(5, 20, 30),
			{ ...RETRY_AFTER, countFromSecond: 90, seconds: 120 },
			0.8,
		],
	])('%s', (_name, createLimit, options, leastShare) => {
		const { share } = measure(createLimit, { countFromSecond: 30, seconds: 60, ...options });

		expect(share).toBeGreaterThan(leastShare);
	});

	it('a single refusal of a single request limits nothing', () => {
		const createLimit = () => {
			const limit = concurrent(Infinity);
			return { ...limit, admit: (now: number) => now > 1_000 && limit.admit(now) };
		};
		const arrivals: Arrivals = [
			[0, 1],
			[6_000, 400],
		];
		const options = { latencyMs: 300, retryAfter: 5, arrivals, seconds: 66 };

		expect(measure(createLimit, options).endedAtMs).toBeLessThan(10_000);
	});

	it('nothing is known of it ten minutes after the last refusal', () => {
		const later = 20 * 60_000;
		const arrivals: Arrivals = [
			[0, 300],
			[later / 2, 300],
			[later, 400],
		];
		const options = { ...RETRY_AFTER, latencyMs: 300, arrivals, seconds: later / 1000 + 60 };
		const { endedAtMs } = measure(() => changing(5, Infinity, 60), options);

		expect(endedAtMs - later).toBeLessThan(4_000);
	});
});

describe('Processes that do not know of each other share', () => {
	it.each<[string, () => Limit, number, number]>([
		['3 in flight', () => concurrent(3), 2, 0.3],
		['20 in flight', () => concurrent(20), 4, 0.3],
		['50 a second', () => perOpenedSecond(50), 4, 0.3],
	])('%s', (_name, createLimit, processes, part) => {
		const options = { processes, seconds: 80, countFromSecond: 20 };
		const { share, smallestPart } = measure(createLimit, options);

		expect(share).toBeGreaterThan(0.75);
		expect(smallestPart).toBeGreaterThan(part);
	});
});

describe('Few requests are refused', () => {
	it('of the workers of queue mode that start together', () => {
		const options = { processes: 2, latencyMs: 500, arrivals: [[0, 20]] as Arrivals };
		const { refusals, endedAtMs } = measure(() => concurrent(5), options);

		// Of the 20 with which each starts, 35 must be.
		expect(refusals * 40).toBeLessThan(50);
		expect(endedAtMs).toBeLessThan(12_000);
	});

	it('if responses take so long that none was sent for a second', () => {
		const options = { latencyMs: 20_000, seconds: 600 };
		const { refusals, share } = measure(() => concurrent(2), options);

		// The 48 of the first 50 are most of them.
		expect(refusals * 60).toBeLessThan(90);
		expect(share).toBeGreaterThan(0.9);
	});

	it('after five minutes with hardly a request, in which no limit was tested', () => {
		const arrivals: Arrivals = [
			[0, 300],
			...Array.from({ length: 100 }, (_, index): [number, number] => [30_000 + index * 3_000, 1]),
			[330_000, 300],
		];
		const { refusals } = measure(() => concurrent(5), { arrivals, seconds: 400 });

		// 45 of the first 50.
		expect(refusals * 700).toBeLessThan(75);
	});

	it('during an outage', () => {
		let sent = 0;
		const createLimit = () => ({ ...concurrent(50), admit: () => ++sent === 0 });
		measure(createLimit, { seconds: 60 }, [1]);

		expect(sent).toBeLessThan(100);
	});
});

test('A service without limits has 50 requests in flight nearly all the time', () => {
	const unlimited: Limit = {
		...concurrent(Infinity),
		getCapacity: (latencyMs) => 50_000 / latencyMs,
	};
	const { share, refusals } = measure(() => unlimited, { latencyMs: 200, seconds: 20 });

	expect(share).toBeGreaterThan(0.95);
	expect(refusals).toBe(0);
});

test('No order of events and no slip of the clock makes it fail', () => {
	const controller = new CongestionController(() => 0.5);
	const tickets = [100, 99, 250, 120, 40].map((now) => controller.onStart(now));
	for (const [index, now] of [130, 90, 20_000, 10, 9].entries()) {
		controller.onRefused(tickets[index]!, now, index * 1_000);
		controller.onEnd(tickets[index]!, now - 5);

		expect(controller.getDelayMs(now)).toBeGreaterThanOrEqual(0);
	}
});
