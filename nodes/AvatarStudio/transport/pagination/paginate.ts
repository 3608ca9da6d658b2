import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../errors/requestError';

const PREFETCH = 4;

/** How a service that counts from 1 may refuse page 0. */
const REFUSES_PAGE_ZERO = new Set([400, 404, 416, 422, 500]);
/** How a page beyond the last may be refused; 400 and 422 mean other things too. */
const NO_SUCH_PAGE = new Set([404, 416]);
const PERHAPS_NO_SUCH_PAGE = new Set([400, 422]);

const LIMITS_FROM = 1000;

const END_OR_LIMIT =
	'The pages before it came. If the list ends there, choose another Page Size, so that the last page is not full.';

export interface PageOptions {
	/** Records to ask for in one request. */
	size: number;
	/** The number of the first page; 'auto' finds it out. */
	first: 0 | 1 | 'auto';
	/** How many records are wanted in all. */
	limit: number;
	/** Pages in flight at a time, counting the one that is waited for; 4 unless told. */
	prefetch?: number;
}

/** Reads one page of at most `size` records. */
export type FetchPage = (page: number, size: number) => Promise<IDataObject[]>;

/**
 * All records of a list that comes in pages, each once, as the pages come in.
 *
 * The specification tells neither the number of the first page nor the largest size nor the
 * order (section 4.1, note 1), so the list is read under every plausible answer:
 * - page 0 is asked for first; where it is refused or empty, page 1 is the first;
 * - where page 1 brings nothing that page 0 has not brought, the service takes 0 for 1, or it
 *   ignores paging: page 2 tells which;
 * - a page shorter than asked for is no end: the service may have a smaller largest size;
 * - the end is a page that is empty, that brings nothing new, or that does not exist.
 * A record is known again by its `id`, so one that moves between pages is not emitted twice.
 *
 * @yields the new records of each page, never none, no more than `limit` in all
 * @throws Failure, what `fetch` throws
 */
export async function* paginate(
	fetch: FetchPage,
	{ size, first, limit, prefetch: ahead = PREFETCH }: PageOptions,
): AsyncGenerator<IDataObject[], void> {
	const seen = new Set<string>();
	let left = limit;
	const fresh = (records: IDataObject[]): IDataObject[] => {
		const unseen = records.filter((record) => {
			const known = seen.size;
			return seen.add(getIdentity(record)).size > known;
		});
		left -= unseen.length;
		return left < 0 ? unseen.slice(0, left) : unseen;
	};

	let page = first === 'auto' ? 0 : first;
	let records =
		first === 'auto'
			? await unlessRefused(fetch(page, size), REFUSES_PAGE_ZERO)
			: await fetch(page, size);
	if (first === 'auto' && records.length === 0) records = await fetch((page = 1), size);
	if (records.length === 0) return;
	yield fresh(records);

	const inFlight: Promise<IDataObject[]>[] = [];
	let mayTakeZeroForOne = first === 'auto' && page === 0;
	let full = size;
	let last = records.length;
	let asked = page;
	while (left > 0) {
		// After a page that is not full the next one is probably the last.
		const wanted = last === full ? Math.min(ahead, Math.ceil(left / full)) : 1;
		while (inFlight.length < wanted) {
			const request = fetch(++asked, size);
			// Each is awaited in its turn, or never, where an earlier page turns out to be the last.
			request.catch(() => undefined);
			inFlight.push(request);
		}
		records = await unlessRefused(inFlight.shift()!, NO_SUCH_PAGE).catch((error: unknown) => {
			if (!isRefusedPage(error)) throw error;
			// Services that let nobody read on beyond so many records say so in the same way.
			if (last === full && seen.size >= LIMITS_FROM)
				throw error.with({ hint: `${END_OR_LIMIT} ${error.details.hint}` });
			return [];
		});
		page++;
		const unseen = fresh(records);
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

/** A download link is another one in each answer, at least behind its question mark. */
function getIdentity({ id, url, ...rest }: IDataObject): string {
	if (typeof id === 'string' || typeof id === 'number') return String(id);
	return JSON.stringify({ ...rest, url: typeof url === 'string' ? url.split('?')[0] : url });
}
