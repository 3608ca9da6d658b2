import type { ReportedLimits } from './rateLimitHeaders';

/** Unless the service reports that it allows more. */
const MAX_CONCURRENCY = 50;

/** What remains of a limit at first if an attempt to reach or to raise it was refused, */
const PROBE_DECREASE = 0.9;
/** and if less is allowed than before, as when other clients use the account too. */
const CONTENTION_DECREASE = 0.7;
const CONCURRENCY_GROWTH = 1;
const RATE_GROWTH = 4;
/** Slows growth by so much for each second that a refusal or a request takes. */
const SCALE_PER_PAUSED_SECOND = 24;
const SCALE_PER_LATENCY_SECOND = 5;
/** From this part of what was allowed before, a refusal does not mean that less is allowed now. */
const PROBE_START = 0.97;
/** How close the limit must be to the next request for that to be sent. */
const ROUNDING = 0.25;

/** At this part of what was allowed before, the limit is taken to be of the other kind. */
const IMPLAUSIBLE_CONCURRENCY = 0.75;
const IMPLAUSIBLE_RATE = 0.35;
/** If this part of the requests in flight is refused, it is not their number that is limited. */
const NEARLY_ALL = 0.9;
/** A limit of requests in flight would let in more than this many times their number per second. */
const RATE_PER_CONCURRENCY = 1.5;

/**
 * How much faster the rate that was found first may grow: a token bucket lets in fewer requests at
 * once, before it refuses one, than it does per second.
 */
const ESTIMATE_SPEEDUP = 2.5;

/** How late a request may be without delaying those after it. */
const MAX_CATCH_UP_MS = 40;
/** Timers and networks are not precise enough to use all of a reported rate. */
const REPORTED_RATE_SHARE = 0.98;

const INITIAL_PAUSE_MS = 300;
const PAUSE_GROWTH = 1.5;
const MAX_PAUSE_MS = 2_000;
/** The service may ask to wait for longer; then requests fail rather than wait. */
const MAX_OBEYED_PAUSE_MS = 300_000;

/** A request in flight, as the controller knows it. */
export interface Ticket {
	round: number;
	sentAt: number;
}

/**
 * Finds out how many requests a service allows, from which of them it refuses.
 *
 * A service may limit how many requests are in flight or how many are sent per second. The limit is
 * taken for the former until so few in flight, nearly all of them, or no more than were just let in
 * are refused, so that it must be the latter. It is decreased once for requests that are refused
 * together, to a part of what was admitted of them, and then follows the curve of TCP CUBIC. Fewer
 * refusals are provoked if each costs a pause.
 *
 * Without a refusal, 50 requests are in flight from the start: slow start would delay every run.
 *
 * Sources: TCP CUBIC (RFC 9438) for the curve and for decreasing more under contention ("fast
 * convergence"); AIMD (Chiu and Jain, 1989) for why clients that do not know of each other end up
 * with equal shares; the AWS SDKs' adaptive retry mode for CUBIC on a request rate; Netflix
 * concurrency-limits for a limit of requests in flight instead of a rate; TCP BBR for measuring by
 * the peak of recent seconds; gRPC's retry throttling for counting over all requests instead of each.
 */
export class CongestionController {
	private readonly concurrency = new CubicCurve(MAX_CONCURRENCY, CONCURRENCY_GROWTH, true);
	private readonly rate = new CubicCurve(Infinity, RATE_GROWTH);
	/** The one of the two that the service is thought to limit. */
	private limit = this.concurrency;
	/** The limit that held requests back since `updatedAt`. */
	private bottleneck?: CubicCurve;
	private updatedAt = 0;
	private rateAtFirst = 0;
	private rateDecrease = { at: -Infinity, from: Infinity, factor: 1 };
	private remaining = Infinity;
	private latencyMs = 0;
	private readonly admitted = new CountPerSecond();
	/** Requests that were in flight together when one of them was refused. */
	private round = { number: 0, concurrency: 0, refused: 0, decrease: 1 };
	private roundsWithoutAdmission = 0;
	/** How many in flight at once were let in since the last refusal, and since when that is known. */
	private proven = { concurrency: 0, since: Infinity };
	private pausedUntil = -Infinity;
	private nextStart = -Infinity;

