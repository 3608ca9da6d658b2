import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { paginate } from '../../../nodes/AvatarStudio/client/pagination/paginate';
import { RequestError } from '../../../nodes/AvatarStudio/errors/userError';
import { getCases, SEED } from '../../support/randomCases';

import { listModels, mayFail, simulate, type ListModel, type Observation } from './pagingModel';

const CASES = getCases(2000);

type Pagination = ListModel['pagination'];

/** A changing order can only be detected if the list and its pages are long enough. */
const models = listModels.filter(
	({ pagination, count, pageSize, limit }) =>
		pagination.order !== 'shuffled' ||
		(count > 30 &&
			pagination.maxPageSize > 8 &&
			!pagination.refusedAbove &&
			pageSize > 8 &&
			limit === undefined),
);

function checkAssets(
	model: ListModel,
	{ throughout, everListed }: Observation,
	listed: IDataObject[],
	error?: Error,
): void {
	const emitted = new Set(listed.map(({ id }) => id as string));
	expect(emitted.size).toBe(listed.length);
	expect([...emitted].filter((id) => !everListed.has(id))).toEqual([]);
	if (error && mayFail(model)) return;
	// A list of which every page was refused counts as empty.
	if (model.fault?.lasts && listed.length === 0) return;
	expect(error?.message).toBeUndefined();
	const { limit = Infinity } = model;
	const missing = [...throughout].filter((id) => !emitted.has(id));
	if (limit >= everListed.size) expect(missing).toEqual([]);
	expect(emitted.size).toBeGreaterThanOrEqual(Math.min(limit, throughout.size));
	expect(emitted.size).toBeLessThanOrEqual(limit);
	const { change, fault, pagination } = model;
	if (change || fault || pagination.order === 'shuffled') return;
	const inOrder = pagination.order === 'newest' ? [...throughout].reverse() : [...throughout];
	expect([...emitted]).toEqual(inOrder.slice(0, limit));
}

/** Reads the list of a model as Get Many does, without a server. */
async function read(model: ListModel) {
	const { fetchPage, ...observation } = simulate(model);
	const fetch = jest.fn(fetchPage);
	const { limit = Infinity, pageSize } = model;
	const listed: IDataObject[] = [];
	let error: RequestError | undefined;
	try {
		const size = Math.min(pageSize, limit);
		const responds = async () => await Promise.resolve();
		for await (const page of paginate(fetch, { size, firstNumber: 'auto', limit }, responds)) {
			listed.push(...page);
		}
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) throw thrown;
		error = thrown;
	}
	return { observation, listed, error, requested: fetch.mock.calls };
}

/** @returns the number of requests that the reading took */
async function checkPaginate(model: ListModel): Promise<number> {
	const { observation, listed, error, requested } = await read(model);
	checkAssets(model, observation, listed, error);
	return requested.length;
}

/** A list that the service lists from page 0 without errors, as far as `changes` say no different. */
function createModel(pagination: Partial<Pagination>, changes: Partial<ListModel> = {}): ListModel {
	return {
		count: 20,
		pageSize: 100,
		pagination: {
			firstPage: 0,
			pageZero: 'sameAsFirst',
			maxPageSize: 1000,
			ignored: false,
			order: 'oldest',
			pageBeyondLast: 'empty',
			...pagination,
		},
		...changes,
	};
}

/** What random cases once found, reduced to what it takes. */
const FOUND: [string, ListModel][] = [
	[
		'page 0 is empty and page 1 is too large for the service',
		createModel({ firstPage: 1, pageZero: 'empty', maxRecords: { count: 8, status: 400 } }),
	],
	[
		'pages are too large for the service, and a small one is temporarily empty',
		createModel(
			{ firstPage: 1, pageZero: 404, maxRecords: { count: 8, status: 400 } },
			{ fault: { request: 6, kind: 'emptyList' } },
		),
	],
	[
		'page 1 equals page 0 because as many assets were added in front, and no more can be read',
		createModel(
			{ maxPageSize: 8, order: 'newest', maxRecords: { count: 14, status: 400 } },
			{ count: 9, change: { request: 2, insert: 7 } },
		),
	],
	[
		'an asset is added in front, and only the first page can be read',
		createModel(
			{
				firstPage: 1,
				maxPageSize: 9,
				order: 'newest',
				maxRecords: { count: 9, status: 400 },
			},
			{ count: 10, pageSize: 10, change: { request: 2, insert: 1 } },
		),
	],
	[
		'the order is random, and the last page holds only known assets',
		createModel({ order: 'shuffled' }, { count: 117, pageSize: 116 }),
	],
	[
		'pages of two move on because an asset is deleted',
		createModel({}, { count: 4, pageSize: 2, change: { request: 2, remove: 1, from: 0 } }),
	],
];

/** Models that take more requests if a rule of the reading is left out, or fail. */
const COSTS: [string, number, ListModel][] = [
	[
		'the service ignores pages, and lists in random order',
		2,
		createModel({ ignored: true, order: 'shuffled' }, { count: 93 }),
	],
	[
		'the page size changes while pages are prefetched',
		14,
		createModel({ firstPage: 1, pageZero: 422 }, { count: 190, pageSize: 38 }),
	],
	[
		'assets are deleted that were read already',
		16,
		createModel(
			{ pageBeyondLast: 422 },
			{ count: 115, pageSize: 22, change: { request: 10, remove: 4, from: 84 } },
		),
	],
	[
		'a page turns out to be longer than the first one',
		4,
		createModel({}, { count: 1, pageSize: 13, change: { request: 2, insert: 4 } }),
	],
	[
		'the service limits what can be read, and the page size',
		16,
		createModel(
			{
				firstPage: 1,
				pageZero: 422,
				maxPageSize: 37,
				pageBeyondLast: 422,
				maxRecords: { count: 149, status: 416 },
			},
			{ count: 193, limit: 140 },
		),
	],
	[
		'pages of seven are pushed on by assets in front',
		57,
		createModel(
			{ pageZero: 416, maxPageSize: 7, order: 'newest', pageBeyondLast: 400 },
			{ count: 119, change: { request: 5, insert: 18 } },
		),
	],
	[
		'a limit ends in the middle of a page, and a page is temporarily empty',
		7,
		createModel(
			{ maxPageSize: 21, order: 'newest', maxRecords: { count: 133, status: 416 } },
			{
				count: 114,
				pageSize: 29,
				fault: { request: 4, kind: 'emptyList' },
				change: { request: 3, remove: 5, from: 95 },
				limit: 63,
			},
		),
	],
];

