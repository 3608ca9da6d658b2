/** Part of a limit that remains after a refusal. 0.9 uses 0.4 % less of it. */
const DECREASE = 0.92;

/** What a service may limit: how many requests are in flight, or admitted within a second. */
export type Limited = 'inFlight' | 'perSecond';

/** After a decrease, returns to what was allowed, stays there for a while, then grows ever faster. */
export class Curve {
	/** Seconds until it is back at the peak. */
	private readonly recovery: number;

	/**
	 * @param peak what is known to be allowed
	 * @param slowdown by how much it is slower than usual
	 * @param limited a number in flight is exact: to return to it provokes no refusal
	 */
	constructor(
		private readonly peak: number,
		private readonly slowdown: number,
		limited: Limited,
	) {
		const scale = limited === 'inFlight' ? 1 : slowdown;
		this.recovery = (peak * (1 - DECREASE)) ** (1 / 4) * scale;
	}

	getValue(ageMs: number): number {
		const age = ageMs / 1000 - this.recovery;
		if (age < 0) return this.peak * (1 - (1 - DECREASE) * (age / this.recovery) ** 4);
		return this.peak + (age / this.slowdown) ** 4;
	}
}
