import { Curve, type Limited } from './curve';

/**
 * In flight at most while nothing is known about a service. It is not the service's limit. Starting
 * lower delays every run: ten items take 223 instead of 122 ms if the first four start alone.
 */
const MAX_IN_FLIGHT = 50;
/**
 * How many times slower a limit grows for each second that a refusal pauses all requests. Without
 * it, only 10 % of what a service allows is used if it asks to wait a second, instead of 90 %.
 */
const SLOWDOWN_PER_PAUSED_SECOND = 23;
/** The same for each second that a response takes; without it, a third more are refused. */
const SLOWDOWN_PER_LATENCY_SECOND = 5;
/**
 * How late n8n may be with a request: it prepares all that start together at once, so each is as
 * late as the last. With 0, limits of responses that take seconds are used to 3 % less.
 */
const WORK_MS = 5;
/**
 * Our own pauses while nothing is admitted: half of the time that has lasted. To wait for a slot of
 * a plan that is taken for 400 s costs 20 requests that way; with a twentieth and 15 s at most, 95.
 */
const [MIN_BACKOFF_MS, MAX_BACKOFF_MS] = [500, 55_000];
/** Each attempt at a creation may cost it: if they began with 0.5 s, a deploy would cost twice as many. */
const MIN_COSTLY_BACKOFF_MS = 5_000;
/** How long after the last refusal, and its pause, a limit is still believed in. */
const FORGET_AFTER_MS = 600_000;

/** A request, as the controller knows it. */
export interface Ticket {
	round: number;
	sentAt: number;
	endedAt: number;
	/** Whether its response has begun: a file may take long to arrive. */
	isAdmitted?: true;
}

/** The time in which every request has been refused. */
export interface Outage {
	since: number;
	/** When the last one was sent: its response may take as long as a video. */
	lastAt: number;
	/** Since when the host has not worked, and how often nothing sent earlier was unanswered then. */
	failures?: { since: number; count: number };
}

/** How a request was refused. */
interface Refusal {
	/** How long it asks to wait, in milliseconds; 0 if it does not say. */
	retryAfterMs: number;
	/** Whether the host does not work, rather than saying that there are too many. */
	isFailure: boolean;
	/** Whether the refusal says anything about the limit. */
	saysLimit: boolean;
	/** Whether each further one costs: then a single one is an outage. */
	isCostly: boolean;
}

/** What is known of the limit after some refusals. */
interface Belief {
	limited: Limited;
	/** Undefined if no limit is known. */
	curve?: Curve;
	/** What was admitted at the last refusal; undefined before the first one. */
	admitted?: Record<Limited, number>;
}

/**
 * Finds out how many requests a service allows, from which of them it refuses.
 *
 * At each refusal two numbers are known: how many requests were in flight, and how many had been
 * admitted within a second; the one that is the same as at the refusal before is what the service
 * limits. It is decreased at a refusal and then grows along a curve, the slower the more time a
 * refusal costs.
 *
 * While the other one is believed in, little is lost: requests in flight that start at even
 * intervals are a rate (Little's law), and the next refusal corrects it. As many as were admitted
 * before, at least one, start as soon as n8n has the time; one more than that starts at an even
 * interval, because a service that admits one at a time refuses the second.
 *
 * Sources: TCP CUBIC (RFC 9438) for the curve, whose fourth power stays longer at what was allowed
 * and leaves it faster; AIMD (Chiu and Jain, 1989) for why clients that do not know of each other
 * end up with equal shares; Netflix concurrency-limits for a limit of requests in flight.
 *
 * All times are milliseconds of one clock, read once for each event.
 */
export class CongestionController {
	private belief: Belief = { limited: 'inFlight' };
	/** How long the limit has been what holds requests back, since it was last decreased. */
	private ageMs = 0;
	private isHolding = false;
	private updatedAt = 0;
	/** How many requests are sent and have not ended. */
	inFlight = 0;
	private latencyMs = 0;
	/** The requests of the last seconds that were not refused, in the order in which they started. */
	private sent: Ticket[] = [];
	private prunedAt = 0;

	/** Requests that were in flight together when one of them was refused count as one round. */
	private round = 0;
	/** What was known when the round began. */
	private before = this.belief;
	private outage?: Outage;
	/** Whether nothing may have been admitted since the first of them, or a failure was costly. */
	isBackingOff = false;
	/** Only a response to what was sent since then ends it. */
	private costlyAt = -Infinity;
	private refusedAt = -Infinity;

	/** The service's own pause, and ours while nothing is admitted. */
	private pausedUntil = -Infinity;
	private backsOffUntil = -Infinity;
	private nextStart = -Infinity;
	private nextReplacement = -Infinity;

	constructor(private readonly random = Math.random) {}

