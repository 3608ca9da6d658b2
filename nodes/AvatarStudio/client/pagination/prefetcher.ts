import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../errors/userError';

import { planPage, type PageLayout, type PlannedPage } from './planPage';

/** Reads a page of at most `size` records; `signal` ends the request if it is not needed after all. */
export type FetchPage = (page: number, size: number, signal: AbortSignal) => Promise<IDataObject[]>;

/** How a service may reject a page: there is none, or it lies beyond what may be read. */
export const REJECTS_PAGE = new Set([400, 404, 416, 422]);

/** The response to a request for a page: its records, or the rejection. */
export interface FetchedPage {
	number: number;
	records: IDataObject[];
	rejection?: RequestError;
}

/** Requests pages ahead of the one awaited, on the assumption that each is full. */
export class Prefetcher {
	private pending: { page: PlannedPage; fetched: Promise<FetchedPage> }[] = [];

	private controller = new AbortController();

	constructor(private readonly fetchPage: FetchPage) {}

	/** @param rejections the statuses that reject a page rather than the whole list */
	async fetch(number: number, size: number, rejections = REJECTS_PAGE): Promise<FetchedPage> {
		return await this.fetchPage(number, size, this.controller.signal).then(
			(records) => ({ number, records }),
			(error: unknown) => {
				const isRejection =
					error instanceof RequestError && rejections.has(error.details.status ?? 0);
				if (!isRejection) throw error;
				return { number, records: [], rejection: error };
			},
		);
	}

	/**
	 * Fetches the page to read on with at a position.
	 *
	 * @param count how many pages to have in flight, counting this one
	 */
	async next(position: number, count: number, layout: PageLayout) {
		const page = planPage(position, layout);
		const expected = this.pending[0]?.page;
		if (expected?.number !== page.number || expected.size !== page.size) this.discard();
		for (let ahead = page; this.pending.length < count; ) {
			const last = this.pending.at(-1)?.page;
			if (last) ahead = planPage(last.offset + last.capacity, layout);
			this.add(ahead, this.fetch(ahead.number, ahead.size));
		}
		return { page, ...(await this.pending.shift()!.fetched) };
	}

	/** Adds a page that has been requested. */
	add(page: PlannedPage, fetched: Promise<FetchedPage>): void {
		// Each is awaited in turn, or never if it is not needed after all.
		fetched.catch(() => undefined);
		this.pending.push({ page, fetched });
	}

	/** Ends all requests under way. */
	discard(): void {
		this.pending = [];
		this.controller.abort();
		this.controller = new AbortController();
	}
}
