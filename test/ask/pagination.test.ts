import type { Observation, Observations, Reason } from '../../ask/observation';
import { observePagination } from '../../ask/probes/pagination';
import { getPage, type PaginationOptions } from '../../service/pagination';

/** Observes a list of the stand-in, without a server; a request can add an asset to it. */
async function observe(
	count: number,
	options: PaginationOptions,
	addAt?: number,
): Promise<Observations> {
	const list = Array.from({ length: count }, (_, index) => `asset ${index}`);
	let requests = 0;
	return await observePagination(async (page, pageSize) => {
		const requested = { page: page?.toString(), pageSize: pageSize?.toString() };
		requests += 1;
		if (requests === addAt) list.unshift('new asset');
		const answer = getPage(list, requested, options, requests);
		return Promise.resolve('items' in answer ? { ids: answer.items } : { status: answer.status });
	});
}

function getText(result: Observation | Reason | undefined): string {
	return result && 'observed' in result ? result.observed : `not observed: ${result?.notObserved}`;
}

const pageZeros: [NonNullable<PaginationOptions['pageZero']>, string][] = [
	['sameAsFirst', 'Page 0 is the same as page 1.'],
	['empty', 'Page 0 is empty.'],
	[400, 'Page 0 is refused with 400.'],
	[404, 'Page 0 is refused with 404.'],
	[422, 'Page 0 is refused with 422.'],
	[500, 'Page 0 is refused with 500.'],
];
const firstPages: [PaginationOptions, string][] = [
	[{ firstPage: 0 }, 'The first page is page 0.'],
	...pageZeros.map(([pageZero, text]): [PaginationOptions, string] => [
		{ firstPage: 1, pageZero },
		`The first page is page 1. ${text}`,
	]),
];
const ends: [PaginationOptions, string][] = [
	[{ pageBeyondLast: 'empty' }, 'A page beyond the last is empty.'],
	[{ pageBeyondLast: 'last' }, 'A page beyond the last repeats the last page.'],
	[{ pageBeyondLast: 404 }, 'A page beyond the last is refused with 404.'],
	[{ pageBeyondLast: 422 }, 'A page beyond the last is refused with 422.'],
];
const maximums: [PaginationOptions, string][] = [10, 25, 100].map((maxPageSize) => [
	{ maxPageSize },
	`A larger PageSize is reduced to ${maxPageSize}.`,
]);
const orders: [PaginationOptions, string][] = [
	[{ order: 'oldest' }, 'The order stays the same.'],
	[{ order: 'newest' }, 'The order stays the same.'],
	[{ order: 'shuffled' }, 'The order changes from request to request.'],
];

// Each order meets each first page, each end and each maximum, but not each combination of them.
const conventions = firstPages.flatMap((first, row) =>
	ends.flatMap((end, column) =>
		maximums.map((maximum, layer): [string, PaginationOptions, string[]] => {
			const order = orders[(row + column + layer) % orders.length]!;
			const options = { ...first[0], ...end[0], ...maximum[0], ...order[0] };
			return [JSON.stringify(options), options, [first[1], end[1], maximum[1], order[1]]];
		}),
	),
);

test.each(conventions)('A list with %s is recognized', async (_name, options, expected) => {
	for (const count of [131, 150]) {
		const { firstPage, pagesBeyondLast, pageSize, stability } = await observe(count, options);
		expect([
			getText(firstPage),
			getText(pagesBeyondLast),
			getText(pageSize).replace(/ The default is \d+\./, ''),
			getText(stability),
		]).toEqual(expected);
	}
});

test.each([2, 3, 5, 20, 25])('The first page of %i assets is recognized', async (count) => {
	for (const [options, expected] of firstPages) {
		for (const [end] of ends) {
			const { firstPage } = await observe(count, { ...options, ...end });
			expect(getText(firstPage)).toBe(expected);
		}
	}
});

test('A service that ignores paging is recognized', async () => {
	for (const order of ['oldest', 'shuffled'] as const) {
		const { firstPage, pageSize, pagesBeyondLast } = await observe(25, { ignored: true, order });
		expect(getText(firstPage)).toBe('Every page is the whole list.');
		expect(getText(pageSize)).toBe('PageSize is ignored: every page is the whole list.');
		expect(getText(pagesBeyondLast)).toBe('Every page is the whole list.');
	}
});

test.each([8, 50, 99, 100, 120])('A limit of %i readable assets is recognized', async (count) => {
	for (const firstPage of [0, 1] as const) {
		const options: PaginationOptions = { firstPage, maxRecords: { count, status: 422 } };
		const { pagesBeyondLast, pageSize } = await observe(250, options);
		expect(pagesBeyondLast).toMatchObject({
			observed: `Assets beyond number ${count} are refused with 422, although there are more.`,
			differs: true,
		});
		expect(getText(pageSize)).toMatch(
			count < 100 ? `A PageSize of more than ${count} is refused.` : /\b100\b/,
		);
	}
});

test('The default page size is recognized', async () => {
	expect(getText((await observe(150, {})).pageSize)).toContain('The default is 20.');
});

test.each<[PaginationOptions, string]>([
	[{}, 'page 0 is empty and page 1 is empty.'],
	[{ emptyList: 404 }, 'page 0 is refused with 404 and page 1 is refused with 404.'],
	[{ emptyList: 422 }, 'page 0 is refused with 422 and page 1 is refused with 422.'],
	[{ pageZero: 400 }, 'page 0 is refused with 400 and page 1 is empty.'],
	[{ firstPage: 0, pageBeyondLast: 404 }, 'page 0 is empty and page 1 is refused with 404.'],
])('The pages of an empty list are recognized: %j', async (options, expected) => {
	const { emptyLists, firstPage } = await observe(0, options);
	expect(getText(emptyLists)).toBe(`Of an empty list, ${expected}`);
	expect(getText(firstPage)).toBe('not observed: the account has no assets');
});

test('What a small account cannot show is said, not guessed', async () => {
	const { firstPage, pageSize, stability } = await observe(1, { pageBeyondLast: 'last' });
	expect(getText(firstPage)).toMatch('not observed: there are too few assets');
	expect(getText(pageSize)).toMatch('not observed: a PageSize of 1000 returned 1 asset, ');
	expect(getText(stability)).toMatch('not observed');
});

test('A list that cannot be read is not taken for an empty one', async () => {
	await expect(observePagination(() => Promise.resolve({ status: 500 }))).rejects.toThrow(
		'GET /v1/assets responded with status 500',
	);
	await expect(observePagination(() => Promise.resolve({ status: 401 }))).rejects.toThrow(
		'the service rejected the API key',
	);
});

test('A list that changes while it is read is not judged', async () => {
	await expect(observe(25, {}, 6)).rejects.toThrow('the list changed while it was read: ask again');
});