	/** @param now milliseconds that only ever increase */
	constructor(
		private readonly now: () => number,
		private readonly random = Math.random,
	) {}

	/** How many requests may be in flight. */
	get maxConcurrency(): number {
		const allowed = Math.floor(this.concurrency.value + ROUNDING);
		return Math.max(1, Math.min(allowed, this.remaining));
	}

	/** @returns milliseconds until the service may be sent requests again */
	getPauseMs(): number {
		return Math.max(0, this.pausedUntil - this.now());
	}

	/**
	 * To be called whenever requests are waiting.
	 *
	 * @param active number of requests in flight
	 * @param isUrgent whether it may exceed a limit that is not the service's
	 * @returns milliseconds until the next one may start; Infinity if one must end first
	 */
	getDelayMs(active: number, isUrgent = false): number {
		const now = this.advance();
		if (now < this.pausedUntil) return this.pausedUntil - now;
		const isOwnLimit = this.maxConcurrency === MAX_CONCURRENCY;
		if (active >= this.maxConcurrency + (isUrgent && isOwnLimit ? 1 : 0)) {
			this.bottleneck = this.concurrency;
			return Infinity;
		}
		if (now < this.nextStart) this.bottleneck = this.limit;
		return Math.max(0, this.nextStart - now);
	}

	onStart(): Ticket {
		const sentAt = this.advance();
		this.admitted.add(1, sentAt);
		// Less than one in flight: one with pauses, in which other clients get their turn.
		const spacingMs = this.concurrency.value < 1 ? this.latencyMs / this.concurrency.value : 0;
		this.nextStart =
			Math.max(this.nextStart, sentAt - MAX_CATCH_UP_MS) +
			Math.max(1000 / this.rate.value, spacingMs);
		return { round: this.round.number, sentAt };
	}

	/**
	 * The service let a request in, whatever it responded.
	 *
	 * @param active number of requests in flight, including this one
	 */
	onAdmitted(ticket: Ticket, active: number, reported?: ReportedLimits): void {
		const now = this.advance();
		const latencyMs = now - ticket.sentAt;
		this.learn(ticket, reported);
		this.roundsWithoutAdmission = 0;
		if (ticket.round === this.round.number) {
			const { concurrency, since } = this.proven;
			this.proven = { concurrency: Math.max(concurrency, active), since: Math.min(since, now) };
		}
		this.latencyMs += (latencyMs - this.latencyMs) * (this.latencyMs === 0 ? 1 : 0.1);
	}

	/**
	 * The service refused a request because there were too many.
	 *
	 * @param active number of requests in flight, including the refused one
	 * @param retryAfterMs how long the service asks to wait, 0 if it does not say
	 */
	onRefused(ticket: Ticket, active: number, retryAfterMs: number, reported?: ReportedLimits): void {
		const now = this.advance();
		this.learn(ticket, reported);
		this.admitted.add(-1, now, ticket.sentAt);
		this.pauseFor(retryAfterMs);
		if (ticket.round < this.round.number - 1) return;
		if (ticket.round === this.round.number) this.startRound(ticket, active, now);
		this.round.refused++;
		const timeScale = this.chooseTimeScale(retryAfterMs);
		const { concurrency, refused } = this.round;
		// A limit of requests in flight would have let in more of them: it did so within a second.
		const isRateLimit =
			concurrency > 1 && Math.min(refused, this.admitted.getPeak(now)) >= concurrency * NEARLY_ALL;
		if (this.limit === this.concurrency && isRateLimit) this.limitRate(now);
		if (this.limit === this.concurrency) {
			const admitted = Math.max(1, concurrency - refused);
			this.concurrency.decrease(admitted, this.round.decrease, timeScale);
		} else {
			this.decreaseRate(now, timeScale);
		}
	}

