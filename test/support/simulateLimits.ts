import { CongestionController } from '../../nodes/AvatarStudio/client/limiter/congestionController';

/** A limit of a simulated service. Times are milliseconds of the simulated clock. */
export interface Limit {
	/** Number of requests per second that it allows if each takes `latencyMs`. */
	getCapacity(latencyMs: number): number;
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

/** So many requests in a second that starts with the first of them. */
export function perSecond(limit: number): Limit {
	let startedAt = -Infinity;
	let count = 0;
	return {
		getCapacity: () => limit,
		admit: (now) => {
			if (now >= startedAt + 1000) {
				startedAt = now;
				count = 0;
			}
			return count < limit && ++count > 0;
		},
		release: () => {},
	};
}

/** Each request takes a token; so many are added per second, and so many can be saved. */
export function tokenBucket(rate: number, size: number): Limit {
	let tokens = size;
	let filledAt = 0;
	return {
		getCapacity: () => rate,
		admit: (now) => {
			tokens = Math.min(size, tokens + ((now - filledAt) / 1000) * rate);
			filledAt = now;
			return tokens >= 1 && tokens-- > 0;
		},
		release: () => {},
	};
}

/** When requests begin to wait for their turns, and how many. */
export type Arrivals = [atMs: number, requests: number][];

export interface Simulation {
	/** Number of n8n processes, each with a controller and waiting requests. */
	processes?: number;
	/** Time the service takes for a request, on average. */
	latencyMs?: number;
	/** How long n8n is busy with each response and the request that follows. */
	workMs?: number;
	/** Retry-After of a refusal, in seconds. */
	retryAfter?: number;
	/** Which requests each process has to make; by default, more than there is time for. */
	arrivals?: Arrivals;
	/** When to stop, and when to start counting. */
	seconds?: number;
	countFromSecond?: number;
}

interface SimulationResult {
	/** Used part of what the service allows. */
	share: number;
	/** Refused requests per admitted one. */
	refusals: number;
	/** When the last request was done. */
	endedAtMs: number;
}

const NETWORK_MS = 2;
/** The limiter looks at least as often whether a limit has grown. */
const MAX_SLEEP_MS = 1_000;

/** Runs controllers against a limit on a simulated clock, with the same result each time. */
export function simulateLimits(
	limit: Limit,
	{
		processes = 1,
		latencyMs = 200,
		workMs = 2,
		retryAfter = 0,
		arrivals = [[0, Infinity]],
		seconds = 40,
		countFromSecond = 0,
	}: Simulation,
): SimulationResult {
	const random = createRandom();
	const events = new EventQueue();
	let admitted = 0;
	let refused = 0;
	let endedAtMs = 0;
	const isCounted = () => events.now >= countFromSecond * 1000;
	const transmit = (then: () => void) => events.in(NETWORK_MS * (0.5 + random()), then);

	function startProcess(startsAtMs: number): void {
		const controller = new CongestionController();
		let waiting = 0;
		let wakesAt = Infinity;
		let busyUntil = 0;

		const sendWaiting = () => {
			while (waiting > 0) {
				const delayMs = controller.getDelayMs(events.now);
				if (delayMs > 0) return wakeIn(delayMs);
				waiting--;
				const sentAt = controller.onStart(events.now);
				transmit(() => answer(sentAt));
			}
		};
		const wakeIn = (delayMs: number) => {
			const at = events.now + Math.ceil(Math.min(delayMs, MAX_SLEEP_MS) + random());
			if (at >= wakesAt) return;
			wakesAt = at;
			events.in(at - events.now, () => {
				if (wakesAt !== at) return;
				wakesAt = Infinity;
				sendWaiting();
			});
		};
		const answer = (sentAt: number) => {
			if (!limit.admit(events.now)) {
				if (isCounted()) refused++;
				return receive(() => {
					controller.onRefused(sentAt, events.now, retryAfter * 1000);
					waiting++;
				});
			}
			events.in(latencyMs * (0.8 + 0.4 * random()), () => {
				limit.release();
				if (isCounted()) admitted++;
				endedAtMs = events.now;
				receive(() => controller.onAdmitted(sentAt, events.now));
			});
		};
		const receive = (read: () => void) => {
			transmit(() => {
				busyUntil = Math.max(busyUntil, events.now) + workMs;
				events.in(busyUntil - events.now, () => {
					read();
					controller.onEnd();
					sendWaiting();
				});
			});
		};
		for (const [atMs, requests] of arrivals) {
			events.in(startsAtMs + atMs, () => {
				waiting += requests;
				sendWaiting();
			});
		}
	}

	// No two processes start at the same moment.
	for (let index = 0; index < processes; index++) startProcess(index * 50);
	events.run(seconds * 1000);
	const arrived = processes * arrivals.reduce((sum, [, requests]) => sum + requests, 0);
	const until = arrived === Infinity ? seconds : endedAtMs / 1000;
	return {
		share: admitted / (limit.getCapacity(latencyMs) * (until - countFromSecond)),
		refusals: refused / admitted,
		endedAtMs: arrived === Infinity || admitted === arrived ? endedAtMs : Infinity,
	};
}

/** @returns a function whose numbers from 0 to 1 are the same in every run (Numerical Recipes) */
function createRandom(): () => number {
	let state = 1;
	return () => {
		state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return state / 2 ** 32;
	};
}

/** Runs events in the order of the times at which they are due. */
class EventQueue {
	now = 0;
	private readonly events: { at: number; run: () => void }[] = [];

	in(ms: number, run: () => void): void {
		const at = this.now + ms;
		const next = this.events.findIndex((event) => event.at > at);
		this.events.splice(next === -1 ? this.events.length : next, 0, { at, run });
	}

	run(untilMs: number): void {
		while (this.events.length > 0 && this.events[0]!.at <= untilMs) {
			const { at, run } = this.events.shift()!;
			this.now = at;
			run();
		}
	}
}
