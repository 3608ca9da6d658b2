import {
	CongestionController,
	type Ticket,
} from '../../../nodes/AvatarStudio/client/limiter/congestionController';
import type { ReportedLimits } from '../../../nodes/AvatarStudio/client/limiter/rateLimitHeaders';
import {
	type Arrivals,
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
	[20, 4, 0.85],
	[20, 10, 0.75],
	[50, 10, 0.85],
	[50, 25, 0.7],
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

describe('a service that takes a second for a request', () => {
	it.each([
		[5, 1, 0.75],
		[20, 0, 0.85],
		[20, 5, 0.7],
	])(
		'and allows %i per second is used, with a Retry-After of %i s, to at least %f',
		(perSecond, retryAfter, expected) => {
			const shares = Array.from({ length: 8 }, (_, seed) => {
				const limit = perOpenedSecond(perSecond);
				return simulateLimits({ limit, latencyMs: 1_000, retryAfter, seconds: 120, seed }).share;
			});

			expect(Math.min(...shares)).toBeGreaterThan(expected);
		},
	);
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
				const arrivals: Arrivals = [[0, 400]];
				const work = { arrivals, seconds: 60, retryAfter, seed };
				return simulateLimits({ limit: createLimit(), ...work }).share;
			});

			expect(Math.min(...shares)).toBeGreaterThan(expected);
		},
	);
});

