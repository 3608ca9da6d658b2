import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../errors/requestError';

const PREFETCH = 4;

/** How a service that counts from 1 may respond to page 0. */
const REFUSES_PAGE_ZERO = new Set([400, 404, 416, 422, 500]);
/** How a service may respond to a page beyond the last; 400 and 422 have other meanings too. */
const NO_SUCH_PAGE = new Set([404, 416]);
const PERHAPS_NO_SUCH_PAGE = new Set([400, 422]);

const LIMITS_FROM = 1000;

const END_OR_LIMIT =
	'The pages before it came. If the list ends there, choose another Page Size, so that the last page is not full.';

export interface PageOptions {
	/** Records to request per page. */
	size: number;
	/** Number of the first page; 'auto' detects it. */
	first: 0 | 1 | 'auto';
	/** How many records are wanted in all. */
	limit: number;
	/** Number of pages in flight at a time, counting the one awaited; 4 by default. */
	prefetch?: number;
}

/** Reads one page of at most `size` records. */
export type FetchPage = (page: number, size: number) => Promise<IDataObject[]>;

/**
 * Reads a paginated list and yields each record once, as the pages arrive.
 *
 * `service/openapi.yaml` states neither the number of the first page nor the largest page size nor
 * the order, so the list is read correctly under every plausible answer (docs/assumptions.md):
 * - page 0 is requested first; if it is refused or empty, page 1 is the first;
 * - if page 1 brings nothing that page 0 did not, either the service treats page 0 as page 1 or it
 *   ignores paging: page 2 decides;
 * - a page shorter than requested is not the end: the service may cap the size;
 * - the end is a page that is empty, brings nothing new, or does not exist.
 * A record is recognised by its `id`, so one that moves between pages is not emitted twice.
 *
 * @yields the new records of each page, never an empty array, at most `limit` in all
 * @throws what `fetchPage` throws
 */
export async function* paginate(
	fetchPage: FetchPage,
	{ size, first, limit, prefetch: ahead = PREFETCH }: PageOptions,
): AsyncGenerator<IDataObject[], void> {
	const seen = new Set<string>();
	let remaining = limit;
	const dedupe = (records: IDataObject[]): IDataObject[] => {
		const unseen = records.filter((record) => {
			const known = seen.size;
			return seen.add(getIdentity(record)).size > known;
		});
		remaining -= unseen.length;
		return remaining < 0 ? unseen.slice(0, remaining) : unseen;
	};

	let page = first === 'auto' ? 0 : first;
	let records =
		first === 'auto'
			? await unlessRefused(fetchPage(page, size), REFUSES_PAGE_ZERO)
			: await fetchPage(page, size);
	if (first === 'auto' && records.length === 0) records = await fetchPage((page = 1), size);
	if (records.length === 0) return;
	yield dedupe(records);

	const pending: Promise<IDataObject[]>[] = [];
	let mayTakeZeroForOne = first === 'auto' && page === 0;
	let full = size;
	let last = records.length;
	let asked = page;
	while (remaining > 0) {
		// The page after one that is not full is probably the last.
		const wanted = last === full ? Math.min(ahead, Math.ceil(remaining / full)) : 1;
		while (pending.length < wanted) {
			const request = fetchPage(++asked, size);
			// Each is awaited in turn, or never if an earlier page turns out to be the last.
			request.catch(() => undefined);
			pending.push(request);
		}
		records = await unlessRefused(pending.shift()!, NO_SUCH_PAGE).catch((error: unknown) => {
			if (!isRefusedPage(error)) throw error;
			// Services that limit how many records can be read respond in the same way.
			if (last === full && seen.size >= LIMITS_FROM)
				throw error.with({ hint: `${END_OR_LIMIT} ${error.details.hint}` });
			return [];
		});
		page++;
		const unseen = dedupe(records);
		if (unseen.length > 0) {
			yield unseen;
			if (records.length === last) full = last;
			last = records.length;
		} else if (records.length > 0 && mayTakeZeroForOne) {
			last = 0;
		} else {
			return;
		}
		mayTakeZeroForOne = false;
	}
}

function isRefusedPage(error: unknown): error is RequestError {
	return error instanceof RequestError && PERHAPS_NO_SUCH_PAGE.has(error.details.status ?? 0);
}

async function unlessRefused(
	page: Promise<IDataObject[]>,
	statuses: Set<number>,
): Promise<IDataObject[]> {
	return await page.catch((error: unknown) => {
		if (error instanceof RequestError && statuses.has(error.details.status ?? 0)) return [];
		throw error;
	});
}

/** A download link differs in each response, at least in its query. */
function getIdentity({ id, url, ...rest }: IDataObject): string {
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	return JSON.stringify({ ...rest, url: typeof url === 'string' ? url.split('?')[0] : url });
}
