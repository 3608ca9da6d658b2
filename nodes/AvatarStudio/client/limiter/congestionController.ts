import type { ReportedLimits } from './rateLimitHeaders';

/** Unless the service reports that it allows more. */
const MAX_CONCURRENCY = 50;

/** What remains of a limit at first if an attempt to reach or to raise it was refused, */
const PROBE_DECREASE = 0.9;
/** and if less is allowed than before, as when other clients use the account too. */
const CONTENTION_DECREASE = 0.7;
/** If most of the rate that was found before is let in, that was an estimate, and too high. */
const ESTIMATE_DECREASE = 0.85;
const ESTIMATE_TOLERANCE = 0.8;
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
/** A limit of requests in flight would let in more than this many times their number per second. */
const RATE_PER_CONCURRENCY = 1.25;
/** How much the numbers let in per second may differ and yet be the same. */
const SAME_RATE_TOLERANCE = 0.05;
/** This part of what is counted as in flight at once is so in any case. */
const PROVEN_SHARE = 0.7;
/** A request counts as let in after so many times what the last refusal took, */
const REFUSAL_MARGIN = 2;
/** or after this part of the latency of another, whichever is shorter. */
const LATENCY_SHARE = 0.25;

/**
 * How much faster the rate that was found first may grow: a token bucket lets in fewer requests at
 * once, before it refuses one, than it does per second.
 */
const ESTIMATE_SPEEDUP = 2.5;

/**
 * Below the maximum, requests are paced: each starts at least this part of an even interval after
 * the one before. Those that start together are responded to together, and the responses that n8n
 * has yet to process hold up the requests that follow.
 */
const PACING = 0.5;
/** n8n takes about 2 ms for a response and the request that follows. */
const MAX_PACING_MS = 4;
/** How late a timer may be without delaying the request after the next. */
const PACING_CATCH_UP_MS = 3;
/** As long as less than this part of the limit is in flight, requests may start together. */
const PACING_START = 0.8;

/** How late a request may be without delaying those after it. */
const MAX_CATCH_UP_MS = 40;
/** Timers and networks are not precise enough to use all of a reported rate. */
const REPORTED_RATE_SHARE = 0.98;

const INITIAL_PAUSE_MS = 300;
const PAUSE_GROWTH = 1.5;
const MAX_PAUSE_MS = 2_000;
/** A longer pause teaches no more than this one. */
const MAX_OBEYED_PAUSE_MS = 300_000;

/** A request in flight, as the controller knows it. */
export interface Ticket {
	round: number;
	sentAt: number;
	/** How many in flight at once were let in between the last refusal and when it was sent. */
	provenConcurrency: number;
}

/** Requests that were in flight together when one of them was refused. */
interface Round {
	number: number;
	startedAt: number;
	concurrency: number;
	refused: number;
	/** What remains of the limit of requests in flight. */
	decrease: number;
	/** How many in flight at once were let in between the round before and this one, */
	provenConcurrency: number;
	/** and how many are known to be allowed since the rounds before; Infinity if none are. */
	peakConcurrency: number;
	/** How many were let in in the second before the last refusal, */
	perSecond: number;
	/** and in the one before the pause that ended less than a second ago; NaN without such a pause. */
	perSecondBeforePause: number;
}

