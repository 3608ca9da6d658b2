import { sleep, type IDataObject } from 'n8n-workflow';

import { RequestError } from '../../errors/requestError';
import { createCancellationError } from '../delay';
import { onAbort } from '../onAbort';

import { CongestionController, type Ticket } from './congestionController';
import type { Lane, WaitingRequest } from './lane';
import { readPauseMs } from './rateLimitHeaders';
import type { RequestQueue } from './requestQueue';

const MAX_SLEEP_MS = 1_000;
/** More than any n8n was seen to use; each takes about 1 kB. */
const MAX_ACCOUNTS = 1_000;
const SWEEP_EVERY_MS = 60_000;

/** What the limiter learns from. */
export interface LimitedResponse {
	status: number;
	/** By lower-case name. */
	headers: IDataObject;
}

/** How a request is to wait for its turn. */
interface RequestOrder {
	/** The request waits no longer once it is aborted. */
	signal?: AbortSignal;
	/** A request that was refused before goes before the queue's others. */
	isRetry?: boolean;
}

/** What a response says about the limits of the service. */
type Verdict =
	| 'admitted'
	/** The service admitted it, and rejects the key, or the account for lack of credits. */
	| 'rejected'
	/** There were too many requests. */
	| 'refused'
	/** Something in front of the service refused it, for reasons of its own. */
	| 'blocked'
	/** It failed. */
	| 'nothing';

/**
 * Limits the requests of all queues on one account to what the service allows, which
 * `CongestionController` finds out. n8n starts the requests of all input items at once, without a
 * cap (n8n-core, routing-node.js).
 *
 * The rules that must not regress:
 * - Queues take turns, however many requests each has; interactive ones go first.
 * - Our own maximum is not the service's: a queue with nothing in flight may exceed it by one.
 * - A delay the service asks for holds all queues back, not only the one that was told.
 * - A queue gives up when its own requests have been refused for too long and none was admitted,
 *   and at once if the service asks for a delay that is too long for it.
 * - What is given up fails with the service's own words.
 * - If the key is rejected before anything is admitted, what waits is not sent.
 * - Nothing is sent between a failure and what it stops.
 * - A cancelled request stops waiting at once.
 * - Nothing runs while no request is waiting.
 */
export class RateLimiter {
	private readonly controller = new CongestionController();
	/** Those with waiting requests, in the order of their turns. */
	private readonly lanes = new Set<Lane>();
	/** The last refusal, of whichever queue. */
	private lastRefusal?: Error;
	private wakesAt = Infinity;

	/** Whether none of its requests waits or is in flight. */
	get isIdle(): boolean {
		return this.controller.isIdle && [...this.lanes].every(({ length }) => length === 0);
	}

	/** Whether it knows no more than a new one. */
	isForgettable(now: number): boolean {
		return this.isIdle && this.controller.isForgettable(now);
	}

	/**
	 * Sends a request when it is its turn.
	 *
	 * @param send must report each response as soon as its headers have arrived, and throw if it is an
	 *   error
	 * @throws Error on cancellation, if the queue is stopped, and if the queue gives up
	 */
	async run<T>(
		queue: RequestQueue,
		order: RequestOrder,
		send: (report: (response: LimitedResponse) => void) => Promise<T>,
	): Promise<T> {
		const lane = queue.getLane(this);
		const ticket = await this.waitForTurn(lane, order);
		let verdict: Verdict | undefined;
		let isFailure = false;
		try {
			return await send((response) => {
				verdict = this.learn(lane, ticket, response);
			});
		} catch (thrown) {
			const error = thrown as Error;
			const isRefusal = verdict === 'refused' || verdict === 'blocked';
			if (isRefusal) this.lastRefusal = lane.lastRefusal = error;
			isFailure = !isRefusal;
			if (verdict === 'rejected' && !lane.hasAdmission) lane.fail(() => error);
			throw error;
		} finally {
			const now = performance.now();
			this.controller.onEnd(ticket, now);
			lane.inFlight--;
			// An error may stop the queue, but reaches whoever decides that only after this.
			if (isFailure) void sleep(0).then(() => this.sendWaiting(performance.now()));
			else this.sendWaiting(now);
		}
	}

	private async waitForTurn(
		lane: Lane,
		{ signal, isRetry = false }: RequestOrder,
	): Promise<Ticket> {
		if (signal?.aborted) throw createCancellationError();
		let stopListening: (() => void) | undefined;
		return await new Promise<Ticket>((resolve, reject) => {
			const start = () => {
				lane.inFlight++;
				resolve(this.controller.onStart(performance.now()));
			};
			const request: WaitingRequest = { isRetry, start, reject, isSettled: false };
			lane.add(request);
			this.lanes.add(lane);
			stopListening =
				signal && onAbort(signal, () => lane.cancel(request, createCancellationError()));
			this.sendWaiting(performance.now());
		}).finally(() => stopListening?.());
	}

