import type { Client } from '../client/client';
import { createPageReader } from '../client/list';
import type { ListLayout } from '../client/listProgress';
import type { Page, ReadPage } from '../client/page';

import type { RecordSource } from './event';
import { Reading } from './reading';

/** What it takes to read an end of a list. */
interface EndReader {
	readPage: (number: number) => ReturnType<ReadPage>;
	layout: ListLayout;
	reading: Reading;
}

/** Pages at one end of a list, in its order, and whether they are as the layout predicts. */
interface End {
	pages: Page[];
	fits: boolean;
}

/** @returns whether a short read of a list with this layout is possible, and takes less than a whole one */
export function hasEnds({ isRegular, pageLength, count }: ListLayout): boolean {
	return isRegular && pageLength > 1 && count > pageLength;
}

/**
 * Reads the first page of a list and the last one, and inwards from both until a record is known. The
 * number and length of the last page tell how many records there are.
 *
 * @param layout what an earlier poll knew of the list, which has ends: see `hasEnds`
 * @param unread fingerprints of the records that the layout counts, but that no poll could read yet
 * @returns the reading. Its layout is set only if all is as expected and nothing has changed elsewhere
 */
export async function readShort(
	client: Client,
	source: RecordSource,
	seen: ReadonlySet<string>,
	layout: ListLayout,
	unread: ReadonlyMap<string, unknown>,
): Promise<Reading> {
	const reading = new Reading(false, seen, source.idField);
	const readAnyPage = createPageReader(client, source.list);
	const readPage = async (number: number) => await readAnyPage(number, layout.size);
	const reader = { readPage, layout, reading };
	const [front, back] = await Promise.all([readFront(reader), readBack(reader)]);
	for (const { records } of [...front.pages, ...back.pages]) reading.add(records);
	const count = countRecords(layout, back);
	const found = [...reading.unseen].filter((fingerprint) => !unread.has(fingerprint));
	const isExplained = source.change.isExplained(count, layout.count + found.length);
	if (front.fits && back.fits && isExplained) reading.layout = { ...layout, count };
	return reading;
}

/** Reads from the first page on, to one whose last record is known. The last page is left to `readBack`. */
async function readFront({ readPage, layout, reading }: EndReader): Promise<End> {
	const pages: Page[] = [];
	for (let number = layout.firstNumber; number < getLastNumber(layout); number++) {
		const page = await readPage(number);
		pages.push(page);
		const { records } = page;
		if (records.length !== layout.pageLength) return { pages, fits: false };
		if (!reading.isNew(records.at(-1)!)) return { pages, fits: true };
	}
	return { pages, fits: false };
}

/** Reads from the page that held the last record to the end, then back to one whose first record is known. */
async function readBack(reader: EndReader): Promise<End> {
	const { readPage, layout, reading } = reader;
	const pages = await readToEnd(reader);
	if (pages.length === 0) return { pages, fits: false };
	let first = pages[0]!;
	while (reading.isNew(first.records[0]!)) {
		if (first.number === layout.firstNumber) return { pages, fits: false };
		first = await readPage(first.number - 1);
		if (first.records.length !== layout.pageLength) return { pages, fits: false };
		pages.unshift(first);
	}
	return { pages, fits: true };
}

async function readToEnd({ readPage, layout }: EndReader): Promise<Page[]> {
	const pages: Page[] = [];
	let page = await readPage(getLastNumber(layout));
	while (page.records.length > 0 && !repeatsLast(page, pages)) {
		pages.push(page);
		if (page.records.length !== layout.pageLength) break;
		page = await readPage(page.number + 1);
	}
	return pages;
}

/** @returns whether the service responds with the last page to what is behind it */
function repeatsLast({ identities }: Page, pages: Page[]): boolean {
	return identities[0] === pages.at(-1)?.identities[0];
}

/** @returns the number of the page with the last record */
function getLastNumber({ firstNumber, count, pageLength }: ListLayout): number {
	return firstNumber + Math.ceil(count / pageLength) - 1;
}

function countRecords({ firstNumber, pageLength }: ListLayout, { pages }: End): number {
	const last = pages.at(-1);
	return last ? (last.number - firstNumber) * pageLength + last.records.length : 0;
}
