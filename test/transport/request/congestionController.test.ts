import { CongestionController } from '../../../nodes/AvatarStudio/transport/request/congestionController';
import type { ReportedLimits } from '../../../nodes/AvatarStudio/transport/request/rateLimitHeaders';
import {
	concurrent,
	type Limit,
	perFixedSecond,
	perOpenedSecond,
	perSlidingSecond,
	simulateLimits,
	tokenBucket,
} from '../../support/simulateLimits';

const LIMITS: [string, () => Limit][] = [
	...[3, 5, 12, 20].map((limit): [string, () => Limit] => [
		`${limit} requests at a time`,
		() => concurrent(limit),
	]),
	...[20, 50].flatMap((limit): [string, () => Limit][] => [
		[`${limit} requests per second of its clock`, () => perFixedSecond(limit)],
		[`${limit} requests per second from the first one`, () => perOpenedSecond(limit)],
		[`${limit} requests in any second`, () => perSlidingSecond(limit)],
	]),
];
const SEEDS = [1, 2, 3];

describe.each(LIMITS)('a service that allows %s', (_name, createLimit) => {
	it.each(SEEDS)('is used to at least 93 %% (seed %i)', (seed) => {
		const result = simulateLimits({ limit: createLimit(), seconds: 40, seed });

		expect(result.share).toBeGreaterThan(0.93);
		expect(result.refusals).toBeLessThan(0.15);
	});

	it.each(SEEDS)('and asks to wait a second is used to at least 90 %% (seed %i)', (seed) => {
		const result = simulateLimits({ limit: createLimit(), retryAfter: 1, seconds: 40, seed });

		expect(result.share).toBeGreaterThan(0.9);
		expect(result.refusals).toBeLessThan(0.1);
	});

	it('and asks to wait five seconds is used to at least 84 %', () => {
		const result = simulateLimits({ limit: createLimit(), retryAfter: 5, seconds: 120 });

		expect(result.share).toBeGreaterThan(0.84);
		expect(result.refusals).toBeLessThan(0.05);
	});

	it.each(SEEDS)('and asks to wait is used to 78 %% by a busy n8n (seed %i)', (seed) => {
		const limit = createLimit();
		const busy = { longestStallMs: 200, retryAfter: 1, seconds: 40, seed };

		expect(simulateLimits({ limit, ...busy }).share).toBeGreaterThan(0.78);
	});

	it.each([
		[2, 0.85, 0.5],
		[4, 0.75, 0.3],
	])(
		'is shared by %i processes that do not know of each other',
		(processes, expectedShare, expectedPart) => {
			const limit = createLimit();
			const { share, fairness } = simulateLimits({
				limit,
				processes,
				seconds: 80,
				countFromSecond: 20,
			});

			expect(share).toBeGreaterThan(expectedShare);
			// Three slots cannot be shared evenly by four.
			const smallestPart = limit.getCapacity(1000) < processes ? 1 : Math.min(...fairness);
			expect(smallestPart).toBeGreaterThan(expectedPart);
		},
	);
});

describe.each([
	[20, 4, 0.55],
	[20, 10, 0.7],
	[50, 10, 0.8],
	[50, 25, 0.67],
	[50, 50, 0.95],
])('a token bucket of %i per second that holds %i', (perSecond, size, expected) => {
	it.each(SEEDS)('is used to at least 90 %% (seed %i)', (seed) => {
		const limit = tokenBucket(perSecond, size);

		expect(simulateLimits({ limit, seconds: 40, seed }).share).toBeGreaterThan(0.9);
	});

	it.each(SEEDS)(`and asks to wait a second is used to at least ${expected} (seed %i)`, (seed) => {
		const limit = tokenBucket(perSecond, size);
		const { share } = simulateLimits({ limit, retryAfter: 1, seconds: 40, seed });

		expect(share).toBeGreaterThan(expected);
	});
});

test.each([1, 2, 3, 4, 5, 6, 7, 8])(
	'neither of two processes on three slots keeps the other one out (seed %i)',
	(seed) => {
		const limit = concurrent(3);
		const { fairness } = simulateLimits({ limit, processes: 2, seconds: 80, seed });

		expect(Math.min(...fairness)).toBeGreaterThan(0.3);
	},
);