describe('executions that start one after the other', () => {
	const oneByOne = (requests: number, everyMs: number): Arrivals => [
		...Array.from({ length: 8 }, (_, index): [number, number] => [index * everyMs, 1]),
		[8 * everyMs, requests - 8],
	];
	const inGroups = (requests: number): Arrivals => [
		[0, 4],
		[300, 1],
		[750, 5],
		[1_050, 15],
		[1_150, 15],
		[1_280, requests - 40],
	];

	it.each<[string, () => Limit, Arrivals, number]>([
		['5 requests at a time', () => concurrent(5), oneByOne(500, 63), 0.82],
		['12 requests at a time', () => concurrent(12), oneByOne(1_200, 63), 0.82],
		['20 requests at a time', () => concurrent(20), oneByOne(2_000, 63), 0.82],
		['20 requests at a time', () => concurrent(20), inGroups(2_000), 0.72],
		['20 requests per second', () => perOpenedSecond(20), oneByOne(200, 63), 0.82],
		['20 requests per second', () => perOpenedSecond(20), oneByOne(200, 90), 0.8],
		['50 requests per second', () => perOpenedSecond(50), oneByOne(500, 63), 0.88],
		['50 requests per second', () => perOpenedSecond(50), inGroups(500), 0.76],
	])('use %s in ten seconds of work', (_name, createLimit, arrivals, expected) => {
		const shares = Array.from({ length: 16 }, (_, seed) => {
			const work = { arrivals, seconds: 60, retryAfter: 1, seed };
			return simulateLimits({ limit: createLimit(), ...work }).share;
		});

		expect(Math.min(...shares)).toBeGreaterThan(expected);
	});
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

	it('from 20 at a time to 40 is reached within three seconds', () => {
		for (const seed of SEEDS) {
			const limit = concurrent((now) => (now < 10_000 ? 20 : 40));
			let reachedAt = Infinity;
			const onSample = (now: number, [controller]: CongestionController[]) => {
				if (now > 10_000 && controller!.maxConcurrency >= 38) reachedAt = Math.min(reachedAt, now);
			};
			simulateLimits({ limit, seconds: 20, seed, onSample });

			expect(reachedAt).toBeLessThan(13_000);
		}
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
	let now = 0;
	let controller: CongestionController;
	beforeEach(() => {
		now = 0;
		controller = new CongestionController(() => now);
	});

	const start = (count: number) => Array.from({ length: count }, () => controller.onStart());
	const admit = (ticket: Ticket, reported?: ReportedLimits) => {
		controller.onAdmitted(ticket, reported);
		controller.onEnd(ticket);
	};
	const refuse = (ticket: Ticket, retryAfterMs = 1_000) => {
		controller.onRefused(ticket, retryAfterMs);
		controller.onEnd(ticket);
	};

	/** Lets requests in, and starts another whenever one ends. */
	const replace = (tickets: Ticket[]) =>
		tickets.flatMap((ticket) => {
			admit(ticket);
			return start(1);
		});

	/** Of 40 requests, 30 are let in: a limit either of those in flight or of those per second. */
	const admitThirty = (retryAfterMs?: number) => {
		const tickets = start(40);
		now = 5;
		for (const ticket of tickets.slice(30)) refuse(ticket, retryAfterMs);
		now = 100;
		for (const ticket of tickets.slice(0, 30)) admit(ticket);
	};

	/** Of 51 requests, the last is refused with 50 in flight: a limit per second. */
	const admitFifty = () => {
		const tickets = start(50);
		now = 100;
		admit(tickets[0]!);
		const [next] = start(1);
		now = 102;
		refuse(next!);
		for (const ticket of tickets.slice(1)) admit(ticket);
	};

	/** The requests per second at which waiting requests start. */
	const measureRate = () => {
		now += controller.getPauseMs();
		for (let count = 0; count < 5; count++) {
			now += controller.getDelayMs();
			start(1);
		}
		return 1_000 / controller.getDelayMs();
	};

	it('50 requests start at once, and one that is urgent beside them', () => {
		start(49);
		expect(controller.getDelayMs()).toBe(0);
		start(1);
		expect(controller.getDelayMs()).toBe(Infinity);
		expect(controller.getDelayMs(true)).toBe(0);
		start(1);
		expect(controller.getDelayMs(true)).toBe(Infinity);
	});

	it('an urgent one does not exceed a limit of the service', () => {
		const [ticket] = start(10);
		refuse(ticket!, 0);
		const limit = controller.maxConcurrency;

		expect(limit).toBeLessThan(10);
		expect(controller.getDelayMs(true)).toBe(Infinity);
	});

	it('requests refused together lower the limit once', () => {
		const tickets = start(50);
		now = 5;
		for (const ticket of tickets.slice(0, 10)) refuse(ticket, 0);

		// Of the 40 that were let in, nine tenths.
		expect(controller.maxConcurrency).toBe(36);
	});

	it('a limit per second is recognized although one of those in flight is let in', () => {
		const tickets = start(50);
		now = 100;
		const next = replace(tickets);
		now = 105;
		for (const ticket of next.slice(1)) refuse(ticket);

		expect(controller.maxConcurrency).toBe(50);
		// Of the 51 that were let in, nine tenths.
		expect(measureRate()).toBeCloseTo(45.9, 0);
	});

	it('a limit per second is recognized from one refusal after as many in flight were let in', () => {
		admitFifty();

		expect(controller.maxConcurrency).toBe(50);
		expect(measureRate()).toBeCloseTo(45, 0);
	});

	it('a refusal that is read after a response to a later request is not a limit per second', () => {
		const tickets = start(50);
		now = 100;
		admit(tickets[0]!);
		refuse(tickets[49]!);

		expect(controller.maxConcurrency).toBeLessThan(50);
	});

	it('requests that have just been sent do not count as let in', () => {
		const [first] = start(1);
		now = 98;
		const [burst] = start(40);
		now = 100;
		admit(first!);
		const [late] = start(1);
		now = 101;
		refuse(late!);
		refuse(burst!);

		expect(controller.maxConcurrency).toBeLessThan(40);
	});

	it('those in flight that a busy process counts too long do not make it a limit per second', () => {
		// Of five at a time, the first two end at 100 and 120 ms, but are read when seven were sent.
		const tickets = Array.from({ length: 7 }, (_, index) => {
			now = index * 20;
			return start(1)[0]!;
		});
		now = 165;
		for (const ticket of tickets.slice(0, 2)) admit(ticket);
		const next = start(3);
		now = 170;
		for (const ticket of next) refuse(ticket);

		// Nine tenths of five.
		expect(controller.maxConcurrency).toBe(4);
	});

	it.each([
		['as many per second as before a pause, although fewer in flight, are', 4, 50],
		['more per second than before a pause are not', 12, 8],
	])('%s taken for a limit per second', (_name, admittedOfSecond, expected) => {
		admitThirty();
		now = 1_010;
		const first = start(26);
		now = 1_110;
		const second = replace(first);
		now = 1_115;
		for (const ticket of second.slice(admittedOfSecond)) refuse(ticket);

		expect(controller.maxConcurrency).toBe(expected);
	});

	it.each([
		['less if most of it is let in', 40, 38.25],
		['more if far less is', 20, 31.5],
	])('the rate that was found first is decreased %s', (_name, admittedCount, expected) => {
		admitFifty();
		now = 1_200;
		const [second] = start(admittedCount + 1);
		now = 1_210;
		refuse(second!);

		expect(measureRate()).toBeCloseTo(expected, 0);
	});

	it('a rate of which most is let in is decreased less each time', () => {
		admitFifty();
		for (const [at, admittedCount] of [
			[1_200, 40],
			[2_300, 36],
		] as const) {
			now = at;
			const [first, ...others] = start(admittedCount + 1);
			now += 10;
			refuse(first!);
			for (const ticket of others) admit(ticket);
		}

		expect(measureRate()).toBeCloseTo(32.5, 0);
	});

	it('what was sent before the rate was reported counts', () => {
		const tickets = start(50);
		now = 100;
		admit(tickets[0]!, { perSecond: 50, remaining: 49, resetMs: 1_000 });

		expect(controller.getDelayMs()).toBeGreaterThan(900);
		expect(controller.getDelayMs()).toBeLessThanOrEqual(1_000);
	});

	it.each([
		['a known limit at intervals', 20, [...Array<number>(18).fill(0), 2, 4.5]],
		['a low limit at intervals of 4 ms', 10, [...Array<number>(9).fill(0), 1]],
		['the maximum at once', 50, Array<number>(50).fill(0)],
		['a higher limit at once', 60, Array<number>(60).fill(0)],
	])('requests reach %s', (_name, concurrency, expected) => {
		const [ticket] = start(1);
		now = 100;
		admit(ticket!, { concurrency });

		const startedAt: number[] = [];
		for (let delayMs = 0; delayMs < Infinity; delayMs = controller.getDelayMs()) {
			now += delayMs;
			if (delayMs > 0) continue;
			startedAt.push(now - 100);
			start(1);
		}

		expect(startedAt).toEqual(expected);
	});

	it('a reported limit of none in flight still lets one request through', () => {
		const [ticket] = start(1);
		now = 100;
		admit(ticket!, { concurrency: 0 });

		const [second] = start(1);
		expect(controller.getDelayMs()).toBe(Infinity);
		now = 200;
		admit(second!, { concurrency: 0 });

		expect(controller.getDelayMs()).toBe(0);
	});

	it('a pause that begins with a refusal is not one before it', () => {
		admitThirty(0);
		now = 1_900;
		const first = start(26);
		now = 2_000;
		const second = replace(first);
		now = 2_005;
		for (const ticket of second.slice(4)) {
			controller.onRefused(ticket, 0, { remaining: 0, resetMs: 500 });
			controller.onEnd(ticket);
		}

		admit(second[0]!, { remaining: 100, resetMs: 500 });

		expect(controller.maxConcurrency).toBeLessThan(27);
	});

	it('a refusal after four seconds without an admission does not slow the growth of the limit', () => {
		const [ticket] = start(50);
		now = 4_000;
		refuse(ticket!);
		expect(controller.maxConcurrency).toBe(44);
		now = 5_000;
		controller.getDelayMs();
		now = 10_000;
		controller.getDelayMs();

		expect(controller.maxConcurrency).toBe(50);
	});

	it('few requests in flight before the first refusal do not make it a limit per second', () => {
		for (let index = 0; index < 30; index++) {
			const [ticket] = start(1);
			now += 50;
			admit(ticket!);
		}
		const tickets = start(6);
		refuse(tickets[5]!);
		now += 1_000;

		expect(controller.maxConcurrency).toBe(4);
		for (const ticket of tickets.slice(0, 5)) controller.onEnd(ticket);
		start(1);
		expect(controller.getDelayMs()).toBe(0);
	});

	it.each([
		[300_000, 300_000],
		[300_001, 0],
	])('a delay of %i ms that the service asks for pauses for %i ms', (retryAfterMs, pauseMs) => {
		const [ticket] = start(1);
		refuse(ticket!, retryAfterMs);

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
