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

type Options = Omit<Simulation, 'limit' | 'seconds'> & { seconds?: number };

const SEEDS = [1, 2];
const RETRY_AFTER = { retryAfter: 1 };

const fortyAtOnce = (requests: number): Arrivals =>
	Array.from({ length: 40 }, (_, index) => [index * 32, requests / 40]);

/** Another limit from a second on. */
const changing = (before: number, after: number, second: number) =>
	concurrent((now) => (now < second * 1000 ? before : after));

function measure(createLimit: () => Limit, options: Options, seeds = SEEDS) {
	const results = seeds.map((seed) =>
		simulateLimits({ seconds: 40, latencyMs: 200, ...options, limit: createLimit(), seed }),
	);
	return {
		share: mean(results.map(({ share }) => share)),
		refusals: mean(results.map(({ refusals }) => refusals)),
		endedAtMs: Math.max(...results.map(({ endedAtMs }) => endedAtMs)),
	};
}

function mean(values: number[]): number {
	return values.reduce((sum, value) => sum + value) / values.length;
}

type Group = [
	name: string,
	cases: [createLimit: () => Limit, options?: Options][],
	leastShare: number,
	leastShareRetryAfter: number,
];

/** Combines each limit with each latency. */
const combine = (limits: (() => Limit)[], latencies: number[], options?: Options): Group[1] =>
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

const all: { share: number; refusals: number }[] = [];

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
			0.45,
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
		[
			'what changes',
			combine(
				[() => changing(20, 5, 30), () => changing(12, 1, 30), () => changing(5, 20, 30)],
				[200],
				{
					countFromSecond: 30,
					seconds: 120,
				},
			),
			0.9,
			0.7,
		],
		[
			'requests of a busy n8n',
			combine([...inFlight(5, 20), ...perSecond(20)], [200], {
				longestStallMs: 200,
				workMs: 3,
				sendMs: 2,
			}),
			0.87,
			0.82,
		],
		[
			'requests, and is slow to refuse them',
			combine([...inFlight(20), ...perSecond(50)], [200], { refusalMs: 1_000 }),
			0.8,
			0.6,
		],
		[
			'requests of forty executions',
			combine(inFlight(5), [500], { arrivals: fortyAtOnce(200) }),
			0.9,
			0.9,
		],
	])('%s', (_name, cases, leastShare, leastShareRetryAfter) => {
		const measureGroup = (retryAfter: number) => {
			const results = cases.map(([createLimit, options]) =>
				measure(createLimit, { ...options, retryAfter }, [1]),
			);
			all.push(...results);
			return mean(results.map(({ share }) => share));
		};

		expect(measureGroup(0)).toBeGreaterThan(leastShare);
		expect(measureGroup(1)).toBeGreaterThan(leastShareRetryAfter);
	});
});

test('On average of all of these cases, 85 % of what a service allows is used, and one request is refused for five admitted', () => {
	expect(mean(all.map(({ share }) => share))).toBeGreaterThan(0.85);
	expect(mean(all.map(({ refusals }) => refusals))).toBeLessThan(0.2);
});

describe('A limit is forgotten:', () => {
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
