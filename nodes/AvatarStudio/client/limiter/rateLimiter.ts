import { sleep } from 'n8n-workflow';

import { createRunStoppedError, RequestError } from '../../errors/userError';
import { createCancellationError } from '../delay';
import type { Exchange } from '../exchange';
import { onAbort } from '../onAbort';

import { CongestionController, type Outage, type Ticket } from './congestionController';
import type { Lane, LimitedRequest, RequestQueue } from './requestQueue';

const MAX_SLEEP_MS = 1_000;
/** A pause that is too long for the request that was told holds nobody else for longer. */
const MAX_SHARED_PAUSE_MS = 60_000;
/**
 * How long to wait for a host that does not work: a deploy takes less than a minute, and our pauses
 * grow to half of the time it has taken, so the attempt after that may come at 93 s. If it has never
 * responded, its address may be wrong; the four attempts of a request take three seconds.
 */
const [DOWNTIME_MS, UNKNOWN_HOST_MS] = [95_000, 5_000];
/** How many attempts at it are made at least, by whatever requests. */
const MIN_DOWNTIME_ATTEMPTS = 4;
/** What is refused for less may be one of a route that has a limit of its own, for each minute. */
const MIN_REFUSED_MS = 65_000;
/** One request in 20,000 (e^-10) is refused so often by chance: see `isRefusedForItself`. */
const MAX_EXPECTED_ADMISSIONS = 10;

/** How many requests were admitted so far, and how many were refused or failed in a way that may pass. */
interface Counts {
	admitted: number;
	refused: number;
}

/** What is known of a host, by all limiters of requests to it. */
export interface Host {
	/** Whether it has responded to this n8n process: its address is right. */
	hasResponded: boolean;
}

/** How a request is to wait for its turn. */
export interface Turn {
	/** The request waits no longer once it is aborted. */
	signal?: AbortSignal;
	/** Whether an attempt of it failed, rather than being refused. */
	hasFailed?: boolean;
	/** How long to wait while the service admits nothing, in milliseconds; the queue's by default. */
	maxWaitMs?: number;
	/** Whether stopping the queue ends the request; true by default. */
	isStoppable?: boolean;
}

/**
 * Limits the requests of all queues to what the service allows of one kind, which
 * `CongestionController` finds out: the creations of a route, everything else of an account, or the
 * links to files of a host. n8n starts the requests of all input items at once, without a cap
 * (n8n-core, routing-node.js).
 *
 * The rules that must not regress:
 * - Queues take turns, however many requests each has; interactive ones go first, and while the host
 *   fails those that have not asked: another one may fail for itself.
 * - Our own maximum is not the service's: a queue with nothing in flight may exceed it by one.
 * - What is refused is sent again as soon as the limit that this teaches allows, and before the others
 *   of its queue, as what failed; if nothing is admitted, after them, so that one that is refused for
 *   itself does not hold them.
 * - Patience belongs to the outage: whatever waits gives up, in the service's own words, if nobody's
 *   request has been admitted for as long as it waits; of a host that does not work, for that host's
 *   time and four attempts since it last said anything else, so that one failure ends no wait.
 * - Nothing is given up unless somebody's request was refused at the end of its patience, and its queue
 *   has asked once, at half of it at the latest: only a pause that the service asked for fails what
 *   nobody asked for.
 * - An outage has lasted until its last refusal: time in which nobody asks, or in which a response may
 *   still say that it is over, is none.
 * - A delay the service asks for holds everybody back, for a minute at most if it is longer than
 *   whoever was told waits: that one fails at once.
 * - A request that is refused again and again, while others are admitted, fails: see
 *   `isRefusedForItself`.
 * - If the key is rejected, a queue sends nothing until what it has in flight has its responses. If two
 *   in a row rejected it, what waits there fails; if it is only one, one request more finds out.
 * - While nothing works, one request finds out whether it does again, and the next one when the
 *   back-off is over, whether that has its response or not. For creations that may have been carried
 *   out, one failure is enough, and only a response to what was sent after it ends that.
 * - A creation that the service rejects was not admitted: its values may be judged before its slot.
 * - Nothing is sent between a failure, which begins with its headers, and what it stops.
 * - A cancelled request stops waiting at once.
 * - Nothing runs while no request is waiting.
 */
