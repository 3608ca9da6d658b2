/** A refusal lowers the limit to this part of what was admitted when the service refused. */
const LOWERED_TO = 0.92;
/** How many times slower a limit grows for each second that a refusal costs. */
const SLOWDOWN_PER_SECOND = 6;

/** What a service may limit: requests in flight, or those admitted within a second. */
export type LimitType = 'inFlight' | 'perSecond';

/**
 * What a service limits, as its refusals reveal. At each refusal two numbers are counted: requests in
 * flight, and admitted in the last second. The one that changed less since the refusal before is what
 * the service limits; the next refusal corrects a mistake. The limit decreases and grows again as in
 * TCP CUBIC (RFC 9438), the slower the more time a refusal costs.
 */
export class LimitEstimate {
	/** What the service seems to limit. Each refusal may correct it. */
	type: LimitType = 'inFlight';
	/** How many requests of this type the service admitted when it last refused; Infinity if unknown. */
	knownLimit = Infinity;
	/** Both numbers at the last refusal, to be compared with those at the next one. */
	private lastCounts?: Record<LimitType, number>;
	/** How many times slower than in RFC 9438 the limit grows, by what the last refusal cost. */
	private slowdown = 1;

	/**
	 * @param counts what was admitted when the service refused
	 * @param costMs how much time the refusal and its pause take
	 */
	onRefused(counts: Record<LimitType, number>, costMs: number): void {
		const isNothingAdmitted = counts.inFlight + counts.perSecond === 0;
		if (isNothingAdmitted) return;
		const before = this.lastCounts;
		this.lastCounts = counts;
		// A single refusal may have any cause, so it reveals no limit.
		if (!before) return;
		const getChange = (type: LimitType) =>
			Math.abs(counts[type] - before[type]) / Math.max(counts[type], before[type], 1);
		const difference = getChange('inFlight') - getChange('perSecond');
		if (difference !== 0) this.type = difference < 0 ? 'inFlight' : 'perSecond';
		this.knownLimit = Math.max(1, counts[this.type]);
		this.slowdown = 1 + (SLOWDOWN_PER_SECOND * costMs) / 1000;
	}

	/** @returns how many the service allows so long after the last refusal was over; Infinity if unknown */
	getLimit(elapsedMs: number): number {
		const { knownLimit, slowdown } = this;
		if (knownLimit === Infinity) return Infinity;
		const seconds = Math.max(0, elapsedMs) / 1000;
		// RFC 9438's W_max is the known limit, its K the time until the limit is that again.
		const recovery = Math.cbrt(knownLimit * (1 - LOWERED_TO)) * slowdown;
		return knownLimit + ((seconds - recovery) / slowdown) ** 3;
	}
}
