import { Outage } from './outage';

/** In flight at most, and at once while nothing is known: starting lower delays every run. */
const MAX_IN_FLIGHT = 50;
/** Part of a limit that remains after a refusal. */
const DECREASE = 0.92;
/** How many times slower a limit grows for each second that a refusal pauses all requests. */
const SLOWDOWN_PER_PAUSED_SECOND = 23;
/** The same for each second that a response takes. */
const SLOWDOWN_PER_LATENCY_SECOND = 10;
/** How late n8n may send a request: it prepares all that start together at once. */
const WORK_MS = 5;
/** How long after the last refusal, and its pause, a limit is still believed in. */
const FORGET_AFTER_MS = 600_000;

/** What a service may limit: how many requests are in flight, or admitted within a second. */
type Limited = 'inFlight' | 'perSecond';
type Admitted = Record<Limited, number>;

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
	admitted?: Admitted;
}

const NOTHING_KNOWN: Belief = { limited: 'inFlight', peak: Infinity, slowdown: 1 };

/**
 * Finds out how many requests a service allows, from which of them it refuses.
 *
 * At each refusal two numbers are known: how many requests were in flight, and how many had been
 * admitted within a second. The one that is the same as at the refusal before is what the service
 * limits; the next refusal corrects a mistake. The limit is decreased and then grows along a curve,
 * the slower the more time a refusal costs: TCP CUBIC (RFC 9438) with the fourth power, which stays
 * longer at what was allowed and leaves it faster. All times are milliseconds of one clock.
 */
export class CongestionController {
	readonly outage: Outage;
	inFlight = 0;
	private belief = NOTHING_KNOWN;
	/** How long the limit has been what holds requests back, since it was last decreased. */
	private ageMs = 0;
	private isHolding = false;
	private updatedAt = 0;
	private latencyMs = 0;
	/** The requests of the last second, and those in flight, without what was refused. */
	private sent: Ticket[] = [];
	/**
	 * Requests that were in flight together when one of them was refused are one round: what the others
	 * of it show is compared with what was known before it, not with each other.
	 */
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
		// A limit grows only while it is what holds requests back.
		this.isHolding = false;
		const outageMs = this.outage.getDelayMs(now, maxWaitMs);
		if (outageMs > 0) return outageMs;
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

	onAdmitted({ sentAt }: Ticket, now: number): void {
		this.advance(now);
		this.outage.onAdmitted(sentAt);
		this.latencyMs += (now - sentAt - this.latencyMs) * (this.latencyMs === 0 ? 1 : 0.1);
	}

	/** With or without a response. */
	onEnd(ticket: Ticket, now: number): void {
		this.advance(now);
		this.inFlight--;
		ticket.endedAt = now;
		this.sent = this.sent.filter(({ sentAt, endedAt }) => endedAt > now || sentAt > now - 3000);
	}

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
		const admitted = {
			inFlight: earlier.filter(({ endedAt }) => endedAt > ticket.sentAt).length,
			perSecond: earlier.filter((it) => it.sentAt > ticket.sentAt - 1000 - WORK_MS).length,
		};
		this.learn(admitted, (retryAfterMs / 1000) * SLOWDOWN_PER_PAUSED_SECOND);
		// Each attempt in an outage has put it off.
		this.nextStart = now;
	}

	private learn(admitted: Admitted, pauseSlowdown: number): void {
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
		const latencySlowdown = (this.latencyMs / 1000) * SLOWDOWN_PER_LATENCY_SECOND;
		const slowdown = isRising ? 1 : Math.max(1, pauseSlowdown, latencySlowdown);
		this.belief = { limited, peak, slowdown, admitted };
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

/** @returns the number that has changed less since the refusal before, which is what is limited */
function chooseLimited({ limited, admitted: before }: Belief, admitted: Admitted): Limited {
	// A single one that is refused is not one too many in flight.
	if (admitted.inFlight === 0) return 'perSecond';
	if (!before || before.inFlight + before.perSecond === 0) return limited;
	const getChange = (name: Limited) =>
		Math.abs(admitted[name] - before[name]) / Math.max(admitted[name], before[name], 1);
	const difference = getChange('inFlight') - getChange('perSecond');
	if (difference === 0) return limited;
	return difference > 0 ? 'perSecond' : 'inFlight';
}
