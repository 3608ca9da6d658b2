import type { IDataObject } from 'n8n-workflow';

import type { RequestError } from '../errors/userError';

import { createPage, hasSameRecords, takeUnseen, type Page } from './page';

/** How many pages are in flight at a time, counting the one that is awaited. */
const PREFETCH = 4;
/** How a service may reject a page: there is none, or it lies beyond what may be read. */
export const REJECTS_PAGE = new Set([400, 404, 413, 416, 422]);
/** A service that counts from 1 may break at page 0, for which it computes a negative offset. */
const REJECTS_PAGE_ZERO = new Set([...REJECTS_PAGE, 500]);
/** How a service may reject the size of a page: another size would not mend any other rejection. */
const REJECTS_SIZE = new Set([400, 413, 422]);
const REJECTED_HINT =
	'Set a smaller Page Size, or another First Page. A service may also reject the pages of an empty list, or the address: check Base URL in the credential.';

/** Reads a page of at most `size` records. */
export type FetchPage = (page: number, size: number) => Promise<IDataObject[]>;

export interface PageOptions {
	size: number;
	/** The smallest size that is tried if the service rejects the first page; `size` if not set. */
	minSize?: number;
	firstNumber: 0 | 1 | 'auto';
	limit: number;
}

type ReadPage = (number: number, size: number) => Promise<Page>;

/**
 * Reads a paginated list and yields each record once, as the pages arrive. Where a list starts, how
 * long a page may be and how a list ends is not documented (docs/assumptions.md). The rules:
 * - If the first page is rejected, maybe for its size, half of that is requested, down to `minSize`.
 * - A page shorter than requested is no end: the service may cap the page size.
 * - An empty page is the end, and so is one that comes for the third time in a row, or for the second
 *   if it is longer than requested: the service ignores the page number, or repeats the last page.
 * - A rejected page is the end if the page before it was shorter than another. If not, `isEnd` decides.
 *
 * @yields the new records of each page, never an empty array, at most `limit` in all
 * @throws RequestError if the list cannot be read to its end
 */
export async function* paginate(
	fetchPage: FetchPage,
	options: PageOptions,
): AsyncGenerator<IDataObject[], void> {
	const { limit } = options;
	const readPage: ReadPage = async (number, size) =>
		await fetchOrNoteRejection(fetchPage, number, size);
	const { firstPage, size } = await findFirstPage(readPage, options);
	const seen = new Set<string>();
	const ahead: Promise<Page>[] = [];
	let page = firstPage;
	let first = page.number;
	let previous: string[] = [];
	let longest = 0;
	let repeats = 0;
	for (;;) {
		const { number, records, identities, rejection } = page;
		if (rejection) {
			const isAfterShortPage = previous.length < longest;
			if (isAfterShortPage || (await isEnd(readPage, first, longest, seen))) return;
			throw rejection;
		}
		if (records.length === 0) return;
		repeats = hasSameRecords(identities, previous) ? repeats + 1 : 0;
		// A service that counts from 1 may respond to page 0 with page 1, from which `isEnd` has to count.
		if (repeats === 1 && number === 1) first = 1;
		const remaining = limit - seen.size;
		const unseen = takeUnseen(page, seen);
		if (unseen.length > 0) yield unseen.slice(0, remaining);
		const maxRepeats = records.length > size ? 1 : 2;
		if (seen.size >= limit || repeats === maxRepeats) return;

		longest = Math.max(longest, records.length);
		previous = identities;
		// Pages are requested ahead only if this one is as long as pages get: the size requested or, once
		// there are several, the longest. A first page of another length is probably the only one.
		const isFull = records.length === (number === first ? size : longest);
		const needed = Math.ceil((limit - seen.size) / longest);
		const wanted = isFull ? Math.min(PREFETCH, needed) : 1;
		while (ahead.length < wanted) ahead.push(readAhead(readPage, number + ahead.length + 1, size));
		page = await ahead.shift()!;
	}
}

/** @returns the page, with the rejection and no records if the service rejects it; throws other errors */
async function fetchOrNoteRejection(
	fetchPage: FetchPage,
	number: number,
	size: number,
): Promise<Page> {
	try {
		return createPage(number, await fetchPage(number, size));
	} catch (thrown) {
		const error = thrown as RequestError;
		const rejections = number === 0 ? REJECTS_PAGE_ZERO : REJECTS_PAGE;
		if (!rejections.has(error.details?.status ?? 0)) throw error;
		return { ...createPage(number, []), rejection: error };
	}
}

/** Requests a page that is awaited later, or never if it turns out that it is not needed. */
function readAhead(readPage: ReadPage, number: number, size: number): Promise<Page> {
	const page = readPage(number, size);
	// If the promise fails and nobody awaits it, Node.js would end the process.
	page.catch(() => undefined);
	return page;
}

/** @returns the first page, and the size that pages are requested with from now on */
async function findFirstPage(readPage: ReadPage, options: PageOptions) {
	let { size } = options;
	const { minSize = size, firstNumber } = options;
	let firstPage = await readFirstPage(readPage, size, firstNumber);
	const firstRejection = firstPage.rejection;
	while (isMaybeTooLarge(firstPage) && size > minSize) {
		size = Math.max(minSize, Math.floor(size / 2));
		firstPage = await readFirstPage(readPage, size, firstNumber);
	}
	// The first rejection is about the size that was asked for, so it is the one to read.
	if (firstRejection && firstPage.rejection) throw firstRejection.with({ hint: REJECTED_HINT });
	return { firstPage, size };
}

function isMaybeTooLarge({ rejection }: Page): boolean {
	return REJECTS_SIZE.has(rejection?.details.status ?? 0);
}

/**
 * Finds out whether pages are counted from 0 or from 1, unless the user says so. If page 0 is empty or
 * rejected, it is requested once more after page 1: no single fault decides where a list starts.
 */
async function readFirstPage(
	readPage: ReadPage,
	size: number,
	firstNumber: PageOptions['firstNumber'],
): Promise<Page> {
	if (firstNumber !== 'auto') return await readPage(firstNumber, size);
	const zero = await readPage(0, size);
	if (zero.records.length > 0) return zero;
	const one = await readPage(1, size);
	const zeroAgain = await readPage(0, size);
	if (zeroAgain.records.length > 0) return zeroAgain;
	// An empty page 0 before a page 1 that is rejected is all of an empty list.
	const isEmptyList = !zeroAgain.rejection && one.rejection;
	return isEmptyList ? zeroAgain : one;
}

/**
 * Decides whether a list really ended before a page that was rejected after a full one. One page of
 * another size is requested, chosen so that the last record seen falls inside it: if the list ends
 * there, that page is not full and ends with that record. After 300 records in pages of 100, it is the
 * fourth page of 99, which holds the last three of them, and any further ones.
 */
async function isEnd(
	readPage: ReadPage,
	first: number,
	longest: number,
	seen: Set<string>,
): Promise<boolean> {
	const count = seen.size;
	let size = longest - 1;
	while (size > 1 && count % size === 0) size--;
	// No smaller size leaves the last page short, so one page is to hold the whole list.
	if (size < 2) size = count + 1;
	const { identities } = await readPage(first + Math.floor((count - 1) / size), size);
	const last = identities.at(-1);
	return last !== undefined && identities.length < size && last === [...seen].at(-1);
}
