import * as fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { FetchPage } from '../../../nodes/AvatarStudio/client/pagination/prefetcher';
import { RequestError } from '../../../nodes/AvatarStudio/errors/userError';
import { getPage, type PaginationOptions } from '../../../service/pagination';
import { optional } from '../../support/randomCases';

/** A way to list assets that the contract leaves open, and what happens during the reading. */
export interface ListModel {
	count: number;
	pagination: Required<Omit<PaginationOptions, 'maxRecords' | 'emptyList' | 'refusedAbove'>> &
		Pick<PaginationOptions, 'maxRecords' | 'emptyList' | 'refusedAbove'>;
	pageSize: number;
	/** Fails at the request with this number, and each one after it if it lasts. */
	fault?: { request: number; kind: 'error' | 'refusal' | 'emptyList'; lasts?: boolean };
	/** Happens when the request with this number arrives. */
	change?: { request: number } & ({ insert: number } | { remove: number; from: number });
	limit?: number;
}

/** The most that 40,000 cases took was 519. */
const MAX_REQUESTS = 2000;
const REFUSALS = [400, 404, 416, 422];
const request = fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 1, max: 14 }));
const status = fc.constantFrom(...REFUSALS);
const sizes = (usual: number) =>
	fc.oneof(
		{ weight: 5, arbitrary: fc.constant(usual) },
		{ weight: 4, arbitrary: fc.integer({ min: 8, max: 40 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 1, max: 7 }) },
	);

export const listModels: fc.Arbitrary<ListModel> = fc.record({
	count: fc.oneof(
		{ weight: 1, arbitrary: fc.integer({ min: 0, max: 3 }) },
		{ weight: 4, arbitrary: fc.integer({ min: 0, max: 200 }) },
	),
	pagination: fc.record({
		firstPage: fc.constantFrom(0, 1),
		pageZero: fc.constantFrom<'sameAsFirst' | 'empty' | number>(
			...(['sameAsFirst', 'sameAsFirst', 'sameAsFirst', 'empty'] as const),
			...REFUSALS,
			500,
		),
		maxPageSize: sizes(1000),
		ignored: fc.nat(19).map((nat) => nat === 0),
		order: fc.constantFrom('oldest', 'oldest', 'newest', 'newest', 'shuffled'),
		pageBeyondLast: fc.constantFrom<'empty' | 'last' | number>(
			'empty',
			'empty',
			'last',
			...REFUSALS,
		),
		emptyList: optional(status, 3),
		refusedAbove: optional(fc.record({ pageSize: sizes(50), status }), 4),
		maxRecords: optional(fc.record({ count: fc.integer({ min: 8, max: 150 }), status }), 4),
	}),
	pageSize: sizes(100),
	fault: optional(
		fc.oneof(
			fc.record({ request, kind: fc.constantFrom('error', 'refusal', 'emptyList') }),
			fc.record({
				request,
				kind: fc.constantFrom('refusal', 'emptyList'),
				lasts: fc.constant(true),
			}),
		),
		2,
	),
	change: optional(
		fc.oneof(
			fc.record({ request, insert: fc.integer({ min: 1, max: 110 }) }),
			fc.record({ request, remove: fc.integer({ min: 1, max: 40 }), from: fc.nat(159) }),
		),
		2,
	),
	limit: optional(fc.integer({ min: 1, max: 170 }), 4),
});

/** What was listed during a reading. */
export interface Observation {
	/** The assets that existed from beginning to end. */
	throughout: Set<string>;
	everListed: Set<string>;
}

/** The list of a model, which changes while it is read. */
interface Assets {
	assets: { id: string; name: string }[];
	addAssets: (count: number) => { id: string }[];
}

/** Lists as the model does, without a server, to test thousands of models per minute. */
export function simulate(model: ListModel): Observation & { fetchPage: FetchPage } {
	const { count, pagination, fault } = model;
	let added = 0;
	const list: Assets = {
		assets: [],
		addAssets: (wanted) => {
			const assets = Array.from({ length: wanted }, () => ({ id: `${++added}`, name: 'Asset' }));
			list.assets = [...list.assets, ...assets];
			return assets;
		},
	};
	const ids = list.addAssets(count).map(({ id }) => id);
	const observation = { throughout: new Set(ids), everListed: new Set(ids) };
	let requests = 0;
	const fetchPage = async (page: number, pageSize: number): Promise<IDataObject[]> => {
		const number = ++requests;
		if (number > MAX_REQUESTS) throw new Error(`More than ${MAX_REQUESTS} requests`);
		if (number === model.change?.request) change(list, model, observation);
		const isFaulty = number === fault?.request || (fault?.lasts && number > fault.request);
		const requested = { page: String(page), pageSize: String(pageSize) };
		const answer = getPage(list.assets, requested, pagination, number);
		await Promise.resolve();
		if (isFaulty && fault.kind === 'emptyList') return [];
		if (!isFaulty && 'items' in answer) return answer.items;
		const failure = fault?.kind === 'refusal' ? 404 : 500;
		const status = 'status' in answer && !isFaulty ? answer.status : failure;
		throw new RequestError(`Page ${page} is refused`, '', { status });
	};
	return { ...observation, fetchPage };
}

function change(list: Assets, { change }: ListModel, observation: Observation): void {
	if (!change) return;
	if ('insert' in change) {
		for (const { id } of list.addAssets(change.insert)) observation.everListed.add(id);
		return;
	}
	const removed = list.assets.slice(change.from, change.from + change.remove);
	for (const { id } of removed) observation.throughout.delete(id);
	list.assets = list.assets.filter((asset) => !removed.includes(asset));
}

/** Whether the node may fail on the list of a model; it must never leave anything out. */
export function mayFail({ count, pagination, pageSize, change, fault }: ListModel): boolean {
	const { order, maxRecords, maxPageSize, pageBeyondLast, refusedAbove } = pagination;
	// Very small pages cannot overlap, so the end looks like a limit of the service. The node finds an
	// accepted size by halving, so it is more than half of the largest one.
	const isTiny = Math.min(maxPageSize, pageSize, (refusedAbove?.pageSize ?? 100) / 2) < 8;
	return (
		change !== undefined ||
		fault?.kind === 'error' ||
		fault?.lasts === true ||
		order === 'shuffled' ||
		(maxRecords !== undefined && maxRecords.count < count + 100) ||
		(isTiny && (typeof pageBeyondLast === 'number' || fault?.kind === 'refusal'))
	);
}
