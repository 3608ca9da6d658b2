import { Outage } from './outage';

/**
 * In flight at most while nothing is known about a service. It is not the service's limit. Starting
 * lower delays every run: ten items take 223 instead of 122 ms if the first four start alone.
 */
const MAX_IN_FLIGHT = 50;
/** Part of a limit that remains after a refusal. */
const DECREASE = 0.92;
/**
 * How many times slower a limit grows for each second that a refusal pauses all requests. Without
 * it, only 10 % of what a service allows is used if it asks to wait a second, instead of 90 %.
 */
const SLOWDOWN_PER_PAUSED_SECOND = 23;
/** The same for each second that a response takes; without it, a third more are refused. */
const SLOWDOWN_PER_LATENCY_SECOND = 5;
/** How late n8n may send a request: it prepares all that start together at once. */
const WORK_MS = 5;
/** How long after the last refusal, and its pause, a limit is still believed in. */
const FORGET_AFTER_MS = 600_000;

/** What a service may limit: how many requests are in flight, or admitted within a second. */
type Limited = 'inFlight' | 'perSecond';

/** A request, as the controller knows it. */
export interface Ticket {
	round: number;
	sentAt: number;
	endedAt: number;
}

/** What is known of the limit after some refusals. */
interface Belief {
	limited: Limited;
	/** What is known to be allowed. */
	peak: number;
	/** By how much a limit grows slower than usual. */
	slowdown: number;
	/** What was admitted at the last refusal; undefined before the first one. */
	admitted?: Record<Limited, number>;
}

const NOTHING_KNOWN: Belief = { limited: 'inFlight', peak: Infinity, slowdown: 1 };

/**
 * Finds out how many requests a service allows, from which of them it refuses.
 *
 * At each refusal two numbers are known: how many requests were in flight, and how many had been
 * admitted within a second. The one that is the same as at the refusal before is what the service
 * limits. A mistake costs little: requests in flight that start at even intervals are a rate
 * (Little's law), and the next refusal corrects it.
 *
 * The limit is decreased at a refusal and then grows along a curve, the slower the more time a
 * refusal costs. Sources: TCP CUBIC (RFC 9438), here with the fourth power, which stays longer at
 * what was allowed and leaves it faster; AIMD (Chiu and Jain, 1989) for why clients that do not know
 * of each other end up with equal shares.
 *
 * All times are milliseconds of one clock.
 */
export class CongestionController {
	readonly outage: Outage;
	/** How many requests are sent and have not ended. */
	inFlight = 0;
	private belief = NOTHING_KNOWN;
	/** How long the limit has been what holds requests back, since it was last decreased. */
	private ageMs = 0;
	private isHolding = false;
	private updatedAt = 0;
	private latencyMs = 0;
	/** The requests of the last second, and those in flight, without what was refused. */
	private sent: Ticket[] = [];
	/** Requests that were in flight together when one of them was refused are one round. */
	private round = 0;
	private beliefBeforeRound = NOTHING_KNOWN;
	private nextStart = -Infinity;
	private nextReplacement = -Infinity;
	private forgetAt = Infinity;

	constructor(random = Math.random) {
		this.outage = new Outage(random);
	}

	/**
	 * To be called whenever requests are waiting.
	 *
	 * @param maxWaitMs how long the request whose turn it is waits
	 * @returns milliseconds until it may start; Infinity if one must end, or a limit grow
	 */
	getDelayMs(now: number, maxWaitMs = Infinity): number {
		this.advance(now);
		this.isHolding = false;
		const outageMs = this.outage.getDelayMs(now, maxWaitMs);
		return outageMs > 0 ? outageMs : this.getLimitDelayMs(now);
	}

	/** A limit grows only while it is what holds requests back. */
	private getLimitDelayMs(now: number): number {
		const { limited, admitted } = this.belief;
		if (this.inFlight >= MAX_IN_FLIGHT) return Infinity;
		if (limited === 'inFlight' && this.inFlight >= Math.max(1, Math.round(this.allowed))) {
			this.isHolding = true;
			return Infinity;
		}
		// What was admitted before is admitted again, and need not be spread.
		const isReplacement = limited === 'inFlight' && this.inFlight < (admitted?.inFlight ?? 0);
		const nextAt = isReplacement ? this.nextReplacement : this.nextStart;
		this.isHolding = !isReplacement && now < nextAt;
		return Math.max(0, nextAt - now);
	}

