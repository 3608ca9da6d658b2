import { sleep } from 'n8n-workflow';

import type { RequestError, UserError } from '../../errors/userError';
import { createCancellationError } from '../delay';
import type { Exchange } from '../exchange';

import { CongestionController, type Ticket } from './congestionController';
import type { RequestQueue } from './requestQueue';

/** How often to look which waits are over: community nodes may not use timers. */
const CHECK_INTERVAL_MS = 500;
/** A request that is refused so often is refused for itself. */
const MAX_REFUSALS = 100;

/** A request, over all its attempts. */
export class LimitedRequest {
	readonly since = performance.now();
	refusals = 0;
	/** While it waits: ends that. */
	start?: () => void;
	fail?: (error: Error) => void;

	/**
	 * @param maxWaitMs how long it waits while the service admits nothing, in milliseconds
	 * @param signals each ends its wait when it is aborted
	 */
	constructor(
		readonly queue: RequestQueue,
		readonly method: string,
		readonly maxWaitMs: number,
		readonly signals: AbortSignal[],
	) {}
}

/**
 * Limits the requests of all queues to what the service allows of one kind, which
 * `CongestionController` finds out: the creations of a route, everything else of an account, or the
 * links to files of a host. n8n starts the requests of all input items at once, without a cap
 * (n8n-core, routing-node.js).
 *
 * - Queues take turns; a user's goes first. In a queue, first come is first served, and what was
 *   refused goes back to the front.
 * - Waiting ends in the service's own words: if it has admitted nothing for as long as the request
 *   waits, or asks to wait for longer than that.
 * - While an error is read, its queue sends nothing: it may stop the run.
 */
export class RateLimiter {
	private readonly controller = new CongestionController();
	/** What waits, in the order of the turns. */
	private readonly waiting = new Map<RequestQueue, LimitedRequest[]>();
	private lastRefusal?: RequestError;
	private wakesAt = Infinity;

	/**
	 * Sends a request when it is its turn.
	 *
	 * @throws what `sendOnce` and reading its response throw. A refusal is to be sent again, unless it
	 *   is given up
	 */
	async send<T>(request: LimitedRequest, sendOnce: () => Promise<Exchange<T>>): Promise<T> {
		const { queue } = request;
		const ticket = await this.waitForTurn(request);
		try {
			const { error, read } = await sendOnce();
			this.onResponse(request, ticket, error);
			if (!error) return await read();
			queue.failing++;
			return await read().finally(() => queue.failing--);
		} catch (thrown) {
			const error = thrown as RequestError;
			if (!isRefusal(error, request.method)) throw error;
			this.lastRefusal = error;
			throw this.judge(request) ?? error;
		} finally {
			this.controller.onEnd(ticket, performance.now());
			// An error may stop the queue, but reaches whoever decides that only after this.
			void sleep(0).then(() => this.sendWaiting());
		}
	}

	private onResponse(request: LimitedRequest, ticket: Ticket, error?: RequestError): void {
		const now = performance.now();
		if (isRefusal(error, request.method)) {
			request.refusals++;
			this.controller.onRefused(ticket, now, error?.details.retryAfterMs ?? 0);
		} else if (!error?.details.isTransient) {
			this.controller.onAdmitted(ticket, now);
		}
	}

	private async waitForTurn(request: LimitedRequest): Promise<Ticket> {
		return await new Promise<Ticket>((resolve, reject) => {
			request.start = () => resolve(this.controller.onStart(performance.now()));
			request.fail = reject;
			const line = this.waiting.get(request.queue) ?? [];
			this.waiting.set(request.queue, line);
			if (request.refusals > 0) line.unshift(request);
			else line.push(request);
			this.sendWaiting();
		});
	}

	private sendWaiting(): void {
		const now = performance.now();
		for (let next = this.getNext(now); next; next = this.getNext(now)) {
			const { queue, line, delayMs } = next;
			if (delayMs > 0) return this.wakeIn(delayMs, now);
			// It goes to the end of the turns.
			this.waiting.delete(queue);
			this.waiting.set(queue, line);
			const request = line.shift()!;
			const reason = getAbortReason(request);
			if (reason) request.fail?.(reason);
			else request.start?.();
		}
	}

