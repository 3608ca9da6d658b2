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
 * - Queues take turns, and a user's goes first. Its request asks at once, whatever was learned before,
 *   because what it returns must be what the service says now.
 * - Within a queue, what was refused goes first, then what came first.
 * - When nothing is admitted for as long as a request waits, it fails in the words of the last refusal.
 * - While the body of an error is read, its queue sends nothing, because the error may stop the run.
 */
export class RateLimiter {
	private readonly controller = new CongestionController();
	private readonly log: LimiterLog;
	/** What waits for its turn, in the order of the turns; no list is empty. */
	private readonly waiting = new Map<RequestQueue, QueuedRequest[]>();
	/** The error in whose words a wait ends: set when the body of a refusal was read, until one is admitted. */
	private lastRefusal?: RequestError;
	/** When the only wake-up that counts is due; Infinity if there is none. */
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
	async attempt<T>(request: QueuedRequest, startExchange: () => Promise<Exchange<T>>): Promise<T> {
		const sentAt = await this.waitForTurn(request);
		try {
			return await this.readExchange(request, sentAt, await startExchange());
		} catch (thrown) {
			const error = thrown as RequestError;
			if (isDisconnection(error)) this.controller.onDisconnected();
			if (!isRefusal(request.method, error.details?.status)) throw error;
			this.lastRefusal = error;
			const endReason = this.getEndReason(request);
			if (endReason) throw endReason;
			const now = performance.now();
			this.log.logRefusal(request, error, this.controller.getDelayMs(now, request.maxWaitMs));
			throw error;
		} finally {
			this.controller.onEnd();
			// An error may stop the queue, but reaches whoever decides that only after this.
			void sleep(0).then(() => {
				this.sendWaiting();
				this.logEndIfIdle();
			});
		}
	}

	private async readExchange<T>(
		request: QueuedRequest,
		sentAt: number,
		{ error, pauseMs, read }: Exchange<T>,
	): Promise<T> {
		const now = performance.now();
		if (isRefusal(request.method, error?.details.status)) {
			request.refusals++;
			this.controller.onRefused(sentAt, now, pauseMs);
			this.log.logLimit(request.context, this.controller.estimate);
		} else if (!error?.details.isTransient) {
			this.controller.onAdmitted(sentAt, now, pauseMs);
			const isBlocked = this.controller.getBlockedSince(now) !== undefined;
			if (!isBlocked) this.endOutage(now);
		}
		if (!error) return await read();
		request.queue.failing++;
		return await read().finally(() => request.queue.failing--);
	}

	private endOutage(now: number): void {
		this.lastRefusal = undefined;
		this.log.logEnd(now, true);
	}

	private async waitForTurn(request: QueuedRequest): Promise<number> {
		return await new Promise((resolve, reject) => {
			request.start = resolve;
			request.fail = reject;
			const requests = this.waiting.get(request.queue) ?? [];
			this.waiting.set(request.queue, requests);
			if (request.refusals > 0) requests.unshift(request);
			else requests.push(request);
			this.sendWaiting();
		});
	}

	private sendWaiting(): void {
		const now = performance.now();
		for (let next = this.findNext(now); next; next = this.findNext(now)) {
			const { queue, requests, delayMs } = next;
			if (delayMs > 0) return this.wakeIn(delayMs, now);
			const request = requests.shift()!;
			// Deleting and setting the queue puts it at the end of the turns.
			this.waiting.delete(queue);
			if (requests.length > 0) this.waiting.set(queue, requests);
			const reason = getAbortReason(...request.signals);
			if (reason) request.fail?.(reason);
			else request.start?.(this.controller.onStart(now));
		}
	}

	/** @returns whose turn is next, and in how many milliseconds; undefined if nothing waits */
	private findNext(now: number) {
		let next: { queue: RequestQueue; requests: QueuedRequest[]; delayMs: number } | undefined;
		for (const [queue, requests] of this.waiting) {
			const delayMs = this.getDelayMs(requests[0]!, now);
			const isSooner = !next || delayMs < next.delayMs;
			const isUsers = queue.isInteractive && delayMs === next?.delayMs;
			if (isSooner || isUsers) next = { queue, requests, delayMs };
		}
		return next;
	}

	private getDelayMs({ queue, refusals, maxWaitMs }: QueuedRequest, now: number): number {
		if (queue.failing > 0) return Infinity;
		const asksAtOnce = queue.isInteractive && refusals === 0;
		return asksAtOnce ? 0 : this.controller.getDelayMs(now, maxWaitMs);
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
			this.logWait();
			this.sendWaiting();
			this.logEndIfIdle();
		});
	}

	private endWaits(): void {
		for (const [queue, requests] of this.waiting) {
			const remaining: QueuedRequest[] = [];
			for (const request of requests) {
				const endReason = this.getEndReason(request);
				if (endReason) request.fail?.(endReason);
				else remaining.push(request);
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

	private logWait(): void {
		const now = performance.now();
		const blockedSince = this.controller.getBlockedSince(now);
		if (blockedSince === undefined) return;
		// A user waits for seconds, and reads in the editor what the service says.
		const queues = [...this.waiting].filter(([{ isInteractive }]) => !isInteractive);
		const requests = queues.map(([, waiting]) => waiting);
		if (requests.length > 0) this.log.logWait(now, blockedSince, requests, this.lastRefusal);
	}

	private logEndIfIdle(): void {
		const isIdle = this.waiting.size === 0 && !this.controller.isWaitingForResponse;
		if (isIdle) this.log.logEnd(performance.now(), false);
	}
}