	private sendWaiting(now: number): void {
		this.failImpatient(now);
		for (let lane = this.getNext(); lane; lane = this.getNext()) {
			const delayMs = this.controller.getDelayMs(now);
			if (delayMs > 0) return this.wakeIn(delayMs, now);
			// It goes to the end of the line.
			this.lanes.delete(lane);
			this.lanes.add(lane);
			lane.take().start();
		}
	}

	private getNext(): Lane | undefined {
		let next: Lane | undefined;
		for (const lane of this.lanes) {
			if (lane.length === 0) this.lanes.delete(lane);
			else if (this.controller.isFull && lane.inFlight > 0) continue;
			else if (lane.queue.isInteractive) return lane;
			else next ??= lane;
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
			this.sendWaiting(performance.now());
		});
	}

	private failImpatient(now: number): void {
		const pauseMs = this.controller.getPauseMs(now);
		for (const lane of this.lanes) {
			const refusal = lane.lastRefusal ?? this.lastRefusal;
			if (!refusal || !lane.isOutOfPatience(now, pauseMs)) continue;
			const refusedMs = lane.getRefusedMs(now);
			const { maxWaitMs } = lane.queue;
			lane.fail(({ isRetry }) => giveUp(refusal, isRetry, refusedMs, pauseMs, maxWaitMs));
		}
	}

	private learn(lane: Lane, ticket: Ticket, { status, headers }: LimitedResponse): Verdict {
		const now = performance.now();
		const verdict = judge(status, headers);
		if (verdict === 'refused' || verdict === 'blocked') {
			lane.onRefused(now);
			this.controller.onRefused(ticket, now, readPauseMs(headers), verdict === 'refused');
		} else if (verdict !== 'nothing') {
			if (verdict === 'admitted') lane.onAdmitted();
			this.controller.onAdmitted(ticket, now);
		}
		return verdict;
	}
}

function judge(status: number, headers: IDataObject): Verdict {
	const contentType = headers['content-type'];
	const isWebPage = typeof contentType === 'string' && contentType.startsWith('text/html');
	if (isWebPage && [403, 429].includes(status)) return 'blocked';
	// nginx refuses with 503 and a web page unless it is told otherwise.
	if (status === 429 || status === 503) return 'refused';
	if (status === 401 || status === 402) return 'rejected';
	return status < 500 ? 'admitted' : 'nothing';
}

/**
 * @param refusal the last one, in the service's own words
 * @param isRetry whether the request itself was refused before
 * @param refusedMs for how long the requests of the queue have been refused
 * @param pauseMs how long everybody waits
 */
function giveUp(
	refusal: Error,
	isRetry: boolean,
	refusedMs: number,
	pauseMs: number,
	maxWaitMs: number,
): Error {
	if (!(refusal instanceof RequestError)) return refusal;
	const [refused, pause, limit] = [refusedMs, pauseMs, maxWaitMs].map(
		(ms) => `${Math.ceil(ms / 1000)} s`,
	);
	// Otherwise the pause is our own.
	const isAskedToWait = pauseMs > maxWaitMs || (pauseMs > 0 && refusal.details.retryAfterMs);
	const facts = [
		...(refusedMs > 0 ? [`refused the requests of this node for ${refused}`] : []),
		...(isAskedToWait ? [`asks to wait for ${pause}`] : []),
	].join(' and ');
	const consequence = `the request was not sent${isRetry ? ' again' : ''}`;
	return refusal.with({
		outcome: 'notSent',
		hint: `The service ${facts}; the limit is ${limit}, so ${consequence}. ${refusal.hint}`,
	});
}

/** All executions, polls and pickers of an n8n process share the limiter of an account. */
const limiters = new Map<string, RateLimiter>();
let sweptAt = -Infinity;

/**
 * @param account what the service, or the host of a download, counts requests by
 * @returns the limiter of the account, a new one if nothing is known about it
 */
export function getRateLimiter(account: string): RateLimiter {
	const now = performance.now();
	if (now - sweptAt >= SWEEP_EVERY_MS) sweep(now);
	const limiter = limiters.get(account) ?? new RateLimiter();
	// The account that was used last is the last one.
	limiters.delete(account);
	if (limiters.size >= MAX_ACCOUNTS) discardOldest();
	limiters.set(account, limiter);
	return limiter;
}

function sweep(now: number): void {
	sweptAt = now;
	for (const [account, limiter] of limiters) {
		if (limiter.isForgettable(now)) limiters.delete(account);
	}
}

function discardOldest(): void {
	const oldest = [...limiters].find(([, limiter]) => limiter.isIdle);
	if (oldest) limiters.delete(oldest[0]);
}

/** Forgets what was learned about every account, as a restart of n8n does. */
export function forgetRateLimits(): void {
	limiters.clear();
}