	private getNext(now: number) {
		let next: { queue: RequestQueue; line: LimitedRequest[]; delayMs: number } | undefined;
		for (const [queue, line] of this.waiting) {
			const [first] = line;
			if (!first) {
				this.waiting.delete(queue);
				continue;
			}
			const isFailing = queue.failing > 0;
			const delayMs = isFailing ? Infinity : this.controller.getDelayMs(now, first.maxWaitMs);
			const isUser = queue.isInteractive && !next?.queue.isInteractive && delayMs === next?.delayMs;
			if (!next || delayMs < next.delayMs || isUser) next = { queue, line, delayMs };
		}
		return next;
	}

	private wakeIn(ms: number, now: number): void {
		const sleepMs = Math.ceil(Math.min(ms, CHECK_INTERVAL_MS));
		const wakesAt = now + sleepMs;
		if (this.wakesAt <= wakesAt) return;
		this.wakesAt = wakesAt;
		void sleep(sleepMs).then(() => {
			// Another sleep that ended earlier has done what was due.
			if (this.wakesAt !== wakesAt) return;
			this.wakesAt = Infinity;
			this.endWaits();
			this.sendWaiting();
		});
	}

	private endWaits(): void {
		for (const [queue, line] of this.waiting) {
			const remaining = line.filter((request) => {
				const error = this.judge(request);
				if (error) request.fail?.(error);
				return !error;
			});
			this.waiting.set(queue, remaining);
		}
	}

	/** @returns the error of a request that waits no longer */
	private judge(request: LimitedRequest): Error | undefined {
		const { maxWaitMs, refusals, since } = request;
		const { lastRefusal, controller } = this;
		const { outage } = controller;
		const now = performance.now();
		const reason = getAbortReason(request);
		if (reason) return reason;
		if (!lastRefusal) return undefined;
		const pauseMs = outage.getPauseMs(now);
		const isRefusing = outage.isOngoing || pauseMs > 0;
		if (maxWaitMs === 0 && (isRefusing || refusals > 0)) {
			return lastRefusal.with({ isGivenUp: true });
		}
		if (refusals >= MAX_REFUSALS) {
			return giveUp(lastRefusal, `The service refused this request ${refusals} times`);
		}
		// One that may ask does so.
		if (!isRefusing || outage.getDelayMs(now, maxWaitMs) === 0) return undefined;
		if (pauseMs > maxWaitMs) {
			return giveUp(
				lastRefusal,
				`The service asks to wait for ${formatTime(pauseMs)}, and the request waits for ${formatTime(maxWaitMs)} at most`,
			);
		}
		const refusedMs = outage.getDurationMs(now, since, maxWaitMs);
		if (refusedMs < maxWaitMs) return undefined;
		return giveUp(
			lastRefusal,
			`The service has admitted no request for ${formatTime(refusedMs)} (15 min unless Wait If Busy is set)`,
		);
	}
}

/**
 * Whether the service refused a request because there are too many: web servers say that with 503
 * as well, after which a creation may exist.
 */
export function isRefusal(error: UserError | undefined, method: string): boolean {
	const status = error?.details?.status;
	return status === 429 || (status === 503 && method !== 'POST');
}

function getAbortReason({ signals }: LimitedRequest): Error | undefined {
	const aborted = signals.find((signal) => signal.aborted);
	if (!aborted) return undefined;
	const reason: unknown = aborted.reason;
	return reason instanceof Error && reason.name === 'UserError'
		? reason
		: createCancellationError();
}

function giveUp(refusal: RequestError, reason: string): RequestError {
	const hint = `${reason}, so the request was not sent again. ${refusal.hint}`;
	return refusal.with({ outcome: 'notDone', isGivenUp: true, hint });
}

function formatTime(ms: number): string {
	return ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