	private decreaseRate(now: number, timeScale: number): void {
		// Until a second is over, all that exceeds its limit is refused, however low the rate.
		if (now - this.rateDecrease.at >= 1000) {
			this.rateDecrease = { at: now, from: this.rate.value, factor: this.round.decrease };
		}
		const { from, factor } = this.rateDecrease;
		const admitted = Math.max(1, Math.min(from, this.admitted.getPeak(now)));
		const isEstimate = from === Infinity;
		const scale = isEstimate ? Math.max(1, timeScale / ESTIMATE_SPEEDUP) : timeScale;
		this.rate.decrease(admitted, factor, scale);
	}

	private chooseTimeScale(retryAfterMs: number): number {
		// An outage reveals nothing about the limit.
		if (this.admitted.getPeak(this.now()) <= 0) return 1;
		return Math.max(
			1,
			(Math.min(retryAfterMs, MAX_OBEYED_PAUSE_MS) / 1000) * SCALE_PER_PAUSED_SECOND,
			(this.latencyMs / 1000) * SCALE_PER_LATENCY_SECOND,
		);
	}

	private startRound(ticket: Ticket, active: number, now: number): void {
		this.chooseLimit(ticket, active, now);
		this.proven = { concurrency: 0, since: Infinity };
		this.round = {
			number: this.round.number + 1,
			concurrency: active,
			refused: 0,
			decrease: this.limit.isProbing ? PROBE_DECREASE : CONTENTION_DECREASE,
		};
		if (this.roundsWithoutAdmission > 0) {
			const backoffMs = INITIAL_PAUSE_MS * PAUSE_GROWTH ** (this.roundsWithoutAdmission - 1);
			this.pauseFor(Math.min(backoffMs, MAX_PAUSE_MS) * (0.5 + this.random() / 2));
		}
		this.roundsWithoutAdmission++;
	}

	private chooseLimit(ticket: Ticket, active: number, now: number): void {
		if (this.limit === this.rate) {
			if (this.getAdmittedRate(now) >= this.rateAtFirst * IMPLAUSIBLE_RATE) return;
			this.limit = this.concurrency;
			this.rate.reset();
			return;
		}
		const perSecond = this.admitted.getPeak(now);
		const { peak } = this.concurrency;
		const isFirst = peak === Infinity;
		const isImplausible =
			!isFirst && active <= Math.max(1, peak * IMPLAUSIBLE_CONCURRENCY) && perSecond > active;
		// As many were let in a moment ago, of which some have ended.
		const isProven =
			active <= this.proven.concurrency &&
			ticket.sentAt >= this.proven.since &&
			perSecond >= active &&
			(isFirst || perSecond <= active * RATE_PER_CONCURRENCY);
		if (isImplausible || isProven || perSecond > this.rate.ceiling) {
			this.limitRate(now);
		}
	}

	private limitRate(now: number): void {
		this.limit = this.rate;
		this.rateAtFirst = this.getAdmittedRate(now);
		this.concurrency.reset();
	}

	/** @returns requests per second, at least one */
	private getAdmittedRate(now: number): number {
		return Math.max(1, Math.min(this.rate.value, this.admitted.getPeak(now)));
	}

	private learn({ sentAt }: Ticket, reported?: ReportedLimits): void {
		if (!reported) return;
		const { concurrency, perSecond, remaining = Infinity, resetMs = 0 } = reported;
		const isNew = this.rate.ceiling === Infinity;
		this.rate.ceiling = (perSecond ?? Infinity) * REPORTED_RATE_SHARE;
		if (isNew) {
			// What was sent before the rate was known counts, at most until the service counts anew.
			const paidAt = sentAt + (this.admitted.getPeak(this.now()) / this.rate.ceiling) * 1000;
			this.nextStart = Math.max(this.nextStart, Math.min(paidAt, this.now() + resetMs));
		}
		this.concurrency.ceiling = concurrency ?? Math.max(MAX_CONCURRENCY, perSecond ?? 0);
		// Within a short window the rate makes up for it: its end is known to the second only.
		this.remaining = perSecond === undefined ? remaining : Infinity;
		if (remaining === 0 && perSecond === undefined) this.pauseFor(resetMs);
	}

