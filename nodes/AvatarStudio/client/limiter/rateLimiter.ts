import { sleep } from 'n8n-workflow';

import type { RequestError } from '../../errors/userError';
import { getAbortReason } from '../delay';
import type { Exchange } from '../exchange';
import { giveUp, isDisconnection, isRefusal } from '../refusal';

import { CongestionController } from './congestionController';
import { LimiterLog } from './limiterLog';
import type { QueuedRequest, RequestGroup } from './requestGroup';

/** How often to look which waits are over: community nodes may not use timers. */
const CHECK_INTERVAL_MS = 500;
/** A request that is refused so often is refused for what it is, not for how many there are. */
const MAX_REFUSALS = 100;

/**
 * Limits the attempts of all groups to what the service allows of one scope (see `getRateLimiter`):
 * n8n starts all items of a run at once (findings/all-items-start-at-once).
 * - Groups take turns, those of pickers and credential tests before the others. Within a group, what was
 *   made first goes first.
 * - A request of a picker or a credential test that was not refused yet is sent at once during a pause or
 *   an outage, because the user must read what the service says now. If there is neither, it waits at a
 *   limit for a free place. Otherwise its refusals would hold up every run.
 * - A request fails with the last refusal when nothing has been admitted for its maximum wait, when the
 *   pause is longer than that, or after `MAX_REFUSALS`.
 * - While the body of an error is read, its group sends nothing through any limiter, because the error
 *   may stop the run.
 */
