import {
	CongestionController,
	type Ticket,
} from '../../nodes/AvatarStudio/client/limiter/congestionController';

import { randomFrom } from './random';

/** A limit of a simulated service. Times are milliseconds of the simulated clock. */
export interface Limit {
	/** Number of requests per second that it allows if each takes `latencyMs`. */
	getCapacity(latencyMs: number): number;
	/** Admits or refuses a request. */
	admit(now: number): boolean;
	/** Called when an admitted request gets its response. */
	release(): void;
}

/** So many requests in flight; the capacity of a limit that changes is the last one. */
export function concurrent(limit: number | ((now: number) => number)): Limit {
	const getLimit = typeof limit === 'number' ? () => limit : limit;
	let active = 0;
	return {
		getCapacity: (latencyMs) => getLimit(Infinity) / (latencyMs / 1000),
		admit: (now) => active < getLimit(now) && ++active > 0,
		release: () => active--,
	};
}

/** Limits the number of requests in each window of the service's clock, by default a second. */
export function perWallClockWindow(limit: number, windowMs = 1000, phaseMs = 0): Limit {
	let window = 0;
	let count = 0;
	return {
		getCapacity: () => limit / (windowMs / 1000),
		admit: (now) => {
			const current = Math.floor((now + phaseMs) / windowMs);
			if (current > window) count = 0;
			window = current;
			return count < limit && ++count > 0;
		},
		release: () => {},
	};
}

/** Limits the number of requests in a second that starts with the first of them. */
export function perOpenedSecond(limit: number | ((now: number) => number)): Limit {
	const getLimit = typeof limit === 'number' ? () => limit : limit;
	let openedAt = -Infinity;
	let count = 0;
	return {
		getCapacity: () => getLimit(Infinity),
		admit: (now) => {
			if (now >= openedAt + 1000) {
				openedAt = now;
				count = 0;
			}
			return count < getLimit(now) && ++count > 0;
		},
		release: () => {},
	};
}

/** Limits the number of requests in any period of one second. */
export function perSlidingSecond(limit: number): Limit {
	let admitted: number[] = [];
	return {
		getCapacity: () => limit,
		admit: (now) => {
			admitted = admitted.filter((time) => time > now - 1000);
			return admitted.length < limit && admitted.push(now) > 0;
		},
		release: () => {},
	};
}

/** Each request takes a token; so many are added per second, and so many can be saved. */
export function tokenBucket(perSecond: number, size: number): Limit {
	let tokens = size;
	let filledAt = 0;
	return {
		getCapacity: () => perSecond,
		admit: (now) => {
			tokens = Math.min(size, tokens + ((now - filledAt) / 1000) * perSecond);
			filledAt = now;
			return tokens >= 1 && tokens-- > 0;
		},
		release: () => {},
	};
}

/** A request must be within both limits; one of the first that the second refuses is given back. */
export function both(first: Limit, second: Limit): Limit {
	return {
		getCapacity: (latencyMs) =>
			Math.min(first.getCapacity(latencyMs), second.getCapacity(latencyMs)),
		admit: (now) => {
			if (!first.admit(now)) return false;
			if (second.admit(now)) return true;
			first.release();
			return false;
		},
		release: () => {
			first.release();
			second.release();
		},
	};
}

/** When requests begin to wait for their turns, and how many. */
export type Arrivals = [atMs: number, requests: number][];

export interface Simulation {
	limit: Limit;
	/** Number of n8n processes, each with a controller and waiting requests. */
	processes?: number;
	/** Time the service takes for a request. */
	latencyMs?: number;
	/** By which part of it that time varies. */
	jitter?: number;
	/** Time the service takes to refuse a request. */
	refusalMs?: number;
	/** Retry-After of a refusal, in seconds. */
	retryAfter?: number;
	/** How long n8n is busy with each response and the request that follows. */
	workMs?: number;
	/** How long n8n is busy with each request before it is sent. */
	sendMs?: number;
	/** How long the longest pauses of a busy process are, in which it neither sends nor receives. */
	longestStallMs?: number;
	/** Which requests each process has to make; by default, more than there is time for. */
	arrivals?: Arrivals;
	/** When to stop, and when to start counting. */
	seconds: number;
	countFromSecond?: number;
	seed?: number;
}

interface SimulationResult {
	/** Used part of what the service allows. */
	share: number;
	/** Refused requests per admitted one. */
	refusals: number;
	/** Admitted requests of each process, relative to an equal share. */
	fairness: number[];
	/** When the last request was done. */
	endedAtMs: number;
}