	private pauseFor(ms: number): void {
		if (ms <= MAX_OBEYED_PAUSE_MS) this.pausedUntil = Math.max(this.pausedUntil, this.now() + ms);
	}

	private advance(): number {
		const now = this.now();
		this.bottleneck?.advance(now - this.updatedAt);
		this.bottleneck = undefined;
		this.updatedAt = now;
		return now;
	}
}

/**
 * A limit that follows the curve of TCP CUBIC (RFC 9438): after a decrease it returns quickly to
 * what was allowed before, stays there for a while, then grows faster and faster.
 */
class CubicCurve {
	/** What is known to be allowed; Infinity until the limit is first decreased. */
	peak = Infinity;
	private lowest = 0;
	private timeScale = 1;
	private ageMs = 0;

	/**
	 * @param ceiling what the limit never exceeds; its value until it is first decreased
	 * @param growth how steep the curve is, in units of the limit per second cubed
	 * @param isExact whether returning to what is known to be allowed provokes no refusal
	 */
	constructor(
		public ceiling: number,
		private readonly growth: number,
		private readonly isExact = false,
	) {}

	get value(): number {
		if (this.peak === Infinity) return this.ceiling;
		const recoveryScale = this.isExact ? 1 : this.timeScale;
		const recovery = Math.cbrt((this.peak - this.lowest) / this.growth) * recoveryScale;
		const seconds = this.ageMs / 1000 - recovery;
		const scale = seconds < 0 ? recoveryScale : this.timeScale;
		return Math.min(this.ceiling, this.peak + this.growth * (seconds / scale) ** 3);
	}

	/** Whether the limit is about as high as what is known to be allowed, or higher. */
	get isProbing(): boolean {
		return this.peak === Infinity || this.value > this.peak * PROBE_START;
	}

	/** Moves along the curve. Time counts only while the limit is what holds requests back. */
	advance(ms: number): void {
		this.ageMs += ms;
	}

	/**
	 * Starts a new curve.
	 *
	 * @param peak what is known to be allowed
	 * @param factor which part of it remains at first
	 * @param timeScale by how much the curve is slower than usual
	 */
	decrease(peak: number, factor: number, timeScale: number): void {
		this.peak = peak;
		this.lowest = peak * factor;
		this.timeScale = timeScale;
		this.ageMs = 0;
	}

	/** Returns to the ceiling. */
	reset(): void {
		this.peak = Infinity;
	}
}

/** Counts events in each tenth of the last three seconds. */
class CountPerSecond {
	private counts = new Array<number>(30).fill(0);
	private tenth = 0;

	/**
	 * @param now milliseconds
	 * @param at when they happened
	 */
	add(count: number, now: number, at = now): void {
		this.discardOld(now);
		const age = this.tenth - Math.floor(at / 100);
		if (age < this.counts.length) this.counts[age]! += count;
	}

	/** @returns the highest count in any second */
	getPeak(now: number): number {
		this.discardOld(now);
		const seconds = this.counts.map((_count, start) => this.counts.slice(start, start + 10));
		return Math.max(...seconds.map((counts) => counts.reduce((sum, count) => sum + count)));
	}

	private discardOld(now: number): void {
		const tenth = Math.floor(now / 100);
		const { length } = this.counts;
		const elapsed = Math.min(tenth - this.tenth, length);
		this.counts = [...new Array<number>(elapsed).fill(0), ...this.counts].slice(0, length);
		this.tenth = tenth;
	}
}
