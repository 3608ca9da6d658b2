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

async function checkPaginate(model: ListModel): Promise<void> {
	const { fetchPage, ...observation } = simulateInMemory(model);
	const { limit = Infinity, pageSize } = model;
	const listed: IDataObject[] = [];
	let error: RequestError | undefined;
	try {
		const size = Math.min(pageSize, limit);
		const responds = async () => await Promise.resolve();
		for await (const page of paginate(fetchPage, { size, first: 'auto', limit }, responds)) {
			listed.push(...page);
		}
	} catch (thrown) {
		if (!(thrown instanceof RequestError)) throw thrown;
		error = thrown;
	}
	checkAssets(model, observation, listed, error);
}

async function checkNode(model: ListModel): Promise<void> {
	const observation = simulate(studio.service, model);
	const { limit, pageSize } = model;
	const parameters =
		limit === undefined ? getAllAssets({ pageSize }) : getAssets({ limit, options: { pageSize } });
	const { error, json } = await studio.run(parameters);
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

describe('Get Many returns each asset once or fails', () => {
	it.each(FOUND)('if %s', async (_what, model) => {
		await expect(checkPaginate(model)).resolves.toBeUndefined();
	});

	it(`in ${CASES} random cases`, async () => {
		const property = fc.asyncProperty(models, checkPaginate);
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
