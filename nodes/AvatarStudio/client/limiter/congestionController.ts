import { LimitEstimate } from './limitEstimate';

/** So many requests are in flight at most, at once if no limit is known: a slow start delays each run. */
const MAX_IN_FLIGHT = 50;
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

/**
 * Decides when the next request may start, by what the service has admitted and refused, and by the
 * pauses it asked for. All times are milliseconds of one clock.
 */
export class CongestionController {
	/** What the service limits, as far as its refusals reveal it; begun anew when that is forgotten. */
	estimate = new LimitEstimate();
	/** The requests that were sent and have not ended: `onStart` and `onEnd` count them. */
	private inFlight = 0;
	/** When the admitted requests of the last second, and those in flight, were sent: see `onStart`. */
	private recentStarts: number[] = [];
	/** When the next request may start: `onStart` moves it on, so that requests do not start in bursts. */
	private nextStartAt = -Infinity;
	/** The average time to a response that admits, by which `onStart` spreads requests in flight. */
	private latencyMs = 0;
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
		const limit = this.estimate.type === 'inFlight' ? Math.round(this.getLimit(now)) : Infinity;
		if (this.inFlight >= Math.min(Math.max(1, limit), MAX_IN_FLIGHT)) return Infinity;
		return Math.max(0, this.nextStartAt - now);
	}

	/** @returns when the request was sent, by which `onAdmitted` and `onRefused` know it */
	onStart(now: number): number {
		this.inFlight++;
		this.recentStarts = this.recentStarts.filter((at) => at > now - 1000 - WORK_MS);
		this.recentStarts.push(now);
		const periodMs = this.estimate.type === 'perSecond' ? 1000 : this.latencyMs * SPREAD;
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
		const index = this.recentStarts.indexOf(sentAt);
		if (index >= 0) this.recentStarts.splice(index, 1);
		const counts = { inFlight: this.inFlight - 1, perSecond: this.recentStarts.length };
		this.estimate.onRefused(counts, pauseMs + this.latencyMs);
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
		this.estimate = new LimitEstimate();
		this.outageSince = undefined;
	}

	private getLimit(now: number): number {
		return this.estimate.getLimit(now - this.refusalOverAt);
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
