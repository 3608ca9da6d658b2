import { sleep, type IDataObject } from 'n8n-workflow';

import type { RequestError } from '../../errors/requestError';
import { describeStatus } from '../../errors/statusErrors';
import { describeCancellation } from '../delay';
import { onAbort } from '../onAbort';

import type { Caller } from './caller';
import { CongestionController, type Ticket } from './congestionController';
import { parseRetryAfter, readRateLimitHeaders } from './rateLimitHeaders';

const MAX_SLEEP_MS = 1_000;
const FORGET_AFTER_MS = 600_000;

/** What the limiter learns from. */
export interface LimitedResponse {
	status: number;
	/** By lower-case name. */
	headers: IDataObject;
}

interface RequestOrder {
	/** The request waits no longer once it is aborted. */
	signal?: AbortSignal;
	/** A retry goes before the caller's other requests. */
	isRetry?: boolean;
}

interface WaitingRequest {
	since: number;
	start: (ticket: Ticket) => void;
	reject: (error: RequestError) => void;
}

/**
 * Limits the requests of all callers on one account to what the service allows, which
 * `CongestionController` finds out. n8n starts the requests of all input items at once, without a
 * cap (n8n-core, routing-node.js).
 *
 * The rules that must not regress:
 * - Callers take turns, however many requests each has; interactive ones go first.
 * - A delay the service asks for holds all callers back, not only the one that was told.
 * - A caller gives up only when the service has let nothing in, from nobody, for its own patience.
 * - A cancelled request stops waiting at once.
 * - Nothing runs while no request is waiting.
 */
export class RateLimiter {
	private readonly controller = new CongestionController(() => performance.now());
	/** In the order of their turns. */
	private readonly queues = new Map<Caller, WaitingRequest[]>();
	private usedAt = performance.now();
	/** When the service began to let nothing in. */
	private refusedSince?: number;
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
	 * @throws RequestError on cancellation, and if the service lets nothing in for too long
	 */
	async run<T>(
		caller: Caller,
		order: RequestOrder,
		send: (report: (response: LimitedResponse) => void) => Promise<T>,
	): Promise<T> {
		const ticket = await this.waitForTurn(caller, order);
		try {
			return await send((response) => this.onResponse(ticket, response));
		} finally {
			this.controller.onEnd(ticket);
			this.usedAt = performance.now();
			this.sendWaiting();
		}
	}

	/**
	 * @param since when a request began to wait, in milliseconds of `performance.now()`
	 * @returns for how long the service has let nothing in from then on, in milliseconds
	 */
	getHeldMs(since: number): number {
		const now = performance.now();
		return now - Math.max(since, this.refusedSince ?? now);
	}

	private async waitForTurn(caller: Caller, { signal, isRetry }: RequestOrder): Promise<Ticket> {
		if (signal?.aborted) throw describeCancellation();
		let stopListening: (() => void) | undefined;
		return await new Promise<Ticket>((start, reject) => {
			const queue = this.queues.get(caller) ?? [];
			const request = { since: performance.now(), start, reject };
			queue[isRetry ? 'unshift' : 'push'](request);
			this.queues.set(caller, queue);
			const cancel = () => this.reject(caller, request, describeCancellation());
			stopListening = signal && onAbort(signal, cancel);
			this.sendWaiting();
		}).finally(() => stopListening?.());
	}

	private sendWaiting(): void {
		for (let caller = this.getNext(); caller; caller = this.getNext()) {
			const delayMs = this.controller.getDelayMs(caller.isInteractive);
			if (delayMs > 0) return this.wakeIn(delayMs);
			const queue = this.queues.get(caller)!;
			const { start } = queue.shift()!;
			// It goes to the end of the line.
			this.queues.delete(caller);
			if (queue.length > 0) this.queues.set(caller, queue);
			start(this.controller.onStart());
		}
	}

	private getNext(): Caller | undefined {
		const callers = [...this.queues.keys()];
		return callers.find(({ isInteractive }) => isInteractive) ?? callers[0];
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
		if (pauseMs === 0) return;
		for (const [caller, queue] of this.queues) {
			for (const request of [...queue]) {
				if (this.getHeldMs(request.since) + pauseMs <= caller.maxWaitMs) continue;
				this.reject(caller, request, describeStatus(429).with({ retryAfterMs: pauseMs }));
			}
		}
	}

	private reject(caller: Caller, request: WaitingRequest, error: RequestError): void {
		const queue = this.queues.get(caller) ?? [];
		const index = queue.indexOf(request);
		// Its turn may have come a moment before.
		if (index < 0) return;
		queue.splice(index, 1);
		if (queue.length === 0) this.queues.delete(caller);
		request.reject(error);
	}

	private onResponse(ticket: Ticket, { status, headers }: LimitedResponse): void {
		const reported = readRateLimitHeaders(headers);
		const retryAfterMs = parseRetryAfter(headers['retry-after']);
		if (status === 429 || (status === 503 && retryAfterMs !== undefined)) {
			this.refusedSince ??= performance.now();
			this.controller.onRefused(ticket, retryAfterMs ?? 0, reported);
		} else if (status < 500) {
			this.refusedSince = undefined;
			this.controller.onAdmitted(ticket, reported);
		}
	}
}

/** All executions, polls and dropdowns of an n8n process share the limiter of an account. */
export const accountLimiters = new Map<string, RateLimiter>();

/**
 * @param account what the service counts requests by: see `identifyAccount`
 * @returns the limiter of the account, a new one if it was not used for ten minutes
 */
export function getAccountLimiter(account: string): RateLimiter {
	for (const [other, limiter] of accountLimiters) {
		if (limiter.isForgettable) accountLimiters.delete(other);
	}
	const limiter = accountLimiters.get(account) ?? new RateLimiter();
	accountLimiters.set(account, limiter);
	return limiter;
}
