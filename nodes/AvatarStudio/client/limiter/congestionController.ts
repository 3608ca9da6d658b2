/** So many requests are in flight at most, at once if no limit is known: a slow start delays each run. */
const MAX_IN_FLIGHT = 50;
/** A refusal lowers the limit to this part of what was admitted when the service refused. */
const DECREASE = 0.92;
/** A limit grows so many times slower for each second that a refusal costs. */
const SLOWDOWN_PER_SECOND = 6;
/** Requests start evenly over this part of a response's time, because a burst has a burst of responses. */
const SPREAD = 0.7;
/** n8n sends a request up to so many milliseconds late: it prepares those that start together at once. */
const WORK_MS = 10;
/** The shortest time from one attempt to the next while nothing is admitted. */
const MIN_BACKOFF_MS = 500;
/** The longest time from one attempt to the next while nothing is admitted. */
const MAX_BACKOFF_MS = 30_000;
/** A pause longer than requests wait holds them back for so long, before one asks again. */
const MAX_HELD_BACK_MS = 60_000;
/** A refusal after so long without another one begins an outage of its own. */
const QUIET_MS = 60_000;
/** What was learned is forgotten so long after the last refusal, because plans and loads change. */
const FORGET_AFTER_MS = 600_000;

/** What a service may limit: requests in flight, or those admitted within a second. */
export type LimitType = 'inFlight' | 'perSecond';

/**
 * Finds out how many requests a service allows. All times are milliseconds of one clock.
 *
 * At each refusal two numbers are counted: requests in flight, and admitted in the last second. The
 * one that is the same as at the refusal before is what the service limits; the next refusal corrects
 * a mistake. The limit decreases and grows again as in TCP CUBIC (RFC 9438), the slower the more time
 * a refusal costs.
 */
export class CongestionController {
	/** The requests that were sent and have not ended: `onStart` and `onEnd` count them. */
	private inFlight = 0;
	/** When the admitted requests of the last second, and those in flight, were sent: see `onStart`. */
	private recentStarts: number[] = [];
	/** When the next request may start: `onStart` moves it on, so that requests do not start in bursts. */
	private nextStartAt = -Infinity;
	/** The average time to a response that admits, by which `onStart` spreads requests in flight. */
	private latencyMs = 0;

	/** What the service seems to limit. Each refusal may correct it: see `estimateLimit`. */
	private limitType: LimitType = 'inFlight';
	/** How many of that were admitted at the last refusal, from which the limit grows; Infinity if unknown. */
	private limitAtRefusal = Infinity;
	/** How many times slower than in RFC 9438 the limit grows, by what the last refusal cost. */
	private slowdown = 1;
	/** Both numbers at the last refusal, which `estimateLimit` compares with those at the next one. */
	private countsAtRefusal?: Record<LimitType, number>;

	/** When the service last refused a request. */
	private refusedAt = -Infinity;
	/**
	 * When the last refusal was over: at the end of the pause it asked for, or as soon as a request was
	 * admitted. The limit grows from then on, and what was learned is forgotten some time later.
	 */
	private refusalOverAt = -Infinity;
	/** Since when nothing was admitted: set by a refusal, and removed by an admission. */
	private outageSince?: number;
	/** When the service last asked to send nothing for a while. */
	private pausedAt = -Infinity;
	/** Until when it asked to send nothing; the admission of a request sent after that ends the pause. */
	private pausedUntil = -Infinity;

	/**
	 * @param maxWaitMs how long the request waits that is to be sent
	 * @returns milliseconds until it may start; Infinity if one must end, or a limit grow
	 */
	getDelayMs(now: number, maxWaitMs = Infinity): number {
		if (now > this.refusalOverAt + FORGET_AFTER_MS) this.forget();
		const heldBackMs = this.getHeldBackMs(now, maxWaitMs);
		if (heldBackMs > 0) return heldBackMs;
		const limit = this.limitType === 'inFlight' ? Math.round(this.getLimit(now)) : Infinity;
		if (this.inFlight >= Math.min(Math.max(1, limit), MAX_IN_FLIGHT)) return Infinity;
		return Math.max(0, this.nextStartAt - now);
	}

	/** @returns when the request was sent, by which `onAdmitted` and `onRefused` know it */
	onStart(now: number): number {
		this.inFlight++;
		this.recentStarts = this.recentStarts.filter((at) => at > now - 1000 - WORK_MS);
		this.recentStarts.push(now);
		const periodMs = this.limitType === 'perSecond' ? 1000 : this.latencyMs * SPREAD;
		const earliest = Math.max(this.nextStartAt, now - WORK_MS);
		this.nextStartAt = earliest + periodMs / this.getLimit(now);
		return now;
	}

	/** @param pauseMs how long the service asked to send nothing further, 0 if it did not */
	onAdmitted(sentAt: number, now: number, pauseMs = 0): void {
		this.outageSince = undefined;
		this.latencyMs += (now - sentAt - this.latencyMs) / 10;
		// A request that was sent before a refusal says nothing about what the service allows since.
		if (sentAt > this.pausedAt) {
			this.pausedUntil = -Infinity;
			this.refusalOverAt = this.refusedAt;
		}
		if (pauseMs > 0) this.pause(now, pauseMs);
	}

