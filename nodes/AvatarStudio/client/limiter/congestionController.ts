/** In flight at most, and at once while nothing is known: starting lower delays every run. */
const MAX_IN_FLIGHT = 50;
/** Part of a limit that remains after a refusal. */
const DECREASE = 0.92;
/** How many times slower a limit grows for each second that a refusal costs. */
const SLOWDOWN_PER_SECOND = 6;
/** Part of the time of a response over which the requests in flight are spread. */
const SPREAD = 0.7;
/** How late n8n may send a request: it prepares all that start together at once. */
const WORK_MS = 10;
/** While nothing is admitted, one request asks after half of that time, within these bounds. */
const [MIN_BACKOFF_MS, MAX_BACKOFF_MS] = [500, 30_000];
/** How long a pause holds back those who do not wait for its end. */
const MAX_SHARED_PAUSE_MS = 60_000;
/** After so long without a refusal or its pause, an outage is another one; what was learned is forgotten. */
const [QUIET_MS, FORGET_AFTER_MS] = [60_000, 600_000];

/** What a service may limit: requests in flight, or admitted within a second. */
type Limited = 'inFlight' | 'perSecond';

/**
 * Finds out how many requests a service allows. All times are milliseconds of one clock.
 *
 * At each refusal two numbers are counted: requests in flight, and admitted in the last second. The
 * one that is the same as at the refusal before is what the service limits; the next refusal corrects
 * a mistake. The limit decreases and grows again as in TCP CUBIC (RFC 9438), the slower the more time
 * a refusal costs.
 */
export class CongestionController {
	private inFlight = 0;
	private limited: Limited = 'inFlight';
	/** What was admitted of that at the last refusal. */
	private peak = Infinity;
	private slowdown = 1;
	private counts?: Record<Limited, number>;
	private latencyMs = 0;
	/** When the requests of the last second were sent, without what was refused. */
	private starts: number[] = [];
	private nextStart = -Infinity;
	private refusedAt = -Infinity;
	private pausedUntil = -Infinity;
	/** Since when nothing was admitted, if the last response was a refusal. */
	private outageSince?: number;

	/**
	 * @param maxWaitMs how long the request waits that is to be sent
	 * @returns milliseconds until it may start; Infinity if one must end, or a limit grow
	 */
	getDelayMs(now: number, maxWaitMs = Infinity): number {
		if (now > Math.max(this.refusedAt, this.pausedUntil) + FORGET_AFTER_MS) {
			this.peak = Infinity;
			this.limited = 'inFlight';
			this.counts = undefined;
			this.outageSince = undefined;
		}
		const outageMs = this.getOutageMs(now, maxWaitMs);
		if (outageMs > 0) return outageMs;
		const allowed = this.limited === 'inFlight' ? Math.round(this.getAllowed(now)) : Infinity;
		if (this.inFlight >= Math.min(Math.max(1, allowed), MAX_IN_FLIGHT)) return Infinity;
		return Math.max(0, this.nextStart - now);
	}

	/** @returns when it was sent, by which its response is known */
	onStart(now: number): number {
		this.inFlight++;
		this.starts = this.starts.filter((at) => at > now - 1000 - WORK_MS);
		this.starts.push(now);
		const periodMs = this.limited === 'perSecond' ? 1000 : this.latencyMs * SPREAD;
		this.nextStart = Math.max(this.nextStart, now - WORK_MS) + periodMs / this.getAllowed(now);
		return now;
	}

	/** Only what was sent after a refusal says that its pause is over. */
	onAdmitted(sentAt: number, now: number): void {
		this.outageSince = undefined;
		if (sentAt > this.refusedAt) this.pausedUntil = -Infinity;
		this.latencyMs += (now - sentAt - this.latencyMs) / 10;
	}

	onRefused(sentAt: number, now: number, retryAfterMs = 0): void {
		const isQuiet = sentAt - Math.max(this.refusedAt, this.pausedUntil) > QUIET_MS;
		this.outageSince = isQuiet ? now : (this.outageSince ?? now);
		this.refusedAt = now;
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		const index = this.starts.indexOf(sentAt);
		if (index >= 0) this.starts.splice(index, 1);
		const counts = { inFlight: this.inFlight - 1, perSecond: this.starts.length };
		// An outage reveals no limit.
		if (counts.inFlight + counts.perSecond === 0) return;
		const before = this.counts;
		this.counts = counts;
		// Nor does a single refusal.
		if (!before) return;
		const getChange = (name: Limited) =>
			Math.abs(counts[name] - before[name]) / Math.max(counts[name], before[name], 1);
		const difference = getChange('inFlight') - getChange('perSecond');
		if (difference !== 0) this.limited = difference < 0 ? 'inFlight' : 'perSecond';
		this.peak = Math.max(1, counts[this.limited]);
		this.slowdown = 1 + (SLOWDOWN_PER_SECOND * (retryAfterMs + this.latencyMs)) / 1000;
	}

	onEnd(): void {
		this.inFlight--;
	}

	/** @returns whether nothing was, or will be, admitted for as long as a request waits */
	isRefusing(now: number, waitsSince: number, maxWaitMs: number): boolean {
		// One that may ask does so.
		if (this.getOutageMs(now, maxWaitMs) === 0) return false;
		if (this.pausedUntil - now > maxWaitMs) return true;
		const isKnown = this.refusedAt > waitsSince || now - waitsSince >= maxWaitMs;
		return isKnown && now - (this.outageSince ?? now) >= maxWaitMs;
	}

	private getAllowed(now: number): number {
		const { peak, slowdown } = this;
		if (peak === Infinity) return Infinity;
		const seconds = Math.max(0, now - Math.max(this.refusedAt, this.pausedUntil)) / 1000;
		const recovery = Math.cbrt(peak * (1 - DECREASE)) * slowdown;
		return peak + ((seconds - recovery) / slowdown) ** 3;
	}

	private getOutageMs(now: number, maxWaitMs: number): number {
		const pauseMs = this.pausedUntil - now;
		const sharedMs = pauseMs <= maxWaitMs ? pauseMs : this.refusedAt + MAX_SHARED_PAUSE_MS - now;
		if (this.outageSince === undefined) return Math.max(0, sharedMs);
		// The response to an attempt may never come.
		const askedAt = Math.max(this.refusedAt, this.starts.at(-1) ?? -Infinity);
		const backoffMs = Math.max(MIN_BACKOFF_MS, (askedAt - this.outageSince) / 2);
		return Math.max(0, sharedMs, askedAt + Math.min(MAX_BACKOFF_MS, backoffMs) - now);
	}
}
