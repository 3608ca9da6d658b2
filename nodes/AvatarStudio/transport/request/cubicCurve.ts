/**
 * A limit that follows the curve of TCP CUBIC (RFC 9438): after a decrease it returns quickly to
 * what was allowed before, stays there for a while, then grows faster and faster.
 */
export class CubicCurve {
	private peak = Infinity;
	private lowest = 0;
	private timeScale = 1;
	private ageMs = 0;

	/**
	 * @param ceiling what the limit never exceeds; its value until it is first decreased
	 * @param growth how steep the curve is, in units of the limit per second cubed
	 */
	constructor(
		public ceiling: number,
		private readonly growth: number,
	) {}

	get value(): number {
		if (this.peak === Infinity) return this.ceiling;
		const seconds = this.ageMs / 1000 / this.timeScale;
		const recovery = Math.cbrt((this.peak - this.lowest) / this.growth);
		return Math.min(this.ceiling, this.peak + this.growth * (seconds - recovery) ** 3);
	}

	/** Whether the limit is higher than what is known to be allowed. */
	get isProbing(): boolean {
		return this.peak === Infinity || this.value > this.peak;
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
