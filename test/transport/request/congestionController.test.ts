import {
	concurrent,
	type Limit,
	perFixedSecond,
	perSlidingSecond,
	simulateLimits,
} from '../../support/simulateLimits';

const LIMITS: [string, () => Limit][] = [
	...[3, 5, 12, 20].map((limit): [string, () => Limit] => [
		`${limit} requests at a time`,
		() => concurrent(limit),
	]),
	...[20, 50].flatMap((limit): [string, () => Limit][] => [
		[`${limit} requests per second of its clock`, () => perFixedSecond(limit)],
		[`${limit} requests in any second`, () => perSlidingSecond(limit)],
	]),
];
const SEEDS = [1, 2, 3];

describe.each(LIMITS)('a service that allows %s', (_name, createLimit) => {
	it.each(SEEDS)('is used to at least 90 %% (seed %i)', (seed) => {
		const result = simulateLimits({ limit: createLimit(), seconds: 40, seed });

		expect(result.share).toBeGreaterThan(0.9);
		expect(result.refusals).toBeLessThan(0.2);
	});

	it.each(SEEDS)('and asks to wait a second is used to at least 80 %% (seed %i)', (seed) => {
		const result = simulateLimits({ limit: createLimit(), retryAfter: 1, seconds: 40, seed });

		expect(result.share).toBeGreaterThan(0.8);
		expect(result.refusals).toBeLessThan(0.2);
	});

	it('is shared by two processes that do not know of each other', () => {
		const limit = createLimit();
		const result = simulateLimits({ limit, processes: 2, seconds: 60, countFromSecond: 20 });

		expect(result.share).toBeGreaterThan(0.8);
		expect(Math.min(...result.fairness)).toBeGreaterThan(0.5);
	});
});

it.each([20, 50])('A service that reports %i requests per second is used to 95 %%', (limit) => {
	const { share } = simulateLimits({ limit: perFixedSecond(limit, true), seconds: 40 });

	expect(share).toBeGreaterThan(0.95);
});