const PAGE_SIZE = 20;
const CAP = 9;
/** Each first page, the same on a service that caps the page size, and a service without pages. */
const CONVENTIONS = [1000, CAP].flatMap((maxPageSize): [string, Partial<Pagination>][] => {
	const cap = maxPageSize === CAP ? ` and caps the page size at ${CAP}` : '';
	return [
		[`counts from 0${cap}`, { maxPageSize }],
		[`counts from 1, treats page 0 as page 1${cap}`, { maxPageSize, firstPage: 1 }],
		[`counts from 1, refuses page 0${cap}`, { maxPageSize, firstPage: 1, pageZero: 400 }],
		[`counts from 1, has an empty page 0${cap}`, { maxPageSize, firstPage: 1, pageZero: 'empty' }],
	];
});
CONVENTIONS.push(['ignores pagination and always returns the whole list', { ignored: true }]);

describe.each(CONVENTIONS)('Of a service that %s', (_name, pagination) => {
	const { maxPageSize = Infinity, firstPage = 0, ignored = false } = pagination;

	/** Reads a list that nobody changes, whatever else the model says. */
	const readStable = async (count: number, more: Partial<ListModel>, changes = pagination) => {
		const model = createModel(changes, { count, pageSize: PAGE_SIZE, ...more });
		const { observation, listed, error, requested } = await read(model);
		const ids = listed.map(({ id }) => id);
		return { stored: [...observation.throughout], ids, error: error?.message, requested };
	};

	it('Get Many returns each asset, whatever their number and however the list ends', async () => {
		for (const pageBeyondLast of ['empty', 'last', 400] as const) {
			for (const count of [0, 1, 2, 8, 9, 10, 19, 20, 21, 50, 220]) {
				const ending = { ...pagination, pageBeyondLast };
				const { stored, ids, error, requested } = await readStable(count, {}, ending);
				const facts = { pageBeyondLast, count };
				expect({ ...facts, ids, error }).toEqual({ ...facts, ids: stored, error: undefined });

				const beyondEnd = requested.filter(([page, size]) => {
					const index = page - firstPage;
					return index > 0 && (ignored || index * Math.min(size, maxPageSize) >= count);
				});
				expect(beyondEnd.length).toBeLessThanOrEqual(4);
			}
		}
	});

	it('Get Many returns no more than my limit', async () => {
		for (const limit of [1, 10, 20, 21, 30, 50]) {
			const { stored, ids, error } = await readStable(46, { limit });
			const expected = { limit, ids: stored.slice(0, limit), error: undefined };
			expect({ limit, ids, error }).toEqual(expected);
		}
	});

	it.each(['refusal', 'emptyList'] as const)(
		'Get Many returns each asset despite a temporary fault of any request: %s',
		async (kind) => {
			const count = Math.floor(2.5 * Math.min(maxPageSize, PAGE_SIZE));
			for (let request = 1; request <= 14; request++) {
				const { stored, ids, error } = await readStable(count, { fault: { request, kind } });
				const expected = { request, ids: stored.sort(), error: undefined };
				expect({ request, ids: ids.sort(), error }).toEqual(expected);
			}
		},
	);
});

describe('Get Many returns each asset that is there from beginning to end', () => {
	it.each([
		['a page is added in front', 3, 'newest', { insert: PAGE_SIZE }],
		['a page is added in front', 7, 'newest', { insert: PAGE_SIZE }],
		['a page is added in front', 15, 'newest', { insert: PAGE_SIZE }],
		['the first three are deleted', 2, 'oldest', { remove: 3, from: 0 }],
		['the first three are deleted', 5, 'oldest', { remove: 3, from: 0 }],
		['the first three are deleted', 12, 'oldest', { remove: 3, from: 0 }],
	] as const)('if %s at request %i', async (_what, request, order, change) => {
		const { observation, listed, error } = await read(
			createModel(
				{ order },
				{ count: 400, pageSize: PAGE_SIZE, change: { request, ...change } as ListModel['change'] },
			),
		);
		expect(error).toBeUndefined();
		const emitted = new Set(listed.map(({ id }) => id));
		expect([...observation.throughout].filter((id) => !emitted.has(id))).toEqual([]);
	});
});

describe('Get Many needs no more requests than it must', () => {
	it.each(COSTS)('if %s', async (_what, requests, model) => {
		await expect(checkPaginate(model)).resolves.toBeLessThanOrEqual(requests);
	});
});

describe('Get Many returns each asset once or fails', () => {
	it.each(FOUND)('if %s', async (_what, model) => {
		await expect(checkPaginate(model)).resolves.toBeGreaterThan(0);
	});

	it(`in ${CASES} random cases`, async () => {
		const property = fc.asyncProperty(models, async (model) => {
			await checkPaginate(model);
		});
		await expect(fc.assert(property, { numRuns: CASES, seed: SEED })).resolves.toBeUndefined();
	}, 600_000);
});
