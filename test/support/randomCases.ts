import * as fc from 'fast-check';

/**
 * The seed of the tests with random cases, the same in every run: a red run is then due to the
 * change. `SEED=7 npx jest triggerModel` tries other cases.
 */
export const SEED = Number(process.env.SEED ?? 1);

/** The number of cases, unless `CASES=10000 npx jest triggerModel` asks for another one. */
export function getCases(usual: number): number {
	return Number(process.env.CASES ?? usual);
}

/** An arbitrary that is there once in so many times. (fc.option counts when it is not.) */
export function optional<T>(
	arbitrary: fc.Arbitrary<T>,
	times: number,
): fc.Arbitrary<T | undefined> {
	return fc.oneof(
		{ weight: times - 1, arbitrary: fc.constant(undefined) },
		{ weight: 1, arbitrary },
	);
}