export class RateLimiter {
	private readonly controller = new CongestionController();
	private readonly log: LimiterLog;
	/** What waits for its turn, in the order of the turns; no list is empty. */
	private readonly waiting = new Map<RequestGroup, QueuedRequest[]>();
	/** When each request was sent whose response has not begun. */
	private readonly unanswered = new Map<QueuedRequest, number>();
	/** A request that gives up waiting fails with it. Removed when the service admits requests again. */
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
		this.unanswered.set(queued, sentAt);
		try {
			const exchange = await startExchange().finally(() => this.unanswered.delete(queued));
			this.learn(queued, exchange, sentAt);
			return await this.readBody(queued, exchange);
		} catch (thrown) {
			const error = thrown as RequestError;
			if (isDisconnection(error)) this.controller.onDisconnected();
			if (!isRefusal(queued.request.method, error.details?.status)) throw error;
			this.lastRefusal = error;
			const endReason = this.getEndReason(queued);
			// `giveUp` says that nothing was done, which is right for a request that waits. This one was sent,
			// and after a 503, a DELETE may have been done.
			if (endReason) throw endReason.with({ outcome: error.details.outcome });
			const delayMs = this.controller.getDelayMs(performance.now(), queued.maxWaitMs);
			this.log.logRefusal(queued, error, delayMs);
			throw error;
		} finally {
			this.controller.onEnd();
			// Deferred, because an error may make the run stop this group, and the run learns of it only after
			// this block.
			void sleep(0).then(() => this.sendWaiting());
		}
	}

	/** Tells the controller what a response says about the limit. */
	private learn(queued: QueuedRequest, { error, pauseMs }: Exchange<unknown>, sentAt: number) {
		const now = performance.now();
		const isRefused = isRefusal(queued.request.method, error?.details.status);
		// A gateway whose service is down neither admits nor refuses.
		const isAdmitted = !isRefused && !error?.details.isTransient;
		if (isRefused) {
			queued.refusals++;
			this.controller.onRefused(sentAt, now, pauseMs);
			this.log.logLimit(queued.context, this.controller.estimate);
		}
		if (isAdmitted) this.controller.onAdmitted(sentAt, now);
		this.controller.onPause(now, pauseMs);
		// What was sent before a pause may succeed during it, which does not end the pause.
		const isOver = isAdmitted && this.controller.getBlockedSince(now) === undefined;
		if (!isOver) return;
		this.lastRefusal = undefined;
		this.log.logEnd(queued.context, now);
	}

	/** Reads the body. While it is read, the group sends nothing if the response is an error. */
	private async readBody<T>({ group }: QueuedRequest, exchange: Exchange<T>): Promise<T> {
		if (!exchange.error) return await exchange.readBody();
		group.errorsBeingRead++;
		return await exchange.readBody().finally(() => group.errorsBeingRead--);
	}

	private async waitForTurn(queued: QueuedRequest): Promise<number> {
		return await new Promise((resolve, reject) => {
			queued.start = resolve;
			queued.fail = reject;
			const requests = this.waiting.get(queued.group) ?? [];
			this.waiting.set(queued.group, requests);
			let place = requests.length;
			while (place > 0 && requests[place - 1]!.since > queued.since) place--;
			requests.splice(place, 0, queued);
			this.sendWaiting();
		});
	}

	private sendWaiting(): void {
		const now = performance.now();
		for (let next = this.findNext(now); next; next = this.findNext(now)) {
			const { queued, delayMs } = next;
			if (delayMs > 0) return this.wakeIn(delayMs, now);
			this.takeTurn(queued.group);
			const reason = getAbortReason(...queued.signals);
			if (reason) queued.fail?.(reason);
			else queued.start?.(this.controller.onStart(now));
		}
	}

	/** @returns whose turn is next, and in how many milliseconds; undefined if nothing waits */
	private findNext(now: number) {
		let next: { queued: QueuedRequest; delayMs: number } | undefined;
		for (const [group, [first]] of this.waiting) {
			const queued = first!;
			const delayMs = this.getDelayMs(queued, now);
			const isSooner = !next || delayMs < next.delayMs;
			const isNextInteractive = next?.queued.group.isInteractive;
			const goesFirst = group.isInteractive && !isNextInteractive && delayMs === next?.delayMs;
			if (isSooner || goesFirst) next = { queued, delayMs };
		}
		return next;
	}

	private getDelayMs({ group, refusals, maxWaitMs }: QueuedRequest, now: number): number {
		if (group.errorsBeingRead > 0) return Infinity;
		const isBlocked = this.controller.getBlockedSince(now) !== undefined;
		const isSentAtOnce = group.isInteractive && refusals === 0 && isBlocked;
		return isSentAtOnce ? 0 : this.controller.getDelayMs(now, maxWaitMs);
	}

	/** Removes the first request of a group, and moves the group to the end of the turns. */
	private takeTurn(group: RequestGroup): void {
		const requests = this.waiting.get(group)!;
		requests.shift();
		this.waiting.delete(group);
		if (requests.length > 0) this.waiting.set(group, requests);
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
		});
	}

	private endWaits(): void {
		for (const [group, requests] of this.waiting) {
			const remaining: QueuedRequest[] = [];
			for (const queued of requests) {
				const endReason = this.getEndReason(queued);
				if (endReason) queued.fail?.(endReason);
				else remaining.push(queued);
			}
			if (remaining.length > 0) this.waiting.set(group, remaining);
			else this.waiting.delete(group);
		}
	}

	/** @returns the error of a request that was cancelled, or gives up; undefined if it keeps waiting */
	private getEndReason({ maxWaitMs, refusals, since, signals }: QueuedRequest) {
		const { lastRefusal } = this;
		const reason = getAbortReason(...signals);
		if (reason || !lastRefusal) return reason;
		// With a maximum wait of 0, the first refusal is final, even if the next attempt could start at once.
		const isTooOften = refusals >= (maxWaitMs === 0 ? 1 : MAX_REFUSALS);
		const isTooLong = this.controller.mustGiveUp(performance.now(), since, maxWaitMs);
		return isTooOften || isTooLong ? giveUp(lastRefusal) : undefined;
	}

	private logWait(): void {
		const now = performance.now();
		const blockedSince = this.controller.getBlockedSince(now);
		// A user waits for seconds, and reads in the editor what the service says.
		const isLogged = ({ group }: QueuedRequest) => !group.isInteractive;
		const requests = [...this.waiting.values()].flat().filter(isLogged);
		if (blockedSince === undefined || requests.length === 0) return;
		// If what was sent before the last refusal is still being worked on, such as a video, then the
		// service is busy with that, and the log must not say that it admits nothing.
		const sentTimes = [...this.unanswered.values()];
		const isBusy = sentTimes.some((sentAt) => this.controller.isBeforeRefusal(sentAt));
		if (!isBusy) this.log.logWait(now, blockedSince, requests, this.lastRefusal);
	}
}
