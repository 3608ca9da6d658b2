import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import { paginate } from '../../../nodes/AvatarStudio/transport/pagination/paginate';
import { getAllAssets, getAssets } from '../../support/parameters';
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

/** `CASES=10000 SEED=1 npx jest pagingModel` runs more cases, or the same ones again. */
const CASES = Number(process.env.CASES ?? 500);
const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 31);

/** A changing order can only be detected if the list and its pages are long enough. */
const models = listModels.filter(
	({ pagination, count, pageSize, limit }) =>
		pagination.order !== 'shuffled' ||
		(count > 30 && pagination.maxPageSize > 8 && pageSize > 8 && limit === undefined),
);

function judge(
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
}

async function read(model: ListModel): Promise<void> {
	const { fetchPage, ...observation } = simulateInMemory(model);
	const { limit = Infinity, pageSize } = model;
	const listed: IDataObject[] = [];
	let error: Error | undefined;
	try {
		const size = Math.min(pageSize, limit);
		const responds = async () => await Promise.resolve();
		for await (const page of paginate(fetchPage, { size, first: 'auto', limit }, responds)) {
			listed.push(...page);
		}
	} catch (thrown) {
		error = thrown as Error;
	}
	judge(model, observation, listed, error);
}

async function readThroughTheNode(model: ListModel): Promise<void> {
	const observation = simulate(studio.service, model);
	const { limit, pageSize } = model;
	const parameters =
		limit === undefined ? getAllAssets({ pageSize }) : getAssets({ limit, options: { pageSize } });
	const { error, json } = await studio.run(parameters);
	studio.service.requests.length = 0;
	judge(model, observation, json, error);
}

describe('Get Many returns each asset once or fails', () => {
	it(`in ${CASES} random cases`, async () => {
		const property = fc.asyncProperty(models, read);
		await expect(fc.assert(property, { numRuns: CASES, seed: SEED })).resolves.toBeUndefined();
	}, 600_000);

	it('in random cases through the node', async () => {
		const property = fc.asyncProperty(models, readThroughTheNode).afterEach(async () => {
			await drainInFlight(studio);
			studio.service.reset();
		});
		const runs = { numRuns: Math.ceil(CASES / 20), seed: SEED };
		await expect(fc.assert(property, runs)).resolves.toBeUndefined();
	}, 600_000);
});
