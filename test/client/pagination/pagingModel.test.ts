import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { paginate } from '../../../nodes/AvatarStudio/client/pagination/paginate';
import { RequestError } from '../../../nodes/AvatarStudio/errors/requestError';
import { getAllAssets, getAssets } from '../../support/parameters';
import { getCases, SEED } from '../../support/randomCases';
import { drainInFlight } from '../../support/requests';
import { useStudio } from '../../support/studio';

import {
	listModels,
	mayFail,
	simulate,
	simulateInMemory,
	type ListModel,
	type Observation,
} from './pagingModel';

const studio = useStudio({ seed: false });

const CASES = getCases(2000);

/** A changing order can only be detected if the list and its pages are long enough. */
const models = listModels.filter(
	({ pagination, count, pageSize, limit }) =>
		pagination.order !== 'shuffled' ||
		(count > 30 && pagination.maxPageSize > 8 && pageSize > 8 && limit === undefined),
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

/** @returns the number of requests that the reading took */
async function checkPaginate(model: ListModel): Promise<number> {
	const { fetchPage, ...observation } = simulateInMemory(model);
	const counted = jest.fn(fetchPage);
	const { limit = Infinity, pageSize } = model;
	const listed: IDataObject[] = [];
	let error: RequestError | undefined;
	try {
		const size = Math.min(pageSize, limit);
		const responds = async () => await Promise.resolve();
		for await (const page of paginate(counted, { size, first: 'auto', limit }, responds)) {
			listed.push(...page);
		}
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) throw thrown;
		error = thrown;
	}
	checkAssets(model, observation, listed, error);
	return counted.mock.calls.length;
}

async function checkNode(model: ListModel): Promise<void> {
	const observation = simulate(studio.service, model);
	const { limit, pageSize } = model;
	const parameters =
		limit === undefined ? getAllAssets({ pageSize }) : getAssets({ limit, options: { pageSize } });
	const { error, json } = await studio.getOutcome(parameters);
	studio.service.requests.length = 0;
	checkAssets(model, observation, json, error);
	expect(studio.service.violations).toEqual([]);
}

/** A list that the service lists from page 0 without errors, as far as `changes` say no different. */
function createModel(
	pagination: Partial<ListModel['pagination']>,
	changes: Partial<ListModel> = {},
): ListModel {
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
		12,
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
		14,
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

	it('in random cases through the node', async () => {
		const property = fc.asyncProperty(models, checkNode).afterEach(async () => {
			await drainInFlight(studio);
			studio.service.reset();
		});
		const runs = { numRuns: Math.ceil(CASES / 40), seed: SEED };
		await expect(fc.assert(property, runs)).resolves.toBeUndefined();
	}, 600_000);
});