export class RateLimiter {
	private readonly controller = new CongestionController();
	/** Those with waiting requests, in the order of their turns. */
	private readonly lanes = new Set<Lane>();
	/** Why the last request that was not admitted was not, with what the body says once it is read. */
	private lastRefusal?: RequestError;
	private counts: Counts = { admitted: 0, refused: 0 };
	private wakesAt = Infinity;

	constructor(
		private readonly host: Host,
		private readonly isOfCreations = false,
	) {}

	/** Whether none of its requests waits or is in flight. */
	get isIdle(): boolean {
		return this.controller.inFlight === 0 && [...this.lanes].every(({ length }) => length === 0);
	}

	/** @returns for how long a failed request is worth repeating: only if others fail as well */
	getRetryMs(): number {
		const isRefusing = this.controller.getOutage(performance.now()) !== undefined;
		return isRefusing && this.host.hasResponded ? DOWNTIME_MS : 0;
	}

	/**
	 * Sends a request when it is its turn, and again while the service refuses it.
	 *
	 * @throws what `sendOnce` and reading its response throw, unless the request was refused; an error if
	 *   the request gives up or is cancelled, or the queue is stopped
	 */
	async run<T>(
		queue: RequestQueue,
		{ signal, hasFailed = false, isStoppable, maxWaitMs = queue.maxWaitMs }: Turn,
		sendOnce: () => Promise<Exchange<T>>,
	): Promise<T> {
		const since = performance.now();
		const request = { maxWaitMs, maxDowntimeMs: queue.maxWaitMs, hasFailed, since, refusals: 0 };
		let countsBefore = this.counts;
		for (;;) {
			// The queue may have been stopped since the last attempt.
			const lane = queue.getLane(this, isStoppable);
			const ticket = await this.waitForTurn(lane, request, signal);
			try {
				return await this.sendNow(lane, ticket, maxWaitMs, sendOnce, signal);
			} catch (thrown) {
				const error = thrown as Error;
				if (!(error instanceof RequestError) || error.code !== 'rateLimited') throw error;
				this.lastRefusal = error;
				// What is in flight may be admitted because it came before.
				const { admitted, refused } = this.counts;
				const counts = { admitted: admitted + this.controller.inFlight, refused };
				if (request.refusals++ === 0) countsBefore = counts;
				this.assertWorthRepeating(request, error, countsBefore);
			}
		}
	}

	private assertWorthRepeating(
		{ maxWaitMs, refusals, since }: LimitedRequest,
		refusal: RequestError,
		countsBefore: Counts,
	): void {
		const { retryAfterMs = 0 } = refusal.details;
		if (maxWaitMs === 0) throw refusal.with({ isGivenUp: true });
		if (retryAfterMs > maxWaitMs) throw giveUp(refusal, describePause(retryAfterMs, maxWaitMs));
		if (performance.now() - since < MIN_REFUSED_MS) return;
		if (!this.isRefusedForItself(refusals, countsBefore)) return;
		const reason = `The service refused this request ${refusals} times and admitted others meanwhile`;
		throw giveUp(refusal, reason);
	}

	/**
	 * Whether a request is refused for what it is: so often that, with the chances that the others had
	 * meanwhile, it would have been admitted ten times by now.
	 */
	private isRefusedForItself(refusals: number, countsBefore: Counts): boolean {
		const admitted = Math.max(0, this.counts.admitted - countsBefore.admitted);
		// Without its own; its first one was counted before.
		const refused = this.counts.refused - countsBefore.refused - (refusals - 1);
		return refusals * admitted > MAX_EXPECTED_ADMISSIONS * (admitted + refused);
	}

	private async sendNow<T>(
		lane: Lane,
		ticket: Ticket,
		maxWaitMs: number,
		sendOnce: () => Promise<Exchange<T>>,
		signal?: AbortSignal,
	): Promise<T> {
		const exchanged = sendOnce().catch((thrown: unknown) => {
			// A connection that fails is an outage too, unless it was ended from here.
			const isFailure = thrown instanceof RequestError && !signal?.aborted;
			if (isFailure) this.onResponse(lane, ticket, maxWaitMs, thrown);
			throw thrown;
		});
		try {
			const { error, read } = await exchanged;
			this.onResponse(lane, ticket, maxWaitMs, error);
			// Any error may stop the queue.
			if (error) lane.failing++;
			return await read().finally(() => {
				if (error) lane.failing--;
			});
		} finally {
			this.controller.onEnd(ticket, performance.now());
			lane.inFlight--;
			// An error may stop the queue, but reaches whoever decides that only after this.
			void sleep(0).then(() => {
				this.failIfKeyRejected(lane);
				this.failImpatient();
				this.sendWaiting();
			});
		}
	}

