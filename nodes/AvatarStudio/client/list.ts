import type { IDataObject } from 'n8n-workflow';

import { mayReject } from '../errors/statuses';
import { RequestError } from '../errors/userError';

import type { Client } from './client';
import { followCursors, type CursorPages } from './cursorPages';
import { getKnownList } from './knownLists';
import { assertBounded, type ListTotal } from './listTotal';
import { toReadPage, type FetchPage, type ReadPage } from './page';
import { paginate, type NumberedPages, type PageOptions } from './paginate';
import type { HttpResponse } from './response/body';
import { isObject } from './response/json';
import {
	assertSuccess,
	createResponseError,
	parseBody,
	readText,
	toRecord,
} from './response/response';

/** How a list is paged. Another way is a further type here, and its reader a further branch of `readPages`. */
type Paging = NumberedPages | CursorPages;

/** A list of the service: its path, and where in the response the records are. */
export interface ListEndpoint {
	url: string;
	/** The property of the response that holds the records; messages use it as their name. */
	property: string;
	/** How the list is paged; one without it comes in one response. */
	paging?: Paging;
	/** Whether a service may have no such list: it is not specified, but its public clients use it. */
	isOptional?: true;
}

/** How many records to request at a time. */
export const DEFAULT_PAGE_SIZE = 100;
/** The smallest page size that is tried if the service rejects the first page. */
export const MIN_PAGE_SIZE = 10;

const DEFAULT_PAGE_OPTIONS: PageOptions = {
	size: DEFAULT_PAGE_SIZE,
	minSize: MIN_PAGE_SIZE,
	firstNumber: 'auto',
	limit: Infinity,
};

/**
 * Reads a list page by page: see `paginate` and `followCursors`. A list without pages comes as one.
 *
 * @throws RequestError if it cannot be read whole, or is larger than the node reads
 */
export async function* fetchPages(
	client: Client,
	list: ListEndpoint,
	pageOptions: Partial<PageOptions> = {},
): AsyncGenerator<IDataObject[], void> {
	const total: ListTotal = { requests: 0, length: 0, records: 0 };
	try {
		for await (const records of readPages(client, list, total, pageOptions)) {
			total.records += records.length;
			assertBounded(total, list.property);
			yield records;
		}
	} catch (error) {
		// A list of which there were records is not missing: a page of it is.
		const mayBeMissing = list.isOptional && total.records === 0;
		throw mayBeMissing ? explainMissing(error, list.property) : error;
	}
}

/** Reads the pages of a list, however it is paged; `fetchPages` sees to it that they are not too many. */
async function* readPages(
	client: Client,
	list: ListEndpoint,
	total: ListTotal,
	pageOptions: Partial<PageOptions>,
): AsyncGenerator<IDataObject[], void> {
	const { paging, property } = list;
	const fetchResponse = createFetchResponse(client, list, total);
	const options = { ...DEFAULT_PAGE_OPTIONS, ...pageOptions };
	if (!paging) {
		yield (await fetchResponse()).records;
	} else if ('byCursor' in paging) {
		yield* followCursors(fetchResponse, paging, property, options);
	} else {
		const key = `${await client.identifyRequest(list)} ${options.firstNumber}`;
		yield* paginate(toFetchPage(fetchResponse, paging), options, getKnownList(key));
	}
}

/** @returns whether a service responds like one that has no such list, or no such route at all */
export function isMissing(error: unknown): boolean {
	return error instanceof RequestError && mayReject('route', error.details.status);
}

function explainMissing(error: unknown, property: string): unknown {
	if (!isMissing(error)) return error;
	return (error as RequestError).with({
		summary: `This service has no list of ${property}`,
		hint: 'Copy the ID from the studio application. If every operation reports this, check Base URL in the credential.',
	});
}

/**
 * @param list one with numbered pages, as only such a list has a layout
 * @returns what reads single pages, whichever are wanted, within the bounds of a whole list
 */
export function createPageReader(client: Client, list: ListEndpoint): ReadPage {
	const fetchResponse = createFetchResponse(client, list, { requests: 0, length: 0, records: 0 });
	return toReadPage(toFetchPage(fetchResponse, list.paging as NumberedPages));
}

function toFetchPage(
	fetchResponse: ReturnType<typeof createFetchResponse>,
	{ byNumber }: NumberedPages,
): FetchPage {
	return async (page, size) => (await fetchResponse(byNumber(page, size))).records;
}

/** @returns what requests the page of a query, within the bounds of a whole list */
function createFetchResponse(client: Client, list: ListEndpoint, total: ListTotal) {
	return async (query?: IDataObject) => {
		total.requests++;
		assertBounded(total, list.property);
		const response = await requestRecords(client, list, query);
		total.length += response.length;
		return response;
	};
}

/** Reads a list with one request; throws RequestError if the response contains none. */
export async function fetchRecords(
	client: Client,
	list: ListEndpoint,
	query: IDataObject = {},
): Promise<IDataObject[]> {
	return (await requestRecords(client, list, query)).records;
}

/** @returns the records of a response, all of its body, and how many characters it has */
async function requestRecords(client: Client, { url, property }: ListEndpoint, qs?: IDataObject) {
	return await client.request({ method: 'GET', url, qs }, async (response) => {
		const text = await readText(response);
		const body = parseBody(response, text, true);
		return { records: findRecords(response, body, property), body, length: text.length };
	});
}

function findRecords(response: HttpResponse, body: unknown, property: string): IDataObject[] {
	const records = isObject(body) ? body[property] : body;
	if (Array.isArray(records) && records.length > 0) return records.map(toRecord);
	assertSuccess(response, body);
	// Some services respond with null, or with nothing at all, for a list without entries.
	if (Array.isArray(records) || records === null) return [];
	throw createResponseError(response, `The response contains no list of ${property}`);
}

/**
 * Reads a whole list once for all items of a node run that use the same account and settings. If that
 * fails, the next item that needs the list reads it again.
 */
export async function fetchSharedRecords(
	client: Client,
	list: ListEndpoint,
): Promise<IDataObject[]> {
	const { settings, sharedLists } = client;
	const key = JSON.stringify([await client.identifyRequest(list), settings]);
	const fetchAll = async () => {
		const pages: IDataObject[][] = [];
		for await (const page of fetchPages(client, list)) pages.push(page);
		return pages.flat();
	};
	const pending = sharedLists.get(key) ?? fetchAll();
	sharedLists.set(key, pending);
	pending.catch(() => sharedLists.delete(key));
	return await pending;
}
