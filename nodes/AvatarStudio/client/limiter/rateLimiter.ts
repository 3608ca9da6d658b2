import { sleep } from 'n8n-workflow';

import type { RequestError, UserError } from '../../errors/userError';
import { getAbortReason } from '../delay';
import type { Exchange } from '../exchange';

import { CongestionController } from './congestionController';
import type { RequestQueue } from './requestQueue';

/** How often to look which waits are over: community nodes may not use timers. */
const CHECK_INTERVAL_MS = 500;
/** A request that is refused so often is refused for itself. */
const MAX_REFUSALS = 100;
const GAVE_UP =
	'It is not sent again: the service refuses it too often, or for longer than it waits (15 min in a run, unless Wait If Busy is set).';

/** A request, over all its attempts. */
interface LimitedRequest {
	queue: RequestQueue;
	method: string;
	/** How long it waits while the service admits nothing, in milliseconds. */
	maxWaitMs: number;
	/** Each ends its wait when it is aborted. */
	signals: (AbortSignal | undefined)[];
	since: number;
	refusals: number;
	/** While it waits: end that. */
	start?: (sentAt: number) => void;
	fail?: (error: Error) => void;
}

/**
 * Limits the requests of all queues to what the service allows of one kind: n8n starts all items of
 * a run at once.
 * - Queues take turns; a user's goes first. In each, what was refused goes first, then what came first.
 * - Waiting ends in the service's words, when nothing is admitted for as long as the request waits.
 * - While an error is read, its queue sends nothing: it may stop the run.
 */
export class RateLimiter {
	private readonly controller = new CongestionController();
	/** What waits, in the order of the turns; no line is empty. */
	private readonly waiting = new Map<RequestQueue, LimitedRequest[]>();
	private lastRefusal?: RequestError;
	private wakesAt = Infinity;

	/** Sends a request in its turn. A refusal that it throws is to be sent again, unless given up. */
	async send<T>(request: LimitedRequest, sendOnce: () => Promise<Exchange<T>>): Promise<T> {
		const { queue, method } = request;
		const sentAt = await this.waitForTurn(request);
		try {
			const { error, read } = await sendOnce();
			if (isRefusal(error, method)) {
				request.refusals++;
				this.controller.onRefused(sentAt, performance.now(), error?.details.retryAfterMs);
			} else if (!error?.details.isTransient) {
				this.controller.onAdmitted(sentAt, performance.now());
			}
			if (!error) return await read();
			queue.failing++;
			return await read().finally(() => queue.failing--);
		} catch (thrown) {
			const error = thrown as RequestError;
			if (!isRefusal(error, method)) throw error;
			this.lastRefusal = error;
			throw this.judge(request) ?? error;
		} finally {
			this.controller.onEnd();
			// An error may stop the queue, but reaches whoever decides that only after this.
			void sleep(0).then(() => this.sendWaiting());
		}
	}

	private async waitForTurn(request: LimitedRequest): Promise<number> {
		return await new Promise((resolve, reject) => {
			request.start = resolve;
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
		for (let next = this.findNext(now); next; next = this.findNext(now)) {
			const { queue, line, delayMs } = next;
			if (delayMs > 0) return this.wakeIn(delayMs, now);
			const request = line.shift()!;
			// It goes to the end of the turns.
			this.waiting.delete(queue);
			if (line.length > 0) this.waiting.set(queue, line);
			const reason = getAbortReason(...request.signals);
			if (reason) request.fail?.(reason);
			else request.start?.(this.controller.onStart(now));
		}
	}

	/** @returns whose turn is next, and in how many milliseconds; undefined if nothing waits */
	private findNext(now: number) {
		let next: { queue: RequestQueue; line: LimitedRequest[]; delayMs: number } | undefined;
		for (const [queue, line] of this.waiting) {
			const { maxWaitMs } = line[0]!;
			const delayMs = queue.failing > 0 ? Infinity : this.controller.getDelayMs(now, maxWaitMs);
			const isUser = queue.isInteractive && delayMs === next?.delayMs;
			if (!next || delayMs < next.delayMs || isUser) next = { queue, line, delayMs };
		}
		return next;
	}

	private wakeIn(ms: number, now: number): void {
		const wakesAt = now + Math.ceil(Math.min(ms, CHECK_INTERVAL_MS));
		if (this.wakesAt <= wakesAt) return;
		this.wakesAt = wakesAt;
		void sleep(wakesAt - now).then(() => {
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
			if (remaining.length > 0) this.waiting.set(queue, remaining);
			else this.waiting.delete(queue);
		}
	}

	/** @returns the error of a request that waits no longer */
	private judge({ maxWaitMs, refusals, since, signals }: LimitedRequest): UserError | undefined {
		const { lastRefusal } = this;
		const reason = getAbortReason(...signals);
		if (reason || !lastRefusal) return reason;
		const isTooOften = refusals >= (maxWaitMs === 0 ? 1 : MAX_REFUSALS);
		const isTooLong = this.controller.isRefusing(performance.now(), since, maxWaitMs);
		if (!isTooOften && !isTooLong) return undefined;
		const hint = `${GAVE_UP} ${lastRefusal.hint}`;
		return lastRefusal.with({ outcome: 'notDone', isGivenUp: true, hint });
	}
}

/** Web servers say 503 as well when there are too many requests, but a creation may exist then. */
export function isRefusal(error: UserError | undefined, method: string): boolean {
	const status = error?.details?.status;
	return status === 429 || (status === 503 && method !== 'POST');
}
