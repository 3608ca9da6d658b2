import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../errors/requestError';

import type { PlannedPage } from './pagePlan';

/**
 * Reads one page of at most `size` records.
 *
 * @param signal ends the request if its page is not needed after all
 */
export type FetchPage = (page: number, size: number, signal: AbortSignal) => Promise<IDataObject[]>;

/** How a service may refuse a page: there is no such page, or nobody may read it. */
export const REFUSES_PAGE = new Set([400, 404, 416, 422]);

/** A page as it was answered: its records, or the refusal. */
export interface FetchedPage {
	records: IDataObject[];
	refusal?: RequestError;
}

/** Requests pages ahead of the one awaited, on the assumption that each is full. */
export class Prefetcher {
	private pending: { page: PlannedPage; fetched: Promise<FetchedPage> }[] = [];

	private controller = new AbortController();

	constructor(private readonly fetchPage: FetchPage) {}

	/**
	 * Fetches one page.
	 *
	 * @param refusals the statuses that refuse a page rather than the whole list
	 */
	async fetch(page: number, size: number, refusals = REFUSES_PAGE): Promise<FetchedPage> {
		return await this.fetchPage(page, size, this.controller.signal).then(
			(records) => ({ records }),
			(error: unknown) => {
				const isRefusal = error instanceof RequestError && refusals.has(error.details.status ?? 0);
				if (!isRefusal) throw error;
				return { records: [], refusal: error };
			},
		);
	}

	/**
	 * Fetches the next page of the plan.
	 *
	 * @param end the position to read on at
	 * @param count how many pages to have in flight, counting this one
	 * @param plan the page to read at a position
	 * @param firstPage number of the first page
	 */
	async next(
		end: number,
		count: number,
		plan: (end: number) => PlannedPage,
		firstPage: number,
	): Promise<FetchedPage & { page: PlannedPage }> {
		const last = this.pending.at(-1)?.page;
		let plannedEnd = last ? last.offset + last.length : end;
		while (this.pending.length < count) {
			const page = plan(plannedEnd);
			plannedEnd = page.offset + page.length;
			const fetched = this.fetch(firstPage + page.index, page.size);
			// Each is awaited in turn, or never if it is not needed after all.
			fetched.catch(() => undefined);
			this.pending.push({ page, fetched });
		}
		const { page, fetched } = this.pending.shift()!;
		return { page, ...(await fetched) };
	}

	/** Ends all requests under way. */
	discard(): void {
		this.pending = [];
		this.controller.abort();
		this.controller = new AbortController();
	}
}
