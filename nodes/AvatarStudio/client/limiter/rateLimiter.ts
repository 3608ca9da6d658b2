import { sleep, type IDataObject } from 'n8n-workflow';

import { RequestError } from '../../errors/requestError';
import { createStatusError } from '../../errors/statusError';
import { createCancellationError } from '../delay';
import { onAbort } from '../onAbort';

import { CongestionController, type Ticket } from './congestionController';
import { parseRetryAfter, readRateLimitHeaders } from './rateLimitHeaders';
import type { RequestQueue } from './requestQueue';

const MAX_SLEEP_MS = 1_000;
const FORGET_AFTER_MS = 600_000;
/** Too many requests; nginx responds 503 by default. */
const REFUSALS = new Set([429, 503]);

/** What the limiter learns from. */
export interface LimitedResponse {
	status: number;
	/** By lower-case name. */
	headers: IDataObject;
}

interface RequestOrder {
	/** The request waits no longer once it is aborted. */
	signal?: AbortSignal;
	/** A retry goes before the queue's other requests. */
	isRetry?: boolean;
}

interface WaitingRequest {
	start: (ticket: Ticket) => void;
	reject: (error: Error) => void;
}

/**
 * Limits the requests of all queues on one account to what the service allows, which
 * `CongestionController` finds out. n8n starts the requests of all input items at once, without a
 * cap (n8n-core, routing-node.js).
 *
 * The rules that must not regress:
 * - RequestQueues take turns, however many requests each has; interactive ones go first.
 * - A delay the service asks for holds all queues back, not only the one that was told.
 * - A queue gives up only when the service has refused its own requests for too long.
 * - A cancelled request stops waiting at once.
 * - Nothing runs while no request is waiting.
 */
export class RateLimiter {
	private readonly controller = new CongestionController(() => performance.now());
	/** In the order of their turns. */
	private readonly queues = new Map<RequestQueue, WaitingRequest[]>();
	private usedAt = performance.now();
	private wakesAt = Infinity;

	/** Whether nothing it has learned is worth keeping. */
	get isForgettable(): boolean {
		const idleMs = performance.now() - this.usedAt;
		return this.controller.isIdle && this.queues.size === 0 && idleMs > FORGET_AFTER_MS;
	}

	/**
	 * Sends a request when it is its turn.
	 *
	 * @param send must report each response it receives
	 * @throws Error on cancellation, if the queue is stopped, and if the service refuses its requests
	 *   for too long
	 */
	async run<T>(
		queue: RequestQueue,
		order: RequestOrder,
		send: (report: (response: LimitedResponse) => void) => Promise<T>,
	): Promise<T> {
		const ticket = await this.waitForTurn(queue, order);
		try {
			return await send((response) => this.onResponse(queue, ticket, response)).catch(
				(error: unknown) => {
					const { status = 0 } = error instanceof RequestError ? error.details : {};
					if (error instanceof RequestError && REFUSALS.has(status)) queue.lastRefusal = error;
					throw error;
				},
			);
		} finally {
			this.controller.onEnd(ticket);
			this.usedAt = performance.now();
			this.sendWaiting();
		}
	}

	private async waitForTurn(
		queue: RequestQueue,
		{ signal, isRetry }: RequestOrder,
	): Promise<Ticket> {
		if (signal?.aborted) throw createCancellationError();
		queue.assertNotStopped();
		const ends: (() => void)[] = [];
		return await new Promise<Ticket>((start, reject) => {
			const waiting = this.queues.get(queue) ?? [];
			const request = { start, reject };
			waiting[isRetry ? 'unshift' : 'push'](request);
			this.queues.set(queue, waiting);
			ends.push(queue.onStop((reason) => this.reject(queue, request, reason)));
			if (signal) {
				ends.push(onAbort(signal, () => this.reject(queue, request, createCancellationError())));
			}
			this.rejectImpatient();
			this.sendWaiting();
		}).finally(() => ends.forEach((end) => end()));
	}