/**
 * Finds out how many requests a service allows, from which of them it refuses.
 *
 * A service may limit how many requests are in flight or how many are sent per second. The limit is
 * taken for the former until requests are refused that are too few for it: fewer in flight than were
 * just let in, or no more per second than before although fewer in flight. It is decreased once for
 * requests that are refused together, to a part of what was admitted of them, and then follows the
 * curve of TCP CUBIC. Fewer refusals are provoked if each costs a pause.
 *
 * Without a refusal, 50 requests are in flight from the start: slow start would delay every run.
 *
 * Sources: TCP CUBIC (RFC 9438) for the curve and for decreasing more under contention ("fast
 * convergence"); AIMD (Chiu and Jain, 1989) for why clients that do not know of each other end up
 * with equal shares; the AWS SDKs' adaptive retry mode for CUBIC on a request rate; Netflix
 * concurrency-limits for a limit of requests in flight instead of a rate; TCP BBR for measuring by
 * the peak of recent seconds and for pacing; gRPC's retry throttling for counting over all requests
 * instead of each.
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
	/** How long it took to receive the last refusal. */
	private refusalMs = Infinity;
	private readonly admitted = new CountPerSecond();
	private round: Round = {
		number: 0,
		startedAt: -Infinity,
		concurrency: 0,
		refused: 0,
		decrease: 1,
		provenConcurrency: 0,
		peakConcurrency: Infinity,
		perSecond: 0,
		perSecondBeforePause: NaN,
	};
	private readonly inFlight = new Set<Ticket>();
	private roundsWithoutAdmission = 0;
	/** How many in flight at once were let in since the last refusal. */
	private provenConcurrency = 0;
	private pausedUntil = -Infinity;
	private nextStart = -Infinity;
	private pacedUntil = -Infinity;

	/** @param now milliseconds that only ever increase */
	constructor(
		private readonly now: () => number,
		private readonly random = Math.random,
	) {}

	/** Whether no request is in flight. */
	get isIdle(): boolean {
		return this.inFlight.size === 0;
	}

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
	 * @param isUrgent whether it may exceed a limit that is not the service's
	 * @returns milliseconds until the next one may start; Infinity if one must end first
	 */
	getDelayMs(isUrgent = false): number {
		const now = this.advance();
		if (now < this.pausedUntil) return this.pausedUntil - now;
		const isOwnLimit = this.maxConcurrency === MAX_CONCURRENCY;
		if (this.inFlight.size >= this.maxConcurrency + (isUrgent && isOwnLimit ? 1 : 0)) {
			this.bottleneck = this.concurrency;
			return Infinity;
		}
		if (now < this.nextStart) this.bottleneck = this.limit;
		else if (now < this.pacedUntil) this.bottleneck = this.concurrency;
		return Math.max(0, this.nextStart - now, this.pacedUntil - now);
	}

	onStart(): Ticket {
		const sentAt = this.advance();
		this.admitted.add(1, sentAt);
		// Less than one in flight: one with pauses, in which other clients get their turn.
		const spacingMs = this.concurrency.value < 1 ? this.latencyMs / this.concurrency.value : 0;
		this.nextStart =
			Math.max(this.nextStart, sentAt - MAX_CATCH_UP_MS) +
			Math.max(1000 / this.rate.value, spacingMs);
		this.pacedUntil = Math.max(this.pacedUntil, sentAt - PACING_CATCH_UP_MS) + this.getPacingMs();
		const { provenConcurrency } = this;
		const ticket = { round: this.round.number, sentAt, provenConcurrency };
		this.inFlight.add(ticket);
		return ticket;
	}

	/** @returns the least milliseconds from the start of a request to that of the next one */
	private getPacingMs(): number {
		const { value } = this.concurrency;
		if (value >= MAX_CONCURRENCY || this.inFlight.size < value * PACING_START) return 0;
		return Math.min((this.latencyMs / value) * PACING, MAX_PACING_MS);
	}

	/** The service let a request in, whatever it responded. */
	onAdmitted(ticket: Ticket, reported?: ReportedLimits): void {
		const now = this.advance();
		const latencyMs = now - ticket.sentAt;
		this.learn(ticket, reported);
		this.roundsWithoutAdmission = 0;
		if (ticket.round === this.round.number) {
			this.provenConcurrency = Math.max(this.provenConcurrency, this.countProven(latencyMs, now));
		}
		this.latencyMs += (latencyMs - this.latencyMs) * (this.latencyMs === 0 ? 1 : 0.1);
	}

	/**
	 * @param latencyMs how long the request took that got its response now
	 * @returns how many of those in flight have been let in
	 */
	private countProven(latencyMs: number, now: number): number {
		// Those that were sent a moment ago may yet be refused.
		const minAgeMs = Math.min(this.refusalMs * REFUSAL_MARGIN, latencyMs * LATENCY_SHARE);
		return [...this.inFlight].filter(({ sentAt }) => now - sentAt >= minAgeMs).length;
	}

	/** A request is no longer in flight, with or without a response. */
	onEnd(ticket: Ticket): void {
		this.inFlight.delete(ticket);
	}

	/**
	 * The service refused a request because there were too many.
	 *
	 * @param retryAfterMs how long the service asks to wait, 0 if it does not say
	 */
	onRefused(ticket: Ticket, retryAfterMs: number, reported?: ReportedLimits): void {
		const now = this.advance();
		this.learn(ticket, reported);
		this.refusalMs = now - ticket.sentAt;
		this.admitted.add(-1, now, ticket.sentAt);
		if (ticket.round === this.round.number) this.startRound(ticket, now);
		this.pauseFor(retryAfterMs);
		if (ticket.round < this.round.number - 1) return;
		this.round.refused++;
		this.round.perSecond = this.admitted.getLast(now);
		const timeScale = this.chooseTimeScale(retryAfterMs);
		if (this.limit === this.concurrency && this.isRateLimit(now)) this.limitRate(now);
		if (this.limit === this.concurrency) {
			const { concurrency, refused, decrease } = this.round;
			this.concurrency.decrease(Math.max(1, concurrency - refused), decrease, timeScale);
		} else {
			this.decreaseRate(now, timeScale);
		}
	}

	/** Whether the requests in flight were refused although they were too few for that. */
	private isRateLimit(now: number): boolean {
		const { concurrency, refused, provenConcurrency, peakConcurrency } = this.round;
		const { perSecond, perSecondBeforePause } = this.round;
		const remaining = concurrency - refused;
		const peakPerSecond = this.admitted.getPeak(now);
		if (remaining >= provenConcurrency || remaining >= peakPerSecond) return false;
		// Only at first: later, other clients may be in the way.
		if (peakConcurrency === Infinity) {
			// A busy process sends and receives late, so it counts some in flight that were not.
			return refused === 1 || remaining < provenConcurrency * PROVEN_SHARE;
		}
		if (peakPerSecond <= (remaining + 1) * RATE_PER_CONCURRENCY) return true;
		// At the first refusals of a batch, those that are yet to be refused still count as let in.
		return Math.abs(perSecond - perSecondBeforePause) <= perSecond * SAME_RATE_TOLERANCE;
	}

	private decreaseRate(now: number, timeScale: number): void {
		// Until a second is over, all that exceeds its limit is refused, however low the rate.
		if (now - this.rateDecrease.at >= 1000) {
			const { value, peak, decreaseFactor } = this.rate;
			const isOverestimate = this.round.perSecond >= peak * ESTIMATE_TOLERANCE;
			const factor = Math.max(decreaseFactor, isOverestimate ? ESTIMATE_DECREASE : 0);
			this.rateDecrease = { at: now, from: value, factor };
		}
		const { from, factor } = this.rateDecrease;
		const admitted = Math.max(1, Math.min(from, this.admitted.getPeak(now)));
		const isFirst = from === Infinity;
		const scale = isFirst ? Math.max(1, timeScale / ESTIMATE_SPEEDUP) : timeScale;
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

	private startRound({ provenConcurrency }: Ticket, now: number): void {
		this.chooseLimit(now);
		const { number, startedAt, perSecond } = this.round;
		const sincePauseMs = now - this.pausedUntil;
		const isAfterPause = now - startedAt >= 1000 && sincePauseMs >= 0 && sincePauseMs < 1000;
		this.round = {
			number: number + 1,
			startedAt: now,
			concurrency: this.inFlight.size,
			refused: 0,
			decrease: this.concurrency.decreaseFactor,
			provenConcurrency,
			peakConcurrency: this.concurrency.peak,
			perSecond: 0,
			perSecondBeforePause: isAfterPause ? perSecond : NaN,
		};
		this.provenConcurrency = 0;
		if (this.roundsWithoutAdmission > 0) {
			const backoffMs = INITIAL_PAUSE_MS * PAUSE_GROWTH ** (this.roundsWithoutAdmission - 1);
			this.pauseFor(Math.min(backoffMs, MAX_PAUSE_MS) * (0.5 + this.random() / 2));
		}
		this.roundsWithoutAdmission++;
	}

	private chooseLimit(now: number): void {
		if (this.limit === this.rate) {
			if (this.getAdmittedRate(now) >= this.rateAtFirst * IMPLAUSIBLE_RATE) return;
			this.limit = this.concurrency;
			this.rate.reset();
			return;
		}
		const perSecond = this.admitted.getPeak(now);
		const { peak } = this.concurrency;
		const isImplausible =
			peak !== Infinity &&
			this.inFlight.size <= Math.max(1, peak * IMPLAUSIBLE_CONCURRENCY) &&
			perSecond > this.inFlight.size;
		if (isImplausible || perSecond > this.rate.ceiling) this.limitRate(now);
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
		const maxConcurrency = concurrency ?? Math.max(MAX_CONCURRENCY, perSecond ?? 0);
		// Without a request in flight, nothing would ever be learned again.
		this.concurrency.ceiling = Math.max(1, maxConcurrency);
		// Within a short window the rate makes up for it: its end is known to the second only.
		this.remaining = perSecond === undefined ? remaining : Infinity;
		if (remaining === 0 && perSecond === undefined) this.pauseFor(resetMs);
	}

	private pauseFor(ms: number): void {
		this.pausedUntil = Math.max(this.pausedUntil, this.now() + ms);
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
	private get isProbing(): boolean {
		return this.peak === Infinity || this.value > this.peak * PROBE_START;
	}

	/** Which part of it remains at first after a refusal. */
	get decreaseFactor(): number {
		return this.isProbing ? PROBE_DECREASE : CONTENTION_DECREASE;
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

	/** @returns the count in the last second */
	getLast(now: number): number {
		this.discardOld(now);
		return this.sumFrom(0);
	}

	/** @returns the highest count in any second */
	getPeak(now: number): number {
		this.discardOld(now);
		return Math.max(...this.counts.map((_count, tenth) => this.sumFrom(tenth)));
	}

	private sumFrom(tenth: number): number {
		return this.counts.slice(tenth, tenth + 10).reduce((sum, count) => sum + count);
	}

	private discardOld(now: number): void {
		const tenth = Math.floor(now / 100);
		const { length } = this.counts;
		const elapsed = Math.min(tenth - this.tenth, length);
		this.counts = [...new Array<number>(elapsed).fill(0), ...this.counts].slice(0, length);
		this.tenth = tenth;
	}
}