	private onResponse(lane: Lane, ticket: Ticket, maxWaitMs: number, error?: RequestError): void {
		const now = performance.now();
		const { admitted, refused } = this.counts;
		if (error?.details.isTransient) {
			const { outcome, retryAfterMs = 0, status } = error.details;
			const longestMs = retryAfterMs <= maxWaitMs ? Infinity : MAX_SHARED_PAUSE_MS;
			lane.refusedAt = now;
			this.lastRefusal = error;
			// A limit is the service's: its address is right.
			this.host.hasResponded ||= status === 429;
			this.counts = { admitted, refused: refused + 1 };
			this.controller.onRefused(ticket, now, {
				retryAfterMs: Math.min(retryAfterMs, longestMs),
				isFailure: status !== 429 && retryAfterMs === 0,
				// nginx says with 503 too that there are too many.
				saysLimit: error.code === 'rateLimited' || status === 503,
				isCostly: this.isOfCreations && outcome === 'unknown',
			});
		} else if (!error || isOfService(error)) {
			this.host.hasResponded = true;
			lane.keyRejections = error?.code === 'unauthorized' ? [...lane.keyRejections, error] : [];
			if (error && this.isOfCreations) return this.controller.onRejected(now);
			this.counts = { admitted: admitted + 1, refused };
			this.controller.onAdmitted(ticket, now);
		}
	}

	private async waitForTurn(
		lane: Lane,
		request: LimitedRequest,
		signal?: AbortSignal,
	): Promise<Ticket> {
		if (signal?.aborted) throw createCancellationError();
		const impatience = this.judgePatience(lane, request);
		if (impatience) throw impatience;
		let stopListening: (() => void) | undefined;
		return await new Promise<Ticket>((resolve, reject) => {
			const start = () => resolve(this.controller.onStart(performance.now()));
			const isFirst = request.hasFailed || request.refusals > 0;
			lane.add(request, { start, reject }, isFirst && !this.controller.isBackingOff);
			this.lanes.add(lane);
			stopListening =
				signal && onAbort(signal, () => lane.fail(request, createCancellationError()));
			this.sendWaiting();
		}).finally(() => stopListening?.());
	}

	private failIfKeyRejected(lane: Lane): void {
		const [, keyRejection] = lane.keyRejections;
		if (!keyRejection || lane.inFlight > 0) return;
		lane.keyRejections = [];
		lane.failAll(() => createRunStoppedError(keyRejection));
	}

	private sendWaiting(): void {
		const now = performance.now();
		for (let next = this.getNext(now); next; next = this.getNext(now)) {
			const { lane, delayMs } = next;
			if (delayMs > 0) return this.wakeIn(delayMs, now);
			// It goes to the end of the line.
			this.lanes.delete(lane);
			this.lanes.add(lane);
			lane.startNext();
		}
	}

	private getNext(now: number): { lane: Lane; delayMs: number } | undefined {
		let next: { lane: Lane; delayMs: number; rank: number } | undefined;
		const failingSince = this.controller.getOutage(now)?.failures?.since ?? Infinity;
		for (const lane of this.lanes) {
			if (lane.length === 0) this.lanes.delete(lane);
			if (lane.length === 0 || lane.failing > 0) continue;
			const isHeld = this.controller.isFull || lane.keyRejections.length > 0;
			if (isHeld && lane.inFlight > 0) continue;
			const delayMs = this.getDelayMs(lane, lane.peek(), now);
			const rank = (lane.isInteractive ? 0 : 2) + (lane.refusedAt >= failingSince ? 1 : 0);
			if (!next || delayMs < next.delayMs || (delayMs === next.delayMs && rank < next.rank)) {
				next = { lane, delayMs, rank };
			}
		}
		return next;
	}