describe('eight seconds of work, in which the limit has to be found first,', () => {
	it.each<[string, () => Limit, number, number]>([
		['5 requests at a time', () => concurrent(5), 0, 0.92],
		['5 requests at a time', () => concurrent(5), 1, 0.85],
		['50 requests per second', () => perOpenedSecond(50), 0, 0.87],
		['50 requests per second', () => perOpenedSecond(50), 1, 0.92],
	])(
		'use %s with a Retry-After of %i s at least %f',
		(_name, createLimit, retryAfter, expected) => {
			const shares = SEEDS.map((seed) => {
				const work = { requests: 400, seconds: 60, retryAfter, seed };
				return simulateLimits({ limit: createLimit(), ...work }).share;
			});

			expect(Math.min(...shares)).toBeGreaterThan(expected);
		},
	);
});

describe('a service without limits', () => {
	it('has 50 requests in flight nearly all the time', () => {
		const limit: Limit = {
			...concurrent(Infinity),
			getCapacity: (latencyMs) => 50_000 / latencyMs,
		};
		const { share, refusals } = simulateLimits({ limit, seconds: 20 });

		expect(share).toBeGreaterThan(0.95);
		expect(refusals).toBe(0);
	});
});

describe('a service that reports its limit', () => {
	it.each([
		['of 20 requests per second', perFixedSecond(20, true)],
		['of 50 requests per second', perFixedSecond(50, true)],
		['of 12 requests at a time', report(concurrent(12), { concurrency: 12 })],
		[
			'of 80 requests at a time, more than the 50 without a report',
			report(concurrent(80), { concurrency: 80 }),
		],
	])('%s is used to 95 %% of what 2 ms of network leave', (_name, limit) => {
		const { share, refusals } = simulateLimits({ limit, latencyMs: 200, seconds: 40 });

		expect(share).toBeGreaterThan(0.95);
		expect(refusals).toBeLessThan(0.05);
	});

	it('of requests per minute is not asked for more once none is left', () => {
		const limit = perFixedMinute(100);
		const { refusals } = simulateLimits({ limit, seconds: 125 });

		expect(refusals).toBeLessThan(0.2);
	});
});

describe('a service whose limit changes', () => {
	it.each([
		[20, 5],
		[5, 20],
		[50, 3],
		[12, 1],
	])('from %i at a time to %i is followed', (before, after) => {
		const limit = concurrent((now) => (now < 30_000 ? before : after));
		const result = simulateLimits({ limit, seconds: 60, countFromSecond: 30 });

		expect(result.share).toBeGreaterThan(0.85);
		expect(result.refusals).toBeLessThan(0.3);
	});

	it.each([0, 1, 5, 30])(
		'from nothing for 30 s, with a Retry-After of %i s, to 50 at a time is used after 10 s',
		(retryAfter) => {
			const limit = concurrent((now) => (now < 30_000 ? 0 : 50));
			const { share } = simulateLimits({ limit, retryAfter, seconds: 60, countFromSecond: 40 });

			expect(share).toBeGreaterThan(0.85);
		},
	);
});