	/** Whether as many are in flight as we allow ourselves. */
	get isFull(): boolean {
		return this.inFlight >= MAX_IN_FLIGHT;
	}

	/** @returns milliseconds for which the service asked to wait */
	getPauseMs(now: number): number {
		return Math.max(0, this.pausedUntil - now);
	}

	/** @returns undefined if a request was admitted since the last refusal */
	getOutage(now: number): Outage | undefined {
		this.advance(now);
		return this.outage;
	}

	/**
	 * To be called whenever requests are waiting.
	 *
	 * @param latestAt until when it is held in an outage at most, unless the service asked for that
	 * @returns milliseconds until the next one may start; Infinity if one must end, or a limit grow
	 */
	getDelayMs(now: number, latestAt = Infinity): number {
		this.advance(now);
		this.isHolding = false;
		const pauseMs = this.getPauseMs(now);
		if (this.isBackingOff) {
			// Whatever is in flight: its response may never come.
			return Math.max(pauseMs, Math.min(this.backsOffUntil, latestAt) - now);
		}
		return pauseMs > 0 ? pauseMs : this.getLimitDelayMs(now);
	}

	/** A limit grows only while it is what holds requests back. */
	private getLimitDelayMs(now: number): number {
		const { limited } = this.belief;
		if (limited === 'inFlight' && this.inFlight >= Math.max(1, Math.round(this.allowed))) {
			this.isHolding = true;
			return Infinity;
		}
		const admitted = Math.max(1, this.belief.admitted?.inFlight ?? 0);
		if (limited === 'inFlight' && this.inFlight < admitted) {
			return Math.max(0, this.nextReplacement - now);
		}
		this.isHolding = now < this.nextStart;
		return Math.max(0, this.nextStart - now);
	}

	onStart(now: number): Ticket {
		this.advance(now);
		if (now - this.prunedAt >= 1000) {
			this.sent = this.sent.filter(({ sentAt, endedAt }) => endedAt > now || sentAt > now - 3000);
			this.prunedAt = now;
		}
		this.isHolding = false;
		this.backOff(now);
		const ticket = { round: this.round, sentAt: now, endedAt: Infinity };
		this.sent.push(ticket);
		this.inFlight++;
		const intervalMs = (this.belief.limited === 'perSecond' ? 1000 : this.latencyMs) / this.allowed;
		this.nextStart = Math.max(this.nextStart, now - WORK_MS) + intervalMs;
		this.nextReplacement =
			Math.max(this.nextReplacement, now - WORK_MS) + Math.min(WORK_MS, intervalMs);
		return ticket;
	}

	/** The service admitted a request. */
	onAdmitted(ticket: Ticket, now: number): void {
		this.advance(now);
		ticket.isAdmitted = true;
		const { sentAt } = ticket;
		if (sentAt >= this.costlyAt) this.endOutage();
		// Whoever waits does so anew.
		else this.outage &&= { since: now, lastAt: now };
		this.latencyMs += (now - sentAt - this.latencyMs) * (this.latencyMs === 0 ? 1 : 0.1);
	}

	/** The service rejected the values of a request: whether another is admitted is yet to be asked. */
	onRejected(now: number): void {
		this.backsOffUntil = -Infinity;
		// The host works: whoever waits does so anew, for what it may still refuse.
		if (this.outage?.failures) this.outage = { since: now, lastAt: now };
	}

	/** A request is no longer in flight, with or without a response. */
	onEnd(ticket: Ticket, now: number): void {
		this.advance(now);
		this.inFlight--;
		ticket.endedAt = now;
	}

	/** A request was refused because there were too many, or failed in a way that may pass. */
	onRefused(ticket: Ticket, now: number, refusal: Refusal): void {
		const { retryAfterMs, isFailure, saysLimit, isCostly } = refusal;
		this.advance(now);
		this.sent = this.sent.filter((other) => other !== ticket);
		const { since = now, failures } = this.outage ?? {};
		if (isCostly && this.costlyAt === -Infinity) this.costlyAt = now;
		const earlier = this.sent.filter((it) => it.sentAt < ticket.sentAt && it.endedAt > now);
		// What was sent earlier and has no response yet may have been admitted.
		const isAlone = earlier.every(({ isAdmitted }) => isAdmitted);
		const isNewRound = ticket.round === this.round || (isCostly && !this.isBackingOff);
		if (isNewRound) this.startRound(now, isCostly, isAlone);
		this.outage = { since, lastAt: ticket.sentAt };
		if (isFailure) {
			this.outage.failures = {
				since: failures?.since ?? now,
				// A host from which files arrive works: it may only allow no more.
				count: Number(saysLimit ? earlier.length === 0 : isAlone) + (failures?.count ?? 0),
			};
		}
		this.pausedUntil = Math.max(this.pausedUntil, now + retryAfterMs);
		this.refusedAt = now;
		if (!saysLimit) return;
		this.learn(this.countAt(ticket.sentAt), retryAfterMs, now);
	}

