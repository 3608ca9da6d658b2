import type { IDataObject } from 'n8n-workflow';

import { mayReject } from '../errors/statuses';
import { RequestError } from '../errors/userError';

import type { Client } from './client';
import { getKnownList } from './knownLists';
import { toReadPage, type FetchPage, type ReadPage } from './page';
import { paginate, type PageOptions } from './paginate';
import type { HttpResponse } from './response/body';
import { isObject } from './response/json';
import {
	assertSuccess,
	createResponseError,
	MAX_ITEMS,
	parseBody,
	readText,
	toRecord,
} from './response/response';

/**
 * How a list is paged. Another way, such as a cursor by which each page names the next one, is a further
 * type here, and its reader a further branch of `readPages`.
 */
type Paging = NumberedPages;

interface NumberedPages {
	/** The query for the page with a number, which counts from 0 or from 1: see `paginate`. */
	byNumber: (page: number, size: number) => IDataObject;
}

/** A list of the service: its path, and where in the response the records are. */
export interface ListEndpoint {
	url: string;
	/** The property of the response that holds the records; messages use it as their name. */
	property: string;
	/** How the list is paged; one without it comes in one response. */
	paging?: Paging;
	/** Whether a service may have no such list, because only its clients show it. */
	isOptional?: true;
}

/** How many records to request at a time. */
export const DEFAULT_PAGE_SIZE = 100;
/** The smallest page size that is tried if the service rejects the first page. */
export const MIN_PAGE_SIZE = 10;
/** The requests that 100,000 records take if the service caps its pages at 20. */
const MAX_REQUESTS = 5_000;
/** The most characters of all responses together: 100,000 records take fewer, some 50 million. */
const MAX_LIST_LENGTH = 64 * 1024 * 1024;

const DEFAULT_PAGE_OPTIONS: PageOptions = {
	size: DEFAULT_PAGE_SIZE,
	minSize: MIN_PAGE_SIZE,
	firstNumber: 'auto',
	limit: Infinity,
};

/** What was read of a list so far: `length` is that of all responses, in characters. */
interface ListTotal {
	requests: number;
	length: number;
	records: number;
}

/**
 * Reads a list page by page: see `paginate`. A list without pages comes as one.
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
		throw list.isOptional ? explainMissing(error, list.property) : error;
	}
}

/** Reads the pages of a list, however it is paged; `fetchPages` sees to it that they are not too many. */
async function* readPages(
	client: Client,
	list: ListEndpoint,
	total: ListTotal,
	pageOptions: Partial<PageOptions>,
): AsyncGenerator<IDataObject[], void> {
	const fetchPage = createFetchPage(client, list, total);
	if (!list.paging) {
		yield await fetchPage(0, Infinity);
		return;
	}
	const options = { ...DEFAULT_PAGE_OPTIONS, ...pageOptions };
	const key = `${await client.identifyRequest(list)} ${options.firstNumber}`;
	yield* paginate(fetchPage, options, getKnownList(key));
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

/** @returns what reads single pages, whichever are wanted, within the bounds of a whole list */
export function createPageReader(client: Client, list: ListEndpoint): ReadPage {
	return toReadPage(createFetchPage(client, list, { requests: 0, length: 0, records: 0 }));
}

function createFetchPage(client: Client, list: ListEndpoint, total: ListTotal): FetchPage {
	return async (page, size) => {
		total.requests++;
		assertBounded(total, list.property);
		const response = await requestRecords(client, list, list.paging?.byNumber(page, size));
		total.length += response.length;
		return response.records;
	};
}

/** Ends the reading of a list that may have no end, or would take too much memory. */
function assertBounded({ requests, length, records }: ListTotal, property: string): void {
	if (requests <= MAX_REQUESTS && length <= MAX_LIST_LENGTH && records <= MAX_ITEMS) return;
	throw new RequestError(
		`There are more ${property} than the node reads: 100,000, or 64 MB in 5,000 pages`,
		'If they are looked up by name, use an ID. Otherwise set a Limit without filters, or a larger Page Size.',
		{ code: 'rejected' },
	);
}

/** Reads a list with one request; throws RequestError if the response contains none. */
export async function fetchRecords(
	client: Client,
	list: ListEndpoint,
	query: IDataObject = {},
): Promise<IDataObject[]> {
	return (await requestRecords(client, list, query)).records;
}

/** @returns the records of a response, and how many characters it has */
async function requestRecords(client: Client, { url, property }: ListEndpoint, qs?: IDataObject) {
	return await client.request({ method: 'GET', url, qs }, async (response) => {
		const text = await readText(response);
		return { records: parseRecords(response, text, property), length: text.length };
	});
}

function parseRecords(response: HttpResponse, text: string, property: string): IDataObject[] {
	const value = parseBody(response, text, true);
	const records = isObject(value) ? value[property] : value;
	if (Array.isArray(records) && records.length > 0) return records.map(toRecord);
	assertSuccess(response, value);
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