describe('without simulation', () => {
	it('50 requests start at once, and one that is urgent beside them', () => {
		const controller = new CongestionController(() => 0);

		expect(controller.getDelayMs(49)).toBe(0);
		expect(controller.getDelayMs(50)).toBe(Infinity);
		expect(controller.getDelayMs(50, true)).toBe(0);
		expect(controller.getDelayMs(51, true)).toBe(Infinity);
	});

	it('an urgent one does not exceed a limit of the service', () => {
		const controller = new CongestionController(() => 0);
		const ticket = controller.onStart();
		controller.onRefused(ticket, 10, 0);
		const limit = controller.maxConcurrency;

		expect(limit).toBeLessThan(10);
		expect(controller.getDelayMs(limit, true)).toBe(Infinity);
	});

	it('requests refused together lower the limit once', () => {
		let now = 0;
		const controller = new CongestionController(() => now);
		const tickets = Array.from({ length: 50 }, () => controller.onStart());
		now = 5;
		for (let index = 0; index < 10; index++) controller.onRefused(tickets[index]!, 50 - index, 0);

		// Of the 40 that were let in, nine tenths.
		expect(controller.maxConcurrency).toBe(36);
	});

	it('a limit per second is recognized although one of those in flight is let in', () => {
		let now = 0;
		const controller = new CongestionController(() => now);
		const tickets = Array.from({ length: 50 }, () => controller.onStart());
		now = 100;
		const next = tickets.map((ticket) => {
			controller.onAdmitted(ticket, 50);
			return controller.onStart();
		});
		now = 105;
		next.slice(1).forEach((ticket, index) => controller.onRefused(ticket, 50 - index, 1_000));

		expect(controller.maxConcurrency).toBe(50);
	});

	it('a limit per second is recognized from one refusal after as many in flight were let in', () => {
		let now = 0;
		const controller = new CongestionController(() => now);
		const tickets = Array.from({ length: 50 }, () => controller.onStart());
		now = 100;
		controller.onAdmitted(tickets[0]!, 50);
		const next = controller.onStart();
		now = 102;
		controller.onRefused(next, 50, 1_000);

		expect(controller.maxConcurrency).toBe(50);
	});

	it('a refusal that is read after a response to a later request is not a limit per second', () => {
		let now = 0;
		const controller = new CongestionController(() => now);
		const tickets = Array.from({ length: 50 }, () => controller.onStart());
		now = 100;
		controller.onAdmitted(tickets[0]!, 50);
		controller.onRefused(tickets[49]!, 49, 1_000);

		expect(controller.maxConcurrency).toBeLessThan(50);
	});

	it('what was sent before the rate was reported counts', () => {
		let now = 0;
		const controller = new CongestionController(() => now);
		const tickets = Array.from({ length: 50 }, () => controller.onStart());
		now = 100;
		controller.onAdmitted(tickets[0]!, 50, { perSecond: 50, remaining: 49, resetMs: 1_000 });

		expect(controller.getDelayMs(49)).toBeGreaterThan(900);
		expect(controller.getDelayMs(49)).toBeLessThanOrEqual(1_000);
	});

	it('a refusal after four seconds without an admission does not slow the growth of the limit', () => {
		let now = 0;
		const controller = new CongestionController(() => now);
		const ticket = controller.onStart();
		now = 4_000;
		controller.onRefused(ticket, 50, 1_000);
		expect(controller.maxConcurrency).toBe(44);
		now = 5_000;
		controller.getDelayMs(50);
		now = 10_000;
		controller.getDelayMs(50);

		expect(controller.maxConcurrency).toBe(50);
	});

	it('few requests in flight before the first refusal do not make it a limit per second', () => {
		let now = 0;
		const controller = new CongestionController(() => now);
		for (let index = 0; index < 30; index++) {
			const ticket = controller.onStart();
			now += 50;
			controller.onAdmitted(ticket, 1);
		}
		const tickets = Array.from({ length: 6 }, () => controller.onStart());
		controller.onRefused(tickets[5]!, 6, 1_000);
		now += 1_000;
		controller.onStart();

		expect(controller.maxConcurrency).toBe(4);
		expect(controller.getDelayMs(1)).toBe(0);
	});

	it.each([
		[300_000, 300_000],
		[300_001, 0],
	])('a delay of %i ms that the service asks for pauses for %i ms', (retryAfterMs, pauseMs) => {
		const controller = new CongestionController(() => 0);
		controller.onRefused(controller.onStart(), 1, retryAfterMs);

		expect(controller.getPauseMs()).toBe(pauseMs);
	});
});

/** A limit that every response reports. */
function report(limit: Limit, reported: ReportedLimits): Limit {
	return { ...limit, report: () => reported };
}

/** So many requests in each minute, of which every response reports what is left. */
function perFixedMinute(limit: number): Limit {
	let minute = 0;
	let count = 0;
	return {
		getCapacity: () => limit / 60,
		admit: (now) => {
			if (Math.floor(now / 60_000) > minute) count = 0;
			minute = Math.floor(now / 60_000);
			return count < limit && ++count > 0;
		},
		release: () => {},
		report: (now) => ({ remaining: limit - count, resetMs: 60_000 - (now % 60_000) }),
	};
}
