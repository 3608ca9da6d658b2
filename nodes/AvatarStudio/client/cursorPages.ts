import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../errors/userError';

import { readInSizes } from './firstPage';
import { takeUnseen, toReadPage } from './page';
import type { PageOptions } from './paginate';
import { isObject } from './response/json';

/**
 * A list of which each response names the next page by a cursor. The service has none yet; the recipes of
 * CONTRIBUTING.md have one.
 */
export interface CursorPages {
	byCursor: {
		/** The query for the page that a cursor names. It is undefined for the first page, which has none. */
		query: (cursor: string | undefined, size: number) => IDataObject;
		/** @returns the cursor in a response; nothing, '', 0 or false if it is that of the last page */
		next: (body: IDataObject) => unknown;
	};
}

/** What a response to a request for a page has: `body` is all of it. */
interface CursorPage {
	records: IDataObject[];
	body: unknown;
}

/**
 * Reads a list of which each page names the next one, and yields each record once, as the pages arrive.
 * The rules:
 * - The list ends with the page that names no other. A short page, or an empty one, is no end.
 * - A cursor that comes again is an error, because a list that leads back to itself has no end.
 * - If the service rejects a page behind the first one, maybe because its cursor has expired, that is the error.
 *
 * @param fetchResponse requests the page of a query
 * @param property names the records in a message
 * @yields the new records of each page, at most `limit` in all
 * @throws RequestError if the list cannot be read to its end
 */
export async function* followCursors(
	fetchResponse: (query: IDataObject) => Promise<CursorPage>,
	{ byCursor }: CursorPages,
	property: string,
	options: PageOptions,
): AsyncGenerator<IDataObject[], void> {
	/** The cursors of pages 2, 3 and so on: the first page needs none. */
	const cursors: string[] = [];
	const readPage = toReadPage(async (number, size) => {
		const { records, body } = await fetchResponse(byCursor.query(cursors[number - 2], size));
		const next = isObject(body) && byCursor.next(body);
		// A number, or an object, becomes the text that JSON has for it.
		if (next) cursors.push(typeof next === 'string' ? next : JSON.stringify(next));
		return records;
	});
	const minSize = hasPageSize({ byCursor }) ? options.minSize : options.size;
	const start = await readInSizes(async (size) => await readPage(1, size), { ...options, minSize });
	const seen = new Set<string>();
	let page = start.firstPage;
	for (;;) {
		if (page.rejection) throw page.rejection;
		const remaining = options.limit - seen.size;
		yield takeUnseen(page, seen).slice(0, remaining);
		// A page that is not the last one has added the cursor of the next.
		const isLast = cursors.length < page.number;
		if (isLast || seen.size >= options.limit) return;
		assertLastIsNew(cursors, property);
		page = await readPage(page.number + 1, start.size);
	}
}

/** @returns whether a request for a page can say how many records it should have */
export function hasPageSize({ byCursor }: CursorPages): boolean {
	const buildFirst = (size: number) => JSON.stringify(byCursor.query(undefined, size));
	// The query has the size in it if another size makes another query.
	return buildFirst(1) !== buildFirst(2);
}

function assertLastIsNew(cursors: string[], property: string): void {
	const last = cursors.length - 1;
	if (cursors.indexOf(cursors[last]!) === last) return;
	throw new RequestError(
		`The list of ${property} has no end: the service sent the same cursor twice`,
		'Contact the support team of the service. Until then, use an ID instead of a name, or set a Limit without filters.',
		{ code: 'unexpectedResponse' },
	);
}
