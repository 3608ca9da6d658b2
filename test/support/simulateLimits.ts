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

const DEFAULTS = {
	/** Number of n8n processes, each with a controller and waiting requests. */
	processes: 1,
	/** Time the service takes for a request, on average. */
	latencyMs: 200,
	/** How long n8n is busy with each response and the request that follows. */
	workMs: 2,
	/** Retry-After of a refusal, in seconds. */
	retryAfter: 0,
	/** Which requests each process has to make: here, more than there is time for. */
	arrivals: [[0, Infinity]] as Arrivals,
	/** When to stop, and when to start counting. */
	seconds: 40,
	countFromSecond: 0,
};

export type Simulation = Partial<typeof DEFAULTS>;

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
export function simulateLimits(limit: Limit, options: Simulation): SimulationResult {
	const settings = { ...DEFAULTS, ...options };
	const world = { ...settings, limit, events: new EventQueue(), random: createRandom() };
	const { processes, latencyMs, arrivals, seconds, countFromSecond } = world;
	const service = new SimulatedService(world);
	for (let index = 0; index < processes; index++) {
		const process = new SimulatedProcess(world, service);
		// No two processes start at the same moment.
		for (const [atMs, requests] of arrivals) process.addRequests(index * 50 + atMs, requests);
	}
	world.events.run(seconds * 1000);

	const { admitted, refused, endedAtMs } = service;
	const arrived = processes * arrivals.reduce((sum, [, requests]) => sum + requests, 0);
	const until = arrived === Infinity ? seconds : endedAtMs / 1000;
	return {
		share: admitted / (limit.getCapacity(latencyMs) * (until - countFromSecond)),
		refusals: refused / admitted,
		endedAtMs: arrived === Infinity || admitted === arrived ? endedAtMs : Infinity,
	};
}

/** What the service and the processes of a simulation share. */
type World = typeof DEFAULTS & {
	limit: Limit;
	events: EventQueue;
	random: () => number;
};

/** A service with a limit, which counts what it admits and refuses. */
class SimulatedService {
	admitted = 0;
	refused = 0;
	endedAtMs = 0;

	constructor(private readonly world: World) {}

	/** Responds to a request at once if it is refused, else after the latency. */
	respond(onRefused: () => void, onAdmitted: () => void): void {
		const { limit, events, random, latencyMs, countFromSecond } = this.world;
		const isCounted = () => events.now >= countFromSecond * 1000;
		if (!limit.admit(events.now)) {
			if (isCounted()) this.refused++;
			return onRefused();
		}
		events.in(latencyMs * (0.8 + 0.4 * random()), () => {
			limit.release();
			if (isCounted()) this.admitted++;
			this.endedAtMs = events.now;
			onAdmitted();
		});
	}
}

/** A process of n8n: its requests wait for a controller, and it is busy with each response. */
class SimulatedProcess {
	private readonly controller = new CongestionController();
	private waiting = 0;
	private wakesAt = Infinity;
	private busyUntil = 0;

	constructor(
		private readonly world: World,
		private readonly service: SimulatedService,
	) {}

	addRequests(inMs: number, count: number): void {
		this.world.events.in(inMs, () => {
			this.waiting += count;
			this.sendWaiting();
		});
	}

	private sendWaiting(): void {
		const { events } = this.world;
		while (this.waiting > 0) {
			const delayMs = this.controller.getDelayMs(events.now);
			if (delayMs > 0) return this.wakeIn(delayMs);
			this.waiting--;
			this.send(this.controller.onStart(events.now));
		}
	}

	private send(sentAt: number): void {
		const { events, retryAfter } = this.world;
		const readResponse = () => this.controller.onAdmitted(sentAt, events.now);
		const readRefusal = () => {
			this.controller.onRefused(sentAt, events.now, retryAfter * 1000);
			this.controller.onPause(events.now, retryAfter * 1000);
			this.waiting++;
		};
		const onRefused = () => this.receive(readRefusal);
		const onAdmitted = () => this.receive(readResponse);
		this.transmit(() => this.service.respond(onRefused, onAdmitted));
	}

	private wakeIn(delayMs: number): void {
		const { events, random } = this.world;
		const at = events.now + Math.ceil(Math.min(delayMs, MAX_SLEEP_MS) + random());
		if (at >= this.wakesAt) return;
		this.wakesAt = at;
		events.in(at - events.now, () => {
			if (this.wakesAt !== at) return;
			this.wakesAt = Infinity;
			this.sendWaiting();
		});
	}

	private transmit(then: () => void): void {
		this.world.events.in(NETWORK_MS * (0.5 + this.world.random()), then);
	}

	private receive(read: () => void): void {
		const { events, workMs } = this.world;
		this.transmit(() => {
			this.busyUntil = Math.max(this.busyUntil, events.now) + workMs;
			events.in(this.busyUntil - events.now, () => {
				read();
				this.controller.onEnd();
				this.sendWaiting();
			});
		});
	}
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
