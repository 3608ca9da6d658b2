import type { IDataObject } from 'n8n-workflow';

import { findFirstPage, type StartOptions } from './firstPage';
import { KnownList } from './knownLists';
import { ListProgress, type ListLayout } from './listProgress';
import { toReadPage, type FetchPage, type Page, type ReadPage } from './page';

/** How many pages are in flight at a time, counting the one that is awaited. */
const PREFETCH = 4;

/** A list of which any page can be requested by its number. */
export interface NumberedPages {
	/** The query for the page with a number, which counts from 0 or from 1: see `paginate`. */
	byNumber: (page: number, size: number) => IDataObject;
}

export interface PageOptions extends StartOptions {
	limit: number;
	/** Called when a list of numbered pages was read to its end. */
	onEnd?: (layout: ListLayout) => void;
}

/**
 * Reads a paginated list and yields each record once, as the pages arrive. Where a list starts, how
 * long a page may be and how a list ends is not documented (docs/assumptions.md). The rules:
 * - The list starts where an earlier read found its first page, as long as there are records.
 * - If the first page is rejected, maybe for its size, half of that is requested, down to `minSize`.
 * - A page shorter than requested is no end: the service may cap the page size.
 * - An empty page is the end, and so is one that comes for the third time in a row, or for the second
 *   if it is longer than requested: the service ignores the page number, or repeats the last page.
 * - A rejected page is the end if the page before it was shorter than another. If not, `isEnd` decides.
 *
 * @param known what earlier reads tell this one, which tells the next one
 * @yields the new records of each page, never an empty array, at most `limit` in all
 * @throws RequestError if the list cannot be read to its end
 */
export async function* paginate(
	fetchPage: FetchPage,
	options: PageOptions,
	known = new KnownList(),
): AsyncGenerator<IDataObject[], void> {
	const readPage = toReadPage(fetchPage);
	const { firstPage, size } = await findFirstPage(readPage, options, known);
	const progress = new ListProgress(firstPage.number, size);
	const ahead: Promise<Page>[] = [];
	let page = firstPage;
	while (!(await isBehindEnd(readPage, progress, page))) {
		const remaining = options.limit - progress.count;
		const unseen = progress.add(page);
		if (unseen.length > 0) yield unseen.slice(0, remaining);
		if (progress.count >= options.limit) return;
		if (progress.isRepeating) break;
		// The record behind the last one that is expected stands for the page that proves the end.
		const expected = Math.min(options.limit, known.count + 1);
		const wanted = countPagesAhead(progress, page, expected);
		for (let number = page.number + ahead.length + 1; ahead.length < wanted; number++) {
			ahead.push(readAhead(readPage, number, size));
		}
		page = await ahead.shift()!;
	}
	learnFromEnd(known, firstPage, progress);
	options.onEnd?.(progress.getLayout());
}

/** @returns whether the list ends before a page; throws why the page is rejected if it may not */
async function isBehindEnd(
	readPage: ReadPage,
	progress: ListProgress,
	{ records, rejection }: Page,
): Promise<boolean> {
	if (!rejection) return records.length === 0;
	if (progress.isAfterShortPage || (await isEnd(readPage, progress))) return true;
	throw rejection;
}

/** @returns how many pages to have in flight behind one, if so many records are expected in all */
function countPagesAhead(progress: ListProgress, page: Page, expected: number): number {
	if (!progress.isFull(page)) return 1;
	const needed = Math.ceil((expected - progress.count) / progress.longest);
	return Math.max(1, Math.min(PREFETCH, needed));
}

/** Requests a page that is awaited later, or never if it turns out that it is not needed. */
function readAhead(readPage: ReadPage, number: number, size: number): Promise<Page> {
	const page = readPage(number, size);
	// If the promise fails and nobody awaits it, Node.js would end the process.
	page.catch(() => undefined);
	return page;
}

/**
 * Page 1 may repeat page 0 because the service counts from 1, or because it repeats the last page, and
 * page 0 is all there is. Only a list with further records tells, and if in doubt, page 0 is right.
 */
function learnFromEnd(known: KnownList, firstPage: Page, progress: ListProgress): void {
	const { firstNumber, count, longest } = progress;
	known.count = count;
	const isOtherFirst = firstNumber !== firstPage.number && count > longest;
	if (isOtherFirst) known.learnPages(firstNumber, known.pages?.maxSize ?? Infinity);
}

/**
 * Decides whether a list really ended before a page that was rejected after a full one. One page of
 * another size is requested, chosen so that the last record seen falls inside it: if the list ends
 * there, that page is not full and ends with that record. After 300 records in pages of 100, it is the
 * fourth page of 99, which holds the last three of them, and any further ones.
 */
async function isEnd(readPage: ReadPage, progress: ListProgress): Promise<boolean> {
	const { count, longest, firstNumber, lastIdentity } = progress;
	let size = longest - 1;
	while (size > 1 && count % size === 0) size--;
	if (size < 2) size = findLargerSize(count, longest);
	const index = Math.floor((count - 1) / size);
	const { identities } = await readPage(firstNumber + index, size);
	const endsWithLast = identities.length < size && identities.at(-1) === lastIdentity;
	// A service that caps its pages may respond to a larger size with a page that ends there by chance.
	const isCapped = size > longest && identities.length !== count - index * size;
	return endsWithLast && !isCapped;
}

/** @returns the smallest size above one that leaves the last page short, since no smaller one does */
function findLargerSize(count: number, size: number): number {
	let larger = size + 1;
	while (count % larger === 0) larger++;
	return larger;
}