	private startRound(now: number, isCostly: boolean, isAlone: boolean): void {
		this.before = this.belief;
		this.round++;
		this.isBackingOff ||= isCostly || (isAlone && this.outage !== undefined);
		this.backOff(now);
	}

	/** In an outage, the next request is held back; one that comes earlier does not prolong that. */
	private backOff(now: number): void {
		if (!this.isBackingOff || !this.outage || now < this.backsOffUntil) return;
		// What was sent before the failure and is finished now shortens no pause.
		const [since, leastMs] =
			this.costlyAt === -Infinity
				? [this.outage.since, MIN_BACKOFF_MS]
				: [this.costlyAt, MIN_COSTLY_BACKOFF_MS];
		const backoffMs = Math.max(leastMs, (now - since) / 2) * (0.9 + this.random() / 5);
		this.backsOffUntil = now + Math.min(MAX_BACKOFF_MS, backoffMs);
	}

	private endOutage(): void {
		this.outage = undefined;
		this.costlyAt = -Infinity;
		this.isBackingOff = false;
		this.backsOffUntil = -Infinity;
	}

	/** @param admitted what was admitted when the request that is refused was sent */
	private learn(admitted: Record<Limited, number>, retryAfterMs: number, now: number): void {
		const { before } = this;
		const isFirst = !before.admitted && this.belief === before;
		const isNoneAdmitted = admitted.inFlight + admitted.perSecond === 0;
		// Neither an outage nor a single refusal beside one other request reveals a limit.
		if (isNoneAdmitted || (isFirst && admitted.inFlight < 2)) {
			const curve = before.curve ?? (isFirst ? undefined : new Curve(1, 1, 'inFlight'));
			this.belief = { ...before, admitted, curve };
			return;
		}
		const limited = chooseLimited(before, admitted);
		const peak = Math.max(1, admitted[limited]);
		// As long as more is admitted each time, the limit is yet to be found.
		const known = before.admitted?.[limited] ?? Infinity;
		const isRising = admitted[limited] > known;
		// Before the first response, one takes at least as long as it has already.
		const oldest = this.sent.find(({ endedAt }) => endedAt > now);
		const latencyMs = this.latencyMs || (oldest ? now - oldest.sentAt : 0);
		const slowdown = Math.max(
			1,
			(retryAfterMs / 1000) * SLOWDOWN_PER_PAUSED_SECOND,
			(latencyMs / 1000) * SLOWDOWN_PER_LATENCY_SECOND,
		);
		this.belief = { limited, admitted, curve: new Curve(peak, isRising ? 1 : slowdown, limited) };
		this.ageMs = 0;
	}

	/** What is allowed of what is limited. */
	private get allowed(): number {
		return this.belief.curve?.getValue(this.ageMs) ?? Infinity;
	}

	/** @returns how many were in flight at a time, and how many were admitted in the second before */
	private countAt(time: number): Record<Limited, number> {
		const earlier = this.sent.filter(({ sentAt }) => sentAt <= time);
		return {
			inFlight: earlier.filter(({ endedAt }) => endedAt > time).length,
			perSecond: earlier.filter(({ sentAt }) => sentAt > time - 1000 - WORK_MS).length,
		};
	}

	private advance(now: number): void {
		if (this.isHolding) this.ageMs += now - this.updatedAt;
		this.updatedAt = now;
		const quietMs = now - Math.max(this.refusedAt, this.pausedUntil, this.backsOffUntil);
		if (quietMs > FORGET_AFTER_MS) {
			this.belief = { limited: 'inFlight' };
			// Each attempt in an outage has put it off.
			this.nextStart = now;
		}
		// An outage lasts for as long as somebody asks.
		if (quietMs > MAX_BACKOFF_MS && this.inFlight === 0) this.endOutage();
	}
}

/** @returns which number the service limits: the one that has changed less since the refusal before */
function chooseLimited(
	{ limited, admitted: before }: Belief,
	admitted: Record<Limited, number>,
): Limited {
	// A single one that is refused is not one too many in flight.
	if (admitted.inFlight === 0) return 'perSecond';
	// Where nothing was admitted, there is nothing to compare.
	if (!before || before.inFlight + before.perSecond === 0) return limited;
	const getChange = (name: Limited) =>
		Math.abs(admitted[name] - before[name]) / Math.max(admitted[name], before[name], 1);
	const difference = getChange('inFlight') - getChange('perSecond');
	if (difference === 0) return limited;
	return difference > 0 ? 'perSecond' : 'inFlight';
}