	/** Community nodes may not use timers, and `sleep` cannot be interrupted, so it is kept short. */
	private wakeIn(ms: number, now: number): void {
		const sleepMs = Math.ceil(Math.min(ms, MAX_SLEEP_MS));
		const wakesAt = now + sleepMs;
		if (this.wakesAt <= wakesAt) return;
		this.wakesAt = wakesAt;
		void sleep(sleepMs).then(() => {
			// Another sleep that ended earlier has done what was due.
			if (this.wakesAt !== wakesAt) return;
			this.wakesAt = Infinity;
			this.failImpatient();
			this.sendWaiting();
		});
	}

	private failImpatient(): void {
		if (this.controller.getOutage(performance.now()) === undefined) return;
		for (const lane of this.lanes) lane.failAll((request) => this.judgePatience(lane, request));
	}

	private getPatienceMs({ maxWaitMs, maxDowntimeMs }: LimitedRequest, now: number): number {
		const failures = this.controller.getOutage(now)?.failures;
		if (!failures) return maxWaitMs;
		if (failures.count < MIN_DOWNTIME_ATTEMPTS) return maxDowntimeMs;
		return Math.min(maxDowntimeMs, this.host.hasResponded ? DOWNTIME_MS : UNKNOWN_HOST_MS);
	}

	/** @returns milliseconds until a request may be sent, whoever else waits */
	private getDelayMs(lane: Lane, request: LimitedRequest, now: number): number {
		const outage = this.controller.getOutage(now);
		if (!outage || lane.inFlight > 0) return this.controller.getDelayMs(now);
		const patienceMs = this.getPatienceMs(request, now);
		const hasAsked = lane.refusedAt >= getBegin(outage);
		// One that has not asked does so at half of its patience, and one asks for all at the end of it.
		const latestAt = hasAsked
			? getWaitStart(lane, request, outage) + patienceMs
			: request.since + patienceMs / 2;
		const mayHurry = !hasAsked || this.controller.inFlight === 0;
		return this.controller.getDelayMs(now, mayHurry ? latestAt : Infinity);
	}

	/** @returns the error of a request that has waited for too long */
	private judgePatience(lane: Lane, request: LimitedRequest): RequestError | undefined {
		const { maxWaitMs } = request;
		const { inFlight, isBackingOff } = this.controller;
		const now = performance.now();
		const pauseMs = this.controller.getPauseMs(now);
		const outage = this.controller.getOutage(now);
		const refusal = this.lastRefusal;
		if (!refusal) return undefined;
		if (pauseMs > maxWaitMs) return giveUp(refusal, describePause(pauseMs, maxWaitMs));
		// What is in flight may be what takes the slots, but no user waits for that.
		const isDown = isBackingOff && outage?.failures !== undefined;
		if (!outage || !(inFlight === 0 || isDown || lane.isInteractive)) return undefined;
		const refusedMs = outage.lastAt - getWaitStart(lane, request, outage);
		if (refusedMs <= 0 || refusedMs + pauseMs < this.getPatienceMs(request, now)) return undefined;
		const option =
			this.isOfCreations && !outage.failures ? ' (15 min unless Wait If Busy is set)' : '';
		const reason = `The service has admitted no request for ${formatTime(refusedMs)}${option}`;
		return giveUp(refusal, reason);
	}
}

/** When an outage began, of its last kind. */
function getBegin({ since, failures }: Outage): number {
	return failures?.since ?? since;
}

/** Since when a request waits: each file is asked for by itself; of other queues, one asks for all. */
function getWaitStart(lane: Lane, { since }: LimitedRequest, outage: Outage): number {
	const begun = getBegin(outage);
	return lane.isStoppable && lane.refusedAt >= begun ? begun : Math.max(begun, since);
}

/** Whether it is the service that responds: neither the network nor a firewall in front of it. */
function isOfService({ code, details }: RequestError): boolean {
	return details.status !== undefined && code !== 'firewall';
}

/** @returns the error of a request that is not sent again, in the service's own words */
function giveUp(refusal: RequestError, reason: string): RequestError {
	const hint = `${reason}, so the request was not sent again. ${refusal.hint}`;
	return refusal.with({ outcome: 'notDone', isGivenUp: true, hint });
}

function describePause(pauseMs: number, maxWaitMs: number): string {
	return `The service asks to wait for ${formatTime(pauseMs)}, and the request waits for ${formatTime(maxWaitMs)} at most`;
}

function formatTime(ms: number): string {
	return ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