	private sendWaiting(): void {
		for (let queue = this.getNext(); queue; queue = this.getNext()) {
			const delayMs = this.controller.getDelayMs(queue.isInteractive);
			if (delayMs > 0) return this.wakeIn(delayMs);
			const waiting = this.queues.get(queue)!;
			const { start } = waiting.shift()!;
			// It goes to the end of the line.
			this.queues.delete(queue);
			if (waiting.length > 0) this.queues.set(queue, waiting);
			start(this.controller.onStart());
		}
	}

	private getNext(): RequestQueue | undefined {
		const queues = [...this.queues.keys()];
		return queues.find(({ isInteractive }) => isInteractive) ?? queues[0];
	}

	/** Community nodes may not use timers, and `sleep` cannot be interrupted, so it is kept short. */
	private wakeIn(ms: number): void {
		const sleepMs = Math.ceil(Math.min(ms, MAX_SLEEP_MS));
		const wakesAt = performance.now() + sleepMs;
		if (ms === Infinity || this.wakesAt <= wakesAt) return;
		this.wakesAt = wakesAt;
		void sleep(sleepMs).then(() => {
			// Another sleep that ended earlier has done what was due.
			if (this.wakesAt !== wakesAt) return;
			this.wakesAt = Infinity;
			this.rejectImpatient();
			this.sendWaiting();
		});
	}

	private rejectImpatient(): void {
		const pauseMs = this.controller.getPauseMs();
		const now = performance.now();
		for (const [queue, waiting] of this.queues) {
			const { refusedSince = now, lastRefusal, maxWaitMs } = queue;
			if (pauseMs === 0 || now - refusedSince + pauseMs <= maxWaitMs) continue;
			const error = createGiveUpError(lastRefusal, now - refusedSince, pauseMs, maxWaitMs);
			for (const request of [...waiting]) this.reject(queue, request, error);
		}
	}

	private reject(queue: RequestQueue, request: WaitingRequest, error: Error): void {
		const waiting = this.queues.get(queue) ?? [];
		const index = waiting.indexOf(request);
		// Its turn may have come a moment before.
		if (index < 0) return;
		waiting.splice(index, 1);
		if (waiting.length === 0) this.queues.delete(queue);
		request.reject(error);
	}

	private onResponse(
		queue: RequestQueue,
		ticket: Ticket,
		{ status, headers }: LimitedResponse,
	): void {
		const reported = readRateLimitHeaders(headers);
		const retryAfterMs = parseRetryAfter(headers['retry-after'], headers.date);
		if (REFUSALS.has(status)) {
			queue.refusedSince ??= performance.now();
			this.controller.onRefused(ticket, retryAfterMs ?? 0, reported);
		} else if (status < 500) {
			queue.refusedSince = undefined;
			this.controller.onAdmitted(ticket, reported);
		}
	}
}

/** @param refusedMs for how long the service has refused the requests of the queue */
function createGiveUpError(
	refusal = createStatusError(429),
	refusedMs: number,
	pauseMs: number,
	maxWaitMs: number,
): RequestError {
	const [refused, needed, limit] = [refusedMs, refusedMs + pauseMs, maxWaitMs].map(
		(ms) => `${Math.ceil(ms / 1000)} s`,
	);
	const soFar =
		refusedMs > 0 ? `The service refused the requests of this node for ${refused}. ` : '';
	return refusal.with({
		outcome: 'notSent',
		hint: `${soFar}Another attempt would bring the wait to ${needed}; the limit is ${limit}. ${refusal.hint}`,
	});
}

/** All executions, polls and pickers of an n8n process share the limiter of an account. */
const limiters = new Map<string, RateLimiter>();

/**
 * @param account what the service, or a file host, counts requests by
 * @returns the limiter of the account, a new one if it was not used for ten minutes
 */
export function getRateLimiter(account: string): RateLimiter {
	for (const [other, limiter] of limiters) {
		if (limiter.isForgettable) limiters.delete(other);
	}
	const limiter = limiters.get(account) ?? new RateLimiter();
	limiters.set(account, limiter);
	return limiter;
}

/** Forgets what was learned about every account, as a restart of n8n does. */
export function forgetRateLimits(): void {
	limiters.clear();
}