	/** @param pauseMs how long the service asked to send nothing further, 0 if it did not */
	onRefused(sentAt: number, now: number, pauseMs = 0): void {
		const isFirstOfOutage = sentAt - this.refusalOverAt > QUIET_MS;
		this.outageSince = isFirstOfOutage ? now : (this.outageSince ?? now);
		this.refusedAt = now;
		this.refusalOverAt = Math.max(this.refusalOverAt, now + pauseMs);
		this.pause(now, pauseMs);
		this.estimateLimit(sentAt, pauseMs);
	}

	/** The connection broke: the service, which refused requests until then, no longer does. */
	onDisconnected(): void {
		this.outageSince = undefined;
	}

	onEnd(): void {
		this.inFlight--;
	}

	/** Whether a request was sent that has not ended, and may still change everything. */
	get isWaitingForResponse(): boolean {
		return this.inFlight > 0;
	}

	/** @returns since when the service admits nothing, or asks to send nothing; undefined if it does not */
	getBlockedSince(now: number): number | undefined {
		return this.outageSince ?? (this.pausedUntil > now ? this.pausedAt : undefined);
	}

	/** @returns what the service was found to limit; undefined while that is not known */
	getLearnedLimit(): { type: LimitType; count: number } | undefined {
		if (this.limitAtRefusal === Infinity) return undefined;
		return { type: this.limitType, count: this.limitAtRefusal };
	}

	/** @returns whether nothing was, or will be, admitted for as long as a request waits */
	isRefusing(now: number, waitsSince: number, maxWaitMs: number): boolean {
		const mayAsk = this.getHeldBackMs(now, maxWaitMs) === 0;
		if (mayAsk) return false;
		if (this.pausedUntil - now > maxWaitMs) return true;
		const isKnown = this.refusedAt > waitsSince || now - waitsSince >= maxWaitMs;
		return isKnown && now - (this.outageSince ?? now) >= maxWaitMs;
	}

	private pause(now: number, pauseMs: number): void {
		this.pausedAt = now;
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
	}

	private forget(): void {
		this.limitType = 'inFlight';
		this.limitAtRefusal = Infinity;
		this.countsAtRefusal = undefined;
		this.outageSince = undefined;
	}

	/** Compares what was admitted at this refusal with what was admitted at the one before. */
	private estimateLimit(sentAt: number, pauseMs: number): void {
		const index = this.recentStarts.indexOf(sentAt);
		if (index >= 0) this.recentStarts.splice(index, 1);
		const counts = { inFlight: this.inFlight - 1, perSecond: this.recentStarts.length };
		const isOutage = counts.inFlight + counts.perSecond === 0;
		if (isOutage) return;
		const before = this.countsAtRefusal;
		this.countsAtRefusal = counts;
		// A single refusal may have any cause, so it reveals no limit.
		if (!before) return;
		const getChange = (type: LimitType) =>
			Math.abs(counts[type] - before[type]) / Math.max(counts[type], before[type], 1);
		const difference = getChange('inFlight') - getChange('perSecond');
		if (difference !== 0) this.limitType = difference < 0 ? 'inFlight' : 'perSecond';
		this.limitAtRefusal = Math.max(1, counts[this.limitType]);
		this.slowdown = 1 + (SLOWDOWN_PER_SECOND * (pauseMs + this.latencyMs)) / 1000;
	}

	/** @returns how many requests the service allows now, as RFC 9438 lets the limit grow */
	private getLimit(now: number): number {
		const { limitAtRefusal, slowdown } = this;
		if (limitAtRefusal === Infinity) return Infinity;
		const seconds = Math.max(0, now - this.refusalOverAt) / 1000;
		const recovery = Math.cbrt(limitAtRefusal * (1 - DECREASE)) * slowdown;
		return limitAtRefusal + ((seconds - recovery) / slowdown) ** 3;
	}

	/** @returns for how many milliseconds a pause or an outage holds back a request that waits so long */
	private getHeldBackMs(now: number, maxWaitMs: number): number {
		const pauseMs = this.getPauseMs(now, maxWaitMs);
		if (this.outageSince === undefined) return pauseMs;
		// The response to an attempt may never come, so the time since it was sent counts as well.
		const askedAt = Math.max(this.refusedAt, this.recentStarts.at(-1) ?? -Infinity);
		const outageMs = askedAt - this.outageSince;
		const backoffMs = Math.min(MAX_BACKOFF_MS, Math.max(MIN_BACKOFF_MS, outageMs / 2));
		return Math.max(pauseMs, askedAt + backoffMs - now);
	}

	private getPauseMs(now: number, maxWaitMs: number): number {
		const leftMs = this.pausedUntil - now;
		if (leftMs <= maxWaitMs) return Math.max(0, leftMs);
		// A pause that was announced without a refusal has no words to end a wait with: one must ask.
		const isAnnounced = this.pausedAt > this.refusedAt;
		return isAnnounced ? 0 : Math.max(0, this.refusedAt + MAX_HELD_BACK_MS - now);
	}
}
