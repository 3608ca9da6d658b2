/**
 * The seed of the tests with random cases, the same in every run: a red run is then due to the
 * change. `SEED=7 npx jest triggerModel` tries other cases.
 */
export const SEED = Number(process.env.SEED ?? 1);

/** The number of cases, unless `CASES=10000 npx jest triggerModel` asks for another one. */
export function getCases(usual: number): number {
	return Number(process.env.CASES ?? usual);
}
