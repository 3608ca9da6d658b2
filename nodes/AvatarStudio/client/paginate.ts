import type { IDataObject } from 'n8n-workflow';

import type { RequestError } from '../errors/userError';

/** Number of pages in flight at a time, counting the one awaited. */
const PREFETCH = 4;
/** How a service may reject a page: there is none, or it lies beyond what may be read. */
export const REJECTS_PAGE = new Set([400, 404, 416, 422]);
/** A service that counts from 1 may break at page 0, for which it computes a negative offset. */
const REJECTS_PAGE_ZERO = new Set([...REJECTS_PAGE, 500]);

/** Reads a page of at most `size` records. */
export type FetchPage = (page: number, size: number) => Promise<IDataObject[]>;

export interface PageOptions {
	size: number;
	firstNumber: 0 | 1 | 'auto';
	limit: number;
}

interface Page {
	number: number;
	records: IDataObject[];
	rejection?: RequestError;
}

type Fetch = (number: number, size: number) => Promise<Page>;

/**
 * Reads a paginated list and yields each record once, as the pages arrive. Where a list starts, how
 * long a page may be and how a list ends is not documented (docs/assumptions.md). The rules:
 * - A page shorter than requested is no end: the service may cap the page size.
 * - An empty page is the end, and so is one that comes for the third time in a row, or for the second
 *   if it is longer than requested: the service ignores the page number, or repeats the last page.
 * - A rejected page is the end after one that was not full. After a full one, `isEnd` decides.
 *
 * @yields the new records of each page, never an empty array, at most `limit` in all
 * @throws RequestError if the list cannot be read to its end
 */
export async function* paginate(
	fetchPage: FetchPage,
	options: PageOptions,
): AsyncGenerator<IDataObject[], void> {
	const { size, limit } = options;
	const fetch: Fetch = async (number, pageSize) =>
		await fetchPage(number, pageSize).then(
			(records) => ({ number, records }),
			(error: RequestError) => {
				const rejections = number === 0 ? REJECTS_PAGE_ZERO : REJECTS_PAGE;
				if (!rejections.has(error.details?.status ?? 0)) throw error;
				return { number, records: [], rejection: error };
			},
		);
	const seen = new Set<string>();
	const ahead: Promise<Page>[] = [];
	let [previous, longest, repeats]: [string[], number, number] = [[], 0, 0];
	let page = await findFirstPage(fetch, options);
	let first = page.number;
	for (;;) {
		const { number, records, rejection } = page;
		const mayGoOn = rejection && previous.length === longest;
		if (mayGoOn && !(await isEnd(fetch, first, longest, seen))) throw rejection;
		if (records.length === 0) return;
		const identities = records.map(getIdentity);
		const known = new Set(previous);
		const isSame = records.length === previous.length && identities.every((it) => known.has(it));
		repeats = isSame ? repeats + 1 : 0;
		// A service that counts from 1 may respond to page 0 with page 1.
		if (repeats === 1 && number === 1) first = 1;
		const wanted = limit - seen.size;
		const unseen = records.filter((_, at) => {
			const { size: count } = seen;
			return seen.add(identities[at]!).size > count;
		});
		if (unseen.length > 0) yield unseen.slice(0, wanted);
		if (seen.size >= limit || repeats === (records.length > size ? 1 : 2)) return;

		longest = Math.max(longest, records.length);
		previous = identities;
		// A first page of another length than requested is probably the only one.
		const isFull = records.length === (number === first ? size : longest);
		const needed = Math.ceil((limit - seen.size) / longest);
		while (ahead.length < (isFull ? Math.min(PREFETCH, needed) : 1)) {
			const fetched = fetch(number + ahead.length + 1, size);
			// Each is awaited in turn, or never if it is not needed after all.
			fetched.catch(() => undefined);
			ahead.push(fetched);
		}
		page = await ahead.shift()!;
	}
}

/** Page 0 is requested once more if it is empty: no single fault decides where a list starts. */
async function findFirstPage(fetch: Fetch, { size, firstNumber }: PageOptions): Promise<Page> {
	let page = await fetch(firstNumber === 'auto' ? 0 : firstNumber, size);
	if (firstNumber === 'auto' && page.records.length === 0) {
		const second = await fetch(1, size);
		page = await fetch(0, size);
		if (page.records.length === 0 && (page.rejection || !second.rejection)) page = second;
	}
	if (!page.rejection) return page;
	throw page.rejection.with({
		hint: 'Set a smaller Page Size, or another First Page. A service may also reject the pages of an empty list, or the address: check Base URL in the credential.',
	});
}

/** If the list really ended there, a page of another size ends with the same last record. */
async function isEnd(fetch: Fetch, first: number, longest: number, seen: Set<string>) {
	const count = seen.size;
	let size = longest - 1;
	while (size > 1 && count % size === 0) size--;
	// Only a longer page has room for more than one or two records.
	if (size < 2) size = count + 1;
	const { records } = await fetch(first + Math.floor((count - 1) / size), size);
	const last = records.at(-1);
	return last !== undefined && records.length < size && getIdentity(last) === [...seen].at(-1);
}

/** @returns what a record is known by: its ID, or else all it holds; a download link differs in each response */
function getIdentity({ id, url, ...rest }: IDataObject): string {
	if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
	return JSON.stringify({ ...rest, url: typeof url === 'string' ? url.split('?')[0] : url });
}
