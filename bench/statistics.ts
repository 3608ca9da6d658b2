/** A figure over the rounds: its median and its spread. */
export interface Spread {
	median: number;
	min: number;
	max: number;
}

/** @returns median, least and most of some values */
export function spreadOf(values: number[]): Spread {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	const median =
		sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
	return { median, min: sorted[0]!, max: sorted.at(-1)! };
}
