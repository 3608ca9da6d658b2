import { sleep } from 'n8n-workflow';

import type { RequestError } from '../../errors/userError';
import { getAbortReason } from '../delay';
import type { Exchange } from '../exchange';
import { giveUp, isDisconnection, isRefusal } from '../refusal';

import { CongestionController } from './congestionController';
import { LimiterLog } from './limiterLog';
import type { QueuedRequest, RequestQueue } from './requestQueue';

/** How often to look which waits are over: community nodes may not use timers. */
const CHECK_INTERVAL_MS = 500;
/** A request that is refused so often is refused for what it is, not for how many there are. */
const MAX_REFUSALS = 100;

/**
 * Limits the attempts of all queues to what the service allows of one scope (see `getRateLimiter`):
 * n8n starts all items of a run at once.
 * - Queues take turns. The requests of a picker or a credential test do not wait for one until they are
 *   refused: a user watches, and what they return must be what the service says now.
 * - Within a queue, what was refused goes first, then what came first.
 * - When nothing is admitted for as long as a request waits, it fails with the last refusal.
 * - While the body of an error is read, its queue sends nothing through any limiter, because the error
 *   may stop the run.
 */
export class RateLimiter {
	private readonly controller = new CongestionController();
	private readonly log: LimiterLog;
	/** What waits for its turn, in the order of the turns; no list is empty. */
	private readonly waiting = new Map<RequestQueue, QueuedRequest[]>();
	/** What a request that waits no longer fails with; removed when the service admits requests again. */
	private lastRefusal?: RequestError;
	/** When `sendWaiting` is next to run; Infinity if it is not to. An earlier time replaces it. */
	private wakesAt = Infinity;

	/** @param name what is limited, for the log */
	constructor(name: string) {
		this.log = new LimiterLog(name);
	}

	/**
	 * Makes one attempt at a request, in its turn.
	 *
	 * @throws what the exchange throws; a refusal is to be attempted again, unless it `isGivenUp`
	 */
	async attempt<T>(queued: QueuedRequest, startExchange: () => Promise<Exchange<T>>): Promise<T> {
		const sentAt = await this.waitForTurn(queued);
		try {
			const exchange = await startExchange();
			this.learn(queued, exchange, sentAt);
			return await this.read(queued, exchange);
		} catch (thrown) {
			const error = thrown as RequestError;
			if (isDisconnection(error)) this.controller.onDisconnected();
			if (!isRefusal(queued.request.method, error.details?.status)) throw error;
			this.lastRefusal = error;
			const endReason = this.getEndReason(queued);
			if (endReason) throw endReason;
			const delayMs = this.controller.getDelayMs(performance.now(), queued.maxWaitMs);
			this.log.logRefusal(queued, error, delayMs);
			throw error;
		} finally {
			this.controller.onEnd();
			// An error may stop the queue, but reaches whoever decides that only after this.
			void sleep(0).then(() => this.sendWaiting());
		}
	}

	/** Tells the controller what a response says about the limit. */
	private learn(queued: QueuedRequest, { error, pauseMs }: Exchange<unknown>, sentAt: number) {
		const now = performance.now();
		if (isRefusal(queued.request.method, error?.details.status)) {
			queued.refusals++;
			this.controller.onRefused(sentAt, now, pauseMs);
			this.log.logLimit(queued.context, this.controller.estimate);
		} else if (!error?.details.isTransient) {
			this.controller.onAdmitted(sentAt, now, pauseMs);
			// What was sent before a pause may succeed during it.
			const isBlocked = this.controller.getBlockedSince(now) !== undefined;
			if (isBlocked) return;
			this.lastRefusal = undefined;
			this.log.logEnd(now, true);
		}
	}

	/** Reads the body. Meanwhile the queue sends nothing if it is that of an error. */
	private async read<T>({ queue }: QueuedRequest, { error, read }: Exchange<T>): Promise<T> {
		if (!error) return await read();
		queue.failing++;
		return await read().finally(() => queue.failing--);
	}

	private async waitForTurn(queued: QueuedRequest): Promise<number> {
		return await new Promise((resolve, reject) => {
			queued.start = resolve;
			queued.fail = reject;
			const requests = this.waiting.get(queued.queue) ?? [];
			this.waiting.set(queued.queue, requests);
			if (queued.refusals > 0) requests.unshift(queued);
			else requests.push(queued);
			this.sendWaiting();
		});
	}

	private sendWaiting(): void {
		const now = performance.now();
		for (let next = this.findNext(now); next; next = this.findNext(now)) {
			const { queued, delayMs } = next;
			if (delayMs > 0) return this.wakeIn(delayMs, now);
			const requests = this.waiting.get(queued.queue)!;
			requests.shift();
			// Deleting and setting the queue puts it at the end of the turns.
			this.waiting.delete(queued.queue);
			if (requests.length > 0) this.waiting.set(queued.queue, requests);
			const reason = getAbortReason(...queued.signals);
			if (reason) queued.fail?.(reason);
			else queued.start?.(this.controller.onStart(now));
		}
		if (!this.controller.isWaitingForResponse) this.log.logEnd(now, false);
	}

	/** @returns whose turn is next, and in how many milliseconds; undefined if nothing waits */
	private findNext(now: number) {
		let next: { queued: QueuedRequest; delayMs: number } | undefined;
		for (const [first] of this.waiting.values()) {
			const queued = first!;
			const delayMs = this.getDelayMs(queued, now);
			if (!next || delayMs < next.delayMs) next = { queued, delayMs };
		}
		return next;
	}

	private getDelayMs({ queue, refusals, maxWaitMs }: QueuedRequest, now: number): number {
		if (queue.failing > 0) return Infinity;
		if (queue.isInteractive && refusals === 0) return 0;
		return this.controller.getDelayMs(now, maxWaitMs);
	}

	private wakeIn(ms: number, now: number): void {
		const wakesAt = now + Math.ceil(Math.min(ms, CHECK_INTERVAL_MS));
		if (this.wakesAt <= wakesAt) return;
		this.wakesAt = wakesAt;
		void sleep(wakesAt - now).then(() => {
			const isReplaced = this.wakesAt !== wakesAt;
			if (isReplaced) return;
			this.wakesAt = Infinity;
			this.endWaits();
			const blockedSince = this.controller.getBlockedSince(wakesAt);
			const requests = [...this.waiting.values()].flat();
			this.log.logWait(wakesAt, blockedSince, requests, this.lastRefusal);
			this.sendWaiting();
		});
	}

	private endWaits(): void {
		for (const [queue, requests] of this.waiting) {
			const remaining: QueuedRequest[] = [];
			for (const queued of requests) {
				const endReason = this.getEndReason(queued);
				if (endReason) queued.fail?.(endReason);
				else remaining.push(queued);
			}
			if (remaining.length > 0) this.waiting.set(queue, remaining);
			else this.waiting.delete(queue);
		}
	}

	/** @returns the error of a request that was cancelled, or waits no longer; undefined if it waits */
	private getEndReason({ maxWaitMs, refusals, since, signals }: QueuedRequest) {
		const { lastRefusal } = this;
		const reason = getAbortReason(...signals);
		if (reason || !lastRefusal) return reason;
		const isTooOften = refusals >= (maxWaitMs === 0 ? 1 : MAX_REFUSALS);
		const isTooLong = this.controller.isRefusing(performance.now(), since, maxWaitMs);
		return isTooOften || isTooLong ? giveUp(lastRefusal) : undefined;
	}
}
