import { LimitEstimate } from './limitEstimate';

/** The most requests in flight. While no limit is known they start at once: a slow start delays each run. */
const MAX_IN_FLIGHT = 50;
/**
 * The part of a response's time over which requests start evenly once a limit is known. If they started
 * together, they would also end together, and nothing would be in flight in between.
 */
const SPREAD = 0.7;
/** How late n8n may send a request, in milliseconds, because it prepares those that start together. */
const LATENESS_MS = 10;
/** The shortest time from one probe to the next during an outage. */
const MIN_PROBE_INTERVAL_MS = 500;
/** The longest time from one probe to the next during an outage. */
const MAX_PROBE_INTERVAL_MS = 30_000;
/**
 * A pause is believed for this long after it was asked for, or after the last refusal. Until then, a request
 * fails whose maximum wait is shorter than what is left of the pause. Later, it is sent as a probe, because
 * the pause may be over early.
 */
const TRUST_PAUSE_MS = 60_000;
/** A refusal that comes this long after the last one, or after the end of its pause, begins a new outage. */
const QUIET_MS = 60_000;
/** How long after the last refusal, or the end of its pause, the limit is forgotten: plans and loads change. */
const FORGET_AFTER_MS = 600_000;

/**
 * Decides when the next request may start, by what the service has admitted and refused, and by the
 * pauses it asked for. All times are milliseconds of one clock.
 */
export class CongestionController {
	/** What the service limits, as its refusals reveal; `onStart` replaces it when it is too old. */
	estimate = new LimitEstimate();
	/** How many requests were sent and have not ended: `onStart` and `onEnd` count them. */
	private inFlight = 0;
	/** The times of the starts within the last second before the latest one, without refused requests. */
	private recentStarts: number[] = [];
	/** When the next request may start: `onStart` moves it on, so that requests do not start in bursts. */
	private nextStartAt = -Infinity;
	/** The average time to a response that admits, by which `onStart` spreads requests in flight. */
	private latencyMs = 0;
	/** When the service last refused a request. */
	private refusedAt = -Infinity;
	/** Since when nothing was admitted: set by a refusal; removed by an admission, a disconnection or age. */
	private outageSince?: number;
	/** When a response last asked for a pause. */
	private pausedAt = -Infinity;
	/**
	 * The latest end of the pauses asked for. Admitting a request that was sent after `pausedAt`, and after
	 * the last refusal, ends them all.
	 */
	private pausedUntil = -Infinity;

	/**
	 * @param maxWaitMs the maximum wait of the next request
	 * @returns milliseconds until it may start; Infinity until a request in flight ends or the limit grows
	 */
	getDelayMs(now: number, maxWaitMs = Infinity): number {
		const heldBackMs = this.getHeldBackMs(now, maxWaitMs);
		if (heldBackMs > 0) return heldBackMs;
		const limit = this.estimate.type === 'inFlight' ? Math.round(this.getLimit(now)) : Infinity;
		if (this.inFlight >= Math.min(Math.max(1, limit), MAX_IN_FLIGHT)) return Infinity;
		return Math.max(0, this.nextStartAt - now);
	}

	/** @returns `now`, the time of sending, by which `onAdmitted` and `onRefused` recognize the request */
	onStart(now: number): number {
		const isTooOld = now - this.getRefusalEnd() > FORGET_AFTER_MS;
		if (isTooOld) {
			this.estimate = new LimitEstimate();
			this.outageSince = undefined;
		}
		this.inFlight++;
		// A request may be sent late, so its second may end as much later.
		this.recentStarts = this.recentStarts.filter((at) => at > now - 1000 - LATENESS_MS);
		this.recentStarts.push(now);
		const periodMs = this.estimate.type === 'perSecond' ? 1000 : this.latencyMs * SPREAD;
		// A start that is a little late does not delay those after it.
		const earliest = Math.max(this.nextStartAt, now - LATENESS_MS);
		this.nextStartAt = earliest + periodMs / this.getLimit(now);
		return now;
	}

	onAdmitted(sentAt: number, now: number): void {
		// A service that admits anything is no longer in an outage, whenever the request was sent.
		this.outageSince = undefined;
		this.latencyMs += (now - sentAt - this.latencyMs) / 10;
		// A request that was sent before a refusal says nothing about what the service allows since.
		if (sentAt > this.getHeldBackAt()) this.pausedUntil = -Infinity;
	}

