/** Random choices that are the same in every run with the same seed. */
export function randomFrom(seed: number) {
	let state = seed;
	/** From 0 up to but not including 1: mulberry32. */
	const next = () => {
		state = (state + 0x6d2b79f5) | 0;
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
	};
	const upTo = (most: number) => Math.floor(next() * (most + 1));
	return { next, upTo, pick: <T>(choices: readonly T[]): T => choices[upTo(choices.length - 1)]! };
}
