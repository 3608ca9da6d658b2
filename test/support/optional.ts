import * as fc from 'fast-check';

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
