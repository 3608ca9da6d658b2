/** How long to wait before one request finds out whether the service admits requests again. */
const [MIN_BACKOFF_MS, MAX_BACKOFF_MS] = [500, 30_000];
/** How long a pause holds back those who do not wait for its end. */
const MAX_SHARED_PAUSE_MS = 60_000;
/** After so long without a refusal, or its pause, an outage is another one. */
const QUIET_MS = 60_000;

/**
 * The time since a service last admitted a request. One request at a time finds out whether it is
 * over: after the pause that the service asks for, or half of the time it has lasted.
 *
 * All times are milliseconds of one clock.
 */
export class Outage {
	private since?: number;
	private refusedAt = -Infinity;
	private nextAttemptAt = -Infinity;
	private pausedUntil = -Infinity;

	constructor(private readonly random = Math.random) {}

	/** Whether nothing was admitted since the last refusal. */
	get isOngoing(): boolean {
		return this.since !== undefined;
	}

	onRefused(now: number, retryAfterMs: number): void {
		// Time in which nobody asks is none of an outage.
		const isQuiet = now - Math.max(this.refusedAt, this.pausedUntil) > QUIET_MS;
		this.since = isQuiet ? now : (this.since ?? now);
		this.refusedAt = now;
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		this.backOff(now);
	}

	/** Only what was sent after a refusal says that its pause is over. */
	onAdmitted(sentAt: number): void {
		this.since = undefined;
		if (sentAt > this.refusedAt) this.pausedUntil = -Infinity;
	}

	/** A request is sent; its response may never come. */
	onStart(now: number): void {
		this.backOff(now);
	}

	private backOff(now: number): void {
		if (this.since === undefined || now < this.nextAttemptAt) return;
		const backoffMs = Math.max(MIN_BACKOFF_MS, (now - this.since) / 2) * (0.9 + this.random() / 5);
		this.nextAttemptAt = now + Math.min(MAX_BACKOFF_MS, backoffMs);
	}

	/**
	 * @param maxWaitMs how long the request waits that is to be sent
	 * @returns milliseconds until it may be sent
	 */
	getDelayMs(now: number, maxWaitMs: number): number {
		const backoffMs = this.since === undefined ? 0 : this.nextAttemptAt - now;
		const pauseMs = this.getPauseMs(now);
		const sharedMs = pauseMs <= maxWaitMs ? pauseMs : this.refusedAt + MAX_SHARED_PAUSE_MS - now;
		return Math.max(0, backoffMs, sharedMs);
	}

	getPauseMs(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	/**
	 * @param since when a request began to wait
	 * @returns milliseconds for which nothing was admitted, 0 if that is to be asked yet
	 */
	getDurationMs(now: number, since: number, maxWaitMs: number): number {
		const isKnown = this.refusedAt > since || now - since >= maxWaitMs;
		return this.since === undefined || !isKnown ? 0 : now - this.since;
	}
}
