import { mayReject } from '../errors/statuses';

import type { KnownList } from './knownLists';
import type { Page, ReadPage } from './page';

const REJECTED_HINT =
	'Set a smaller Page Size, or another First Page. A service may also reject the pages of an empty list, or the address: check Base URL in the credential.';

/** From where a list is read, and in which pages. */
export interface StartOptions {
	size: number;
	/** The smallest size that is tried if the service rejects the first page; `size` if not set. */
	minSize?: number;
	firstNumber: 0 | 1 | 'auto';
}

interface Start {
	firstPage: Page;
	/** The size that pages are requested with from now on. */
	size: number;
}

/**
 * Reads the first page where an earlier read found it or, if there is no record, wherever it is. What is
 * learned of it is learned from a page with records only: an empty list begins nowhere.
 *
 * @throws RequestError if the service rejects the first page in each size
 */
export async function findFirstPage(
	readPage: ReadPage,
	options: StartOptions,
	known: KnownList,
): Promise<Start> {
	const expected = await readKnownFirstPage(readPage, options, known);
	if (expected) return expected;
	known.forget();
	const found = await detectFirstPage(readPage, options);
	const { firstPage, size } = found;
	// A size that was not rejected says nothing about larger ones: it may be that of a small Limit.
	const maxSize = size < options.size ? size : Infinity;
	if (firstPage.records.length > 0) known.learnPages(firstPage.number, maxSize);
	return found;
}

/** @returns undefined if nothing is known, the user says where the list starts, or no record is there */
async function readKnownFirstPage(
	readPage: ReadPage,
	options: StartOptions,
	{ pages }: KnownList,
): Promise<Start | undefined> {
	const { minSize = options.size, firstNumber } = options;
	if (firstNumber !== 'auto' || !pages) return undefined;
	const size = Math.min(options.size, Math.max(minSize, pages.maxSize));
	const firstPage = await readPage(pages.firstNumber, size);
	return firstPage.records.length > 0 ? { firstPage, size } : undefined;
}

async function detectFirstPage(readPage: ReadPage, options: StartOptions): Promise<Start> {
	const readFirst = async (size: number) =>
		await readFirstPage(readPage, size, options.firstNumber);
	const start = await readInSizes(readFirst, options);
	const { rejection } = start.firstPage;
	if (rejection) throw rejection.with({ hint: REJECTED_HINT });
	return start;
}

/**
 * Reads a first page and, as long as the service rejects it, maybe for its size, once more in half of
 * that, down to `minSize`.
 *
 * @returns the page that was read; if the service rejects it in each size, the one of the size that was wanted
 */
export async function readInSizes(
	readFirst: (size: number) => Promise<Page>,
	{ size: wanted, minSize = wanted }: Pick<StartOptions, 'size' | 'minSize'>,
): Promise<Start> {
	const wantedPage = await readFirst(wanted);
	let firstPage = wantedPage;
	let size = wanted;
	while (isMaybeTooLarge(firstPage) && size > minSize) {
		size = Math.max(minSize, Math.floor(size / 2));
		firstPage = await readFirst(size);
	}
	// The first rejection is about the size that was wanted, so it is the one to read.
	return firstPage.rejection ? { firstPage: wantedPage, size: wanted } : { firstPage, size };
}

function isMaybeTooLarge({ rejection }: Page): boolean {
	return mayReject('pageSize', rejection?.details.status);
}

/**
 * Finds out whether pages are counted from 0 or from 1, unless the user says so. If page 0 is empty or
 * rejected, it is requested once more after page 1: no single fault decides where a list starts.
 */
async function readFirstPage(
	readPage: ReadPage,
	size: number,
	firstNumber: StartOptions['firstNumber'],
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
