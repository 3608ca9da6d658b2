import { CongestionController } from '../../../nodes/AvatarStudio/client/limiter/congestionController';
import {
	type Arrivals,
	concurrent,
	type Limit,
	perSecond,
	simulateLimits,
	type Simulation,
	tokenBucket,
} from '../../support/simulateLimits';

type Group = [name: string, limits: (() => Limit)[], options: Simulation[], leastShare: number];

const mean = (values: number[]) => values.reduce((sum, value) => sum + value) / values.length;
const inFlight = (...limits: number[]) => limits.map((limit) => () => concurrent(limit));
const rates = (...limits: number[]) => limits.map((limit) => () => perSecond(limit));
const buckets = [() => tokenBucket(5, 5), () => tokenBucket(20, 4), () => tokenBucket(50, 25)];
const latencies = (...values: number[]) => values.map((latencyMs) => ({ latencyMs }));
/** Another limit from the thirtieth second on. */
const changing = (before: number, after: number) => () =>
	concurrent((now) => (now < 30_000 ? before : after));
const CHANGES = { countFromSecond: 30, seconds: 120 };
const PROCESSES = { processes: 3, seconds: 80, countFromSecond: 20 };
const SLOWLY = { latencyMs: 10_000, seconds: 400 };
const EXECUTIONS: Arrivals = Array.from({ length: 40 }, (_, index) => [index * 32, 5]);

const results: { share: number; refusals: number }[] = [];

/** What a service limits, and the share of it that is used in the worst case, with and without Retry-After. */
describe('Most is used of what a service allows, if it limits', () => {
	it.each<Group>([
		['requests in flight', inFlight(1, 5, 12, 20), latencies(100, 400), 0.8],
		['requests in flight, and responds slowly', inFlight(2, 5, 12), [SLOWLY], 0.9],
		['a rate', rates(3, 20, 50), latencies(50, 400), 0.65],
		['a rate, and responds slowly', rates(1, 2, 5), [{ latencyMs: 3_000, seconds: 180 }], 0.7],
		['a rate, and saves some of it', buckets, latencies(50, 400), 0.5],
		['what several processes send', [...inFlight(5, 20), ...rates(20)], [PROCESSES], 0.7],
		['what changes', [changing(20, 5), changing(12, 1), changing(5, 20)], [CHANGES], 0.75],
		['forty executions', inFlight(5), [{ latencyMs: 500, arrivals: EXECUTIONS }], 0.85],
		['a busy n8n', [...inFlight(5, 20), ...rates(20, 50)], [{ latencyMs: 400, workMs: 10 }], 0.8],
	])('%s', (name, limits, options, leastShare) => {
		const group = limits.flatMap((createLimit) =>
			options.flatMap((each) =>
				[0, 1].map((retryAfter) => simulateLimits(createLimit(), { ...each, retryAfter })),
			),
		);
		results.push(...group);
		const shares = group.map(({ share }) => share);
		const [least, most] = [Math.min(...shares), Math.max(...shares)];
		process.stdout.write(`${name}: ${least.toFixed(2)} to ${most.toFixed(2)}\n`);

		expect(least).toBeGreaterThan(leastShare);
	});

	it('on average 85 % of it, and one request is refused for five admitted', () => {
		const share = mean(results.map((result) => result.share));
		const refusals = mean(results.map((result) => result.refusals));
		process.stdout.write(`Average: ${share.toFixed(2)}, refused: ${refusals.toFixed(2)}\n`);

		expect(share).toBeGreaterThan(0.85);
		expect(refusals).toBeLessThan(0.2);
	});
});

describe('A limit is forgotten:', () => {
	it('a single refusal of a single request limits nothing', () => {
		const limit = { ...concurrent(Infinity), admit: (now: number) => now > 1_000 };
		const arrivals: Arrivals = [
			[0, 1],
			[6_000, 400],
		];
		const { endedAtMs } = simulateLimits(limit, { retryAfter: 5, arrivals, seconds: 66 });

		expect(endedAtMs).toBeLessThan(10_000);
	});

	it('after a minute without a request, an outage is another one', () => {
		const controller = new CongestionController();
		controller.onRefused(controller.onStart(0), 10, 0);
		controller.onEnd();
		const later = 9 * 60_000;
		controller.onRefused(controller.onStart(later), later + 10, 0);

		expect(controller.mustGiveUp(later + 11, later - 1, 5 * 60_000)).toBe(false);
	});

	it('an outage goes on while a refusal takes longer than a minute', () => {
		const controller = new CongestionController();
		for (let minute = 0; minute < 16; minute += 2) {
			controller.onRefused(controller.onStart(minute * 60_000), (minute + 1.9) * 60_000, 0);
			controller.onEnd();
		}

		expect(controller.mustGiveUp(15.95 * 60_000, 0, 14 * 60_000)).toBe(true);
	});

	it('nothing is known of it ten minutes after the last refusal', () => {
		const later = 20 * 60_000;
		const arrivals: Arrivals = [
			[0, 300],
			[later / 2, 300],
			[later, 400],
		];
		const options = { retryAfter: 1, latencyMs: 300, arrivals, seconds: later / 1000 + 60 };
		const { endedAtMs } = simulateLimits(changing(5, Infinity)(), options);

		expect(endedAtMs - later).toBeLessThan(4_000);
	});
});

test('A service without limits has 50 requests in flight nearly all the time', () => {
	const getCapacity = (latencyMs: number) => 50_000 / latencyMs;
	const unlimited = { ...concurrent(Infinity), getCapacity };
	const { share, refusals } = simulateLimits(unlimited, { seconds: 20 });

	expect(share).toBeGreaterThan(0.95);
	expect(refusals).toBe(0);
});

test.each([
	['without a refusal', -120_000, 10_000],
	['after a refusal that is over', -1_000, 10_000],
])('A pause that is announced %s holds back who waits for its end', (_when, refusedAt, pauseMs) => {
	const controller = new CongestionController();
	controller.onRefused(controller.onStart(refusedAt - 10), refusedAt, 0);
	controller.onAdmitted(controller.onStart(refusedAt + 500), -5);
	controller.onPause(-5, pauseMs);

	expect(controller.getDelayMs(0)).toBe(pauseMs - 5);
	expect(controller.getBlockedSince(0)).toBe(-5);
	// Who waits for less asks after a minute.
	expect(controller.getDelayMs(0, 1_000)).toBe(60_000 - 5);

	controller.onAdmitted(controller.onStart(1), 2);

	expect(controller.getDelayMs(3)).toBe(0);
	expect(controller.getBlockedSince(3)).toBeUndefined();
});

test('No order of events and no slip of the clock makes it fail', () => {
	const controller = new CongestionController();
	const sent = [100, 99, 250, 120, 40].map((now) => controller.onStart(now));
	for (const [index, now] of [130, 90, 20_000, 10, 9].entries()) {
		controller.onRefused(sent[index]!, now, index * 1_000);
		controller.onPause(now, index * 1_000);
		controller.onEnd();

		expect(controller.getDelayMs(now)).toBeGreaterThanOrEqual(0);
	}
});