	/** @param pauseMs slows the growth of the limit; `onPause` is what registers the pause */
	onRefused(sentAt: number, now: number, pauseMs: number): void {
		// An outage begins with the first refusal, and anew after a quiet time.
		const wasQuiet = sentAt - this.getRefusalEnd() > QUIET_MS;
		this.outageSince = wasQuiet ? now : (this.outageSince ?? now);
		this.refusedAt = now;
		const index = this.recentStarts.indexOf(sentAt);
		if (index >= 0) this.recentStarts.splice(index, 1);
		const counts = { inFlight: this.inFlight - 1, perSecond: this.recentStarts.length };
		this.estimate.onRefused(counts, pauseMs + this.latencyMs);
	}

	/** @param pauseMs how long a response asks to send nothing further (see `Exchange`); 0 if it does not */
	onPause(now: number, pauseMs: number): void {
		if (pauseMs === 0) return;
		this.pausedAt = now;
		this.pausedUntil = Math.max(this.pausedUntil, now + pauseMs);
	}

	/** Ends the outage. Otherwise requests that wait would fail with a refusal that is out of date. */
	onDisconnected(): void {
		this.outageSince = undefined;
	}

	onEnd(): void {
		this.inFlight--;
	}

	/** @returns whether a time is not after the last refusal of any request */
	isBeforeRefusal(time: number): boolean {
		return time <= this.refusedAt;
	}

	/** @returns since when there is an outage, or else a pause; undefined if there is neither */
	getBlockedSince(now: number): number | undefined {
		return this.outageSince ?? (this.pausedUntil > now ? this.pausedAt : undefined);
	}

	/**
	 * Whether a waiting request fails now: because what is left of the pause is longer than its maximum wait,
	 * or because the outage has lasted as long as that. No request fails while it may be sent. Nor does one
	 * that was made during a long outage fail at once: since it was made, the service has to have refused
	 * some request (`wasAnyRefused`), or the maximum wait has to have passed (`hasWaited`).
	 */
	mustGiveUp(now: number, waitsSince: number, maxWaitMs: number): boolean {
		const mayBeSent = this.getHeldBackMs(now, maxWaitMs) === 0;
		if (mayBeSent) return false;
		const hasOutageLasted = now - (this.outageSince ?? Infinity) >= maxWaitMs;
		const wasAnyRefused = this.refusedAt > waitsSince;
		const hasWaited = now - waitsSince >= maxWaitMs;
		const isOutageTooLong = hasOutageLasted && (wasAnyRefused || hasWaited);
		return this.isPauseTooLong(now, maxWaitMs) || isOutageTooLong;
	}

	private getLimit(now: number): number {
		return this.estimate.getLimit(now - this.getRefusalEnd());
	}

	/** @returns when the last refusal came, or the end of the pause, unless an admission has ended that */
	private getRefusalEnd(): number {
		return Math.max(this.refusedAt, this.pausedUntil);
	}

	/** @returns for how many milliseconds a pause or an outage holds back a request with this maximum wait */
	private getHeldBackMs(now: number, maxWaitMs: number): number {
		// A request that may wait is held until the end of the pause, any other while the pause is believed.
		const trustedUntil = this.getHeldBackAt() + TRUST_PAUSE_MS;
		const heldUntil = this.isPauseTooLong(now, maxWaitMs) ? trustedUntil : this.pausedUntil;
		return Math.max(0, heldUntil - now, this.getNextProbeAt() - now);
	}

	/** @returns when the service last refused a request, or asked for a pause without refusing */
	private getHeldBackAt(): number {
		return Math.max(this.refusedAt, this.pausedAt);
	}

	private isPauseTooLong(now: number, maxWaitMs: number): boolean {
		return this.pausedUntil - now > maxWaitMs;
	}

	/** @returns when the next request may be sent as a probe of whether an outage is over */
	private getNextProbeAt(): number {
		if (this.outageSince === undefined) return -Infinity;
		// The interval begins with the refusal of the last probe, or when it was sent if none has come yet.
		const lastStart = this.recentStarts.at(-1) ?? -Infinity;
		const probedAt = Math.max(this.refusedAt, lastStart);
		const outageMs = probedAt - this.outageSince;
		const intervalMs = Math.max(MIN_PROBE_INTERVAL_MS, outageMs / 2);
		return probedAt + Math.min(MAX_PROBE_INTERVAL_MS, intervalMs);
	}
}