	onStart(now: number): Ticket {
		this.advance(now);
		this.isHolding = false;
		this.outage.onStart(now);
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
	onAdmitted({ sentAt }: Ticket, now: number): void {
		this.advance(now);
		this.outage.onAdmitted(sentAt);
		this.latencyMs += (now - sentAt - this.latencyMs) * (this.latencyMs === 0 ? 1 : 0.1);
	}

	/** A request is no longer in flight, with or without a response. */
	onEnd(ticket: Ticket, now: number): void {
		this.advance(now);
		this.inFlight--;
		ticket.endedAt = now;
		this.sent = this.sent.filter(({ sentAt, endedAt }) => endedAt > now || sentAt > now - 3000);
	}

	/** A request was refused because there were too many. */
	onRefused(ticket: Ticket, now: number, retryAfterMs: number): void {
		this.advance(now);
		this.outage.onRefused(now, retryAfterMs);
		this.forgetAt = now + retryAfterMs + FORGET_AFTER_MS;
		this.sent = this.sent.filter((other) => other !== ticket);
		if (ticket.round === this.round) {
			this.beliefBeforeRound = this.belief;
			this.round++;
		}
		const earlier = this.sent.filter(({ sentAt }) => sentAt <= ticket.sentAt);
		this.learn(
			{
				inFlight: earlier.filter(({ endedAt }) => endedAt > ticket.sentAt).length,
				perSecond: earlier.filter((it) => it.sentAt > ticket.sentAt - 1000 - WORK_MS).length,
			},
			this.getSlowdown(now, retryAfterMs),
		);
		// Each attempt in an outage has put it off.
		this.nextStart = now;
	}

	private getSlowdown(now: number, retryAfterMs: number): number {
		// Before the first response, one takes at least as long as it has already.
		const oldest = this.sent.find(({ endedAt }) => endedAt > now);
		const latencyMs = this.latencyMs || (oldest ? now - oldest.sentAt : 0);
		return Math.max(
			1,
			(retryAfterMs / 1000) * SLOWDOWN_PER_PAUSED_SECOND,
			(latencyMs / 1000) * SLOWDOWN_PER_LATENCY_SECOND,
		);
	}

	/** @param admitted what was admitted when the request that is refused was sent */
	private learn(admitted: Record<Limited, number>, slowdown: number): void {
		const before = this.beliefBeforeRound;
		const isNoneAdmitted = admitted.inFlight + admitted.perSecond === 0;
		this.ageMs = 0;
		// Neither an outage nor a single refusal beside one other request reveals a limit.
		if (isNoneAdmitted || (!before.admitted && admitted.inFlight < 2)) {
			this.belief = { ...before, admitted };
			// A second one does: only one at a time is sure to be allowed.
			if (before.admitted && before.peak === Infinity) this.belief.peak = 1;
			return;
		}
		const limited = chooseLimited(before, admitted);
		// As long as more is admitted each time, the limit is yet to be found.
		const isRising = admitted[limited] > (before.admitted?.[limited] ?? Infinity);
		const peak = Math.max(1, admitted[limited]);
		this.belief = { limited, peak, slowdown: isRising ? 1 : slowdown, admitted };
	}

	/** What is allowed of what is limited: it returns to the peak, stays, then grows ever faster. */
	private get allowed(): number {
		const { limited, peak, slowdown } = this.belief;
		if (peak === Infinity) return Infinity;
		// A number in flight is exact: to return to it provokes no refusal.
		const scale = limited === 'inFlight' ? 1 : slowdown;
		const recovery = (peak * (1 - DECREASE)) ** (1 / 4) * scale;
		const age = this.ageMs / 1000 - recovery;
		if (age < 0) return peak * (1 - (1 - DECREASE) * (age / recovery) ** 4);
		return peak + (age / slowdown) ** 4;
	}

	private advance(now: number): void {
		if (this.isHolding) this.ageMs += now - this.updatedAt;
		this.updatedAt = now;
		if (now > this.forgetAt) this.belief = NOTHING_KNOWN;
	}
}

/** @returns which number the service limits: the one that has changed less since the refusal before */
function chooseLimited(
	{ limited, admitted: before }: Belief,
	admitted: Record<Limited, number>,
): Limited {
	// A single one that is refused is not one too many in flight.
	if (admitted.inFlight === 0) return 'perSecond';
	if (!before || before.inFlight + before.perSecond === 0) return limited;
	const getChange = (name: Limited) =>
		Math.abs(admitted[name] - before[name]) / Math.max(admitted[name], before[name], 1);
	const difference = getChange('inFlight') - getChange('perSecond');
	if (difference === 0) return limited;
	return difference > 0 ? 'perSecond' : 'inFlight';
}
