/** A figure over all rounds. */
export interface Summary {
	median: number;
	min: number;
	max: number;
}

/** Reduces one figure's rounds, at least one, to median and range. */
export function summarize(values: number[]): Summary {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const median =
		sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
	return { median, min: sorted[0]!, max: sorted.at(-1)! };
}
