const SECONDS = 3;

/** The highest of the values of the last three seconds. */
export class RecentPeak {
	private readonly values = new Array<number>(SECONDS).fill(0);
	private second = 0;

	/** @param combine makes one value of those of the same second */
	constructor(private readonly combine: (value: number, added: number) => number) {}

	/** @param now milliseconds */
	add(added: number, now: number): void {
		this.discardOld(now);
		this.values[0] = this.combine(this.values[0]!, added);
	}

	/** @param now milliseconds */
	get(now: number): number {
		this.discardOld(now);
		return Math.max(...this.values);
	}

	private discardOld(now: number): void {
		const second = Math.floor(now / 1000);
		const elapsed = Math.min(second - this.second, SECONDS);
		for (let step = 0; step < elapsed; step++) {
			this.values.unshift(0);
			this.values.pop();
		}
		this.second = second;
	}
}
