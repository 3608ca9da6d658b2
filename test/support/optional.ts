import * as fc from 'fast-check';

/** Creates an arbitrary that has a value once in `times` runs; fc.option takes how often it has none. */
export function optional<T>(arbitrary: fc.Arbitrary<T>, times: number) {
	const none = { weight: times - 1, arbitrary: fc.constant(undefined) };
	return fc.oneof(none, { weight: 1, arbitrary });
}