const NETWORK_MS = 2;
const STALL_EVERY_MS = 500;
/** The limiter looks at least as often whether a limit has grown. */
const MAX_SLEEP_MS = 1_000;

/** Runs controllers against a limit on a simulated clock; the same seed gives the same result. */
export function simulateLimits({
	limit,
	processes = 1,
	latencyMs = 100,
	jitter = 0.2,
	refusalMs = 1,
	retryAfter = 0,
	workMs = 2,
	sendMs = 0,
	longestStallMs = 0,
	arrivals = [[0, Infinity]],
	seconds,
	countFromSecond = 0,
	seed = 1,
}: Simulation): SimulationResult {
	const random = randomFrom(seed);
	const events = new EventQueue();
	const admitted = new Array<number>(processes).fill(0);
	let refused = 0;
	let endedAtMs = 0;
	const isCounted = () => events.now >= countFromSecond * 1000;
	const transmit = (then: () => void) => events.in(NETWORK_MS * (0.5 + random()), then);

	admitted.forEach((_count, index) => {
		const controller = new CongestionController(random);
		let waiting = 0;
		let wakesAt = Infinity;
		let busyUntil = 0;

		/** Runs a task when the process has done what came before. */
		const execute = (task: () => void, taskMs = 0) => {
			busyUntil = Math.max(busyUntil, events.now) + taskMs;
			events.in(busyUntil - events.now, task);
		};
		const stall = () => {
			const stallMs = longestStallMs * random() ** 2;
			execute(() => {}, stallMs);
			events.in(stallMs + STALL_EVERY_MS * 2 * random(), stall);
		};
		const sendWaiting = () => {
			while (waiting > 0) {
				const delayMs = controller.getDelayMs(events.now);
				if (delayMs > 0) return wakeIn(delayMs);
				waiting--;
				const ticket = controller.onStart(events.now);
				execute(() => send(ticket), sendMs);
			}
		};
		const wakeIn = (delayMs: number) => {
			const at = events.now + Math.ceil(Math.min(delayMs, MAX_SLEEP_MS) + random());
			if (at >= wakesAt) return;
			wakesAt = at;
			events.in(at - events.now, () => {
				if (wakesAt !== at) return;
				wakesAt = Infinity;
				execute(sendWaiting);
			});
		};
		const receive = (ticket: Ticket, read: () => void) => {
			transmit(() =>
				execute(() => {
					read();
					controller.onEnd(ticket, events.now);
					sendWaiting();
				}, workMs),
			);
		};
		const send = (ticket: Ticket) => {
			transmit(() => {
				if (limit.admit(events.now)) {
					events.in(latencyMs * (1 - jitter + 2 * jitter * random()), () => {
						limit.release();
						if (isCounted()) admitted[index]!++;
						endedAtMs = events.now;
						receive(ticket, () => controller.onAdmitted(ticket, events.now));
					});
				} else {
					if (isCounted()) refused++;
					events.in(refusalMs, () => {
						receive(ticket, () => {
							controller.onRefused(ticket, events.now, retryAfter * 1000);
							waiting++;
						});
					});
				}
			});
		};
		if (longestStallMs > 0) stall();
		for (const [atMs, requests] of arrivals) {
			// No two processes start at the same moment.
			events.in(index * 50 + atMs, () => {
				waiting += requests;
				sendWaiting();
			});
		}
	});

	events.run(seconds * 1000);
	const total = admitted.reduce((sum, count) => sum + count, 0);
	const arrived = processes * arrivals.reduce((sum, [, requests]) => sum + requests, 0);
	const until = arrived === Infinity ? seconds : endedAtMs / 1000;
	return {
		share: total / (limit.getCapacity(latencyMs) * (until - countFromSecond)),
		refusals: refused / total,
		fairness: admitted.map((count) => count / (total / processes)),
		endedAtMs: arrived === Infinity || total === arrived ? endedAtMs : Infinity,
	};
}

/** Runs events in the order of the times at which they are due. */
class EventQueue {
	now = 0;
	/** The next one is the last. */
	private readonly events: { at: number; run: () => void }[] = [];

	in(ms: number, run: () => void): void {
		const at = this.now + ms;
		let first = 0;
		for (let end = this.events.length; first < end; ) {
			const middle = (first + end) >> 1;
			if (this.events[middle]!.at > at) first = middle + 1;
			else end = middle;
		}
		this.events.splice(first, 0, { at, run });
	}

	run(untilMs: number): void {
		while (this.events.length > 0 && this.events.at(-1)!.at <= untilMs) {
			const { at, run } = this.events.pop()!;
			this.now = at;
			run();
		}
	}
}
