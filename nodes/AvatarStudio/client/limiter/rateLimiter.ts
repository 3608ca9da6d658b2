import { sleep } from 'n8n-workflow';

import type { RequestError } from '../../errors/userError';
import { createCancellationError } from '../delay';
import type { Exchange } from '../exchange';
import { onAbort } from '../onAbort';

import { CongestionController, type Ticket } from './congestionController';
import type { RequestQueue } from './requestQueue';

const MAX_SLEEP_MS = 1_000;
/** A request that is refused so often is refused for itself. */
const MAX_REFUSALS = 100;

/** A request, over all its attempts. */
export class LimitedRequest {
	readonly since = performance.now();
	/** Whether it has been sent, and how often it was refused. */
	isSent = false;
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
 * - Queues take turns; a user's goes first. In a queue, first come is first served, and what was sent
 *   before comes first.
 * - Waiting ends in the service's own words: if it has admitted nothing for as long as the request
 *   waits, or asks to wait for longer than that.
 * - While an error is read, its queue sends nothing: it may stop the run.
 */
export class RateLimiter {
	private readonly controller = new CongestionController();
	/** What waits, in the order of the turns. */
	private readonly waiting = new Map<RequestQueue, LimitedRequest[]>();
	/** Why the last request was refused. */
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
			throw this.giveUpIfRefused(request, thrown as RequestError);
		} finally {
			this.controller.onEnd(ticket, performance.now());
			// An error may stop the queue, but reaches whoever decides that only after this.
			void sleep(0).then(() => this.sendWaiting());
		}
	}

	private giveUpIfRefused(request: LimitedRequest, error: RequestError): RequestError {
		if (!isRefusal(error, request.method)) return error;
		this.lastRefusal = error;
		return this.judge(request) ?? error;
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
		const { queue, signals, isSent } = request;
		const stopListening: (() => void)[] = [];
		return await new Promise<Ticket>((resolve, reject) => {
			request.start = () => resolve(this.controller.onStart(performance.now()));
			request.fail = reject;
			for (const signal of signals) {
				const end = () => this.end(request, getReason(signal));
				if (signal.aborted) return end();
				stopListening.push(onAbort(signal, end));
			}
			const line = this.waiting.get(queue) ?? [];
			this.waiting.set(queue, line);
			if (isSent) line.unshift(request);
			else line.push(request);
			this.sendWaiting();
		}).finally(() => stopListening.forEach((stop) => stop()));
	}

	/** Its place in the line stays until it is its turn. */
	private end(request: LimitedRequest, error: Error): void {
		request.fail?.(error);
		request.fail = undefined;
	}

	private sendWaiting(): void {
		const now = performance.now();
		this.endWaits();
		for (;;) {
			const next = this.getNext(now);
			if (!next) return;
			const { queue, delayMs } = next;
			if (delayMs > 0) return this.wakeIn(delayMs, now);
			const line = this.waiting.get(queue)!;
			// It goes to the end of the turns.
			this.waiting.delete(queue);
			this.waiting.set(queue, line);
			const request = line.shift()!;
			request.isSent = true;
			request.start?.();
		}
	}

	private getNext(now: number): { queue: RequestQueue; delayMs: number } | undefined {
		let next: { queue: RequestQueue; delayMs: number } | undefined;
		for (const [queue, line] of this.waiting) {
			while (line[0] && !line[0].fail) line.shift();
			if (!line[0]) this.waiting.delete(queue);
			if (!line[0]) continue;
			// The error may be another limiter's, which does not say when it has been read: look again.
			const isFailing = queue.failing > 0;
			const delayMs = isFailing ? Infinity : this.controller.getDelayMs(now, line[0].maxWaitMs);
			const isSooner = !next || delayMs < next.delayMs;
			const isUser = queue.isInteractive && !next?.queue.isInteractive && delayMs === next?.delayMs;
			if (isSooner || isUser) next = { queue, delayMs };
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
			this.sendWaiting();
		});
	}

	private endWaits(): void {
		const { outage } = this.controller;
		if (!outage.isOngoing && outage.getPauseMs(performance.now()) === 0) return;
		for (const request of [...this.waiting.values()].flat()) {
			const error = this.judge(request);
			if (error) this.end(request, error);
		}
	}

	/** @returns the error of a request that waits no longer */
	private judge({ maxWaitMs, refusals, since }: LimitedRequest): RequestError | undefined {
		const refusal = this.lastRefusal;
		const now = performance.now();
		const { outage } = this.controller;
		if (!refusal) return undefined;
		if (maxWaitMs === 0) return refusal.with({ isGivenUp: true });
		const pauseMs = outage.getPauseMs(now);
		// One that may ask does so.
		if (outage.getDelayMs(now, maxWaitMs) === 0) return undefined;
		if (pauseMs > maxWaitMs) {
			return giveUp(
				refusal,
				`The service asks to wait for ${formatTime(pauseMs)}, and the request waits for ${formatTime(maxWaitMs)} at most`,
			);
		}
		const refusedMs = outage.getDurationMs(now, since, maxWaitMs);
		if (refusedMs >= maxWaitMs) {
			const option = ' (15 min unless Wait If Busy is set)';
			return giveUp(
				refusal,
				`The service has admitted no request for ${formatTime(refusedMs)}${option}`,
			);
		}
		if (refusals < MAX_REFUSALS) return undefined;
		return giveUp(refusal, `The service refused this request ${refusals} times`);
	}
}

/**
 * Whether the service refused a request because there are too many: web servers say that with 503
 * as well, after which a creation may exist.
 */
export function isRefusal(error: RequestError | undefined, method: string): boolean {
	const status = error?.details?.status;
	return status === 429 || (status === 503 && method !== 'POST');
}

function getReason({ reason }: AbortSignal): Error {
	return reason instanceof Error && reason.name === 'UserError'
		? reason
		: createCancellationError();
}

/** @returns the error of a request that is not sent again, in the service's own words */
function giveUp(refusal: RequestError, reason: string): RequestError {
	const hint = `${reason}, so the request was not sent again. ${refusal.hint}`;
	return refusal.with({ outcome: 'notDone', isGivenUp: true, hint });
}

function formatTime(ms: number): string {
	return ms < 120_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`;
}
