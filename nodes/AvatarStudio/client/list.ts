import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../errors/userError';

import type { Client } from './client';
import { paginate, type FetchPage, type PageOptions } from './paginate';
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
import type { Request } from './send';

/** A list of the service: its path, and where in the response the records are. */
export interface ListEndpoint {
	url: string;
	/** The property of the response that holds the records; messages use it as their name. */
	property: string;
	/** The query for one page; a list without it comes in one response. */
	getPageQuery?: (page: number, size: number) => IDataObject;
}

export const DEFAULT_PAGE_SIZE = 100;
/** As many as 100,000 records take if a page has 20, which are some 50 MB. */
const [MAX_REQUESTS, MAX_LIST_BYTES] = [5_000, 64 * 1024 * 1024];

/** Reads a list page by page: see `paginate`. A list without pages comes as one. */
export async function* fetchPages(
	client: Client,
	list: ListEndpoint,
	pageOptions: Partial<PageOptions> = {},
): AsyncGenerator<IDataObject[], void> {
	const { getPageQuery, property } = list;
	let [requests, bytes, count] = [0, 0, 0];
	// A list may have no end.
	const assertBounds = () => {
		if (requests <= MAX_REQUESTS && bytes <= MAX_LIST_BYTES && count <= MAX_ITEMS) return;
		throw new RequestError(
			`There are more ${property} than the node reads: 100,000, or 64 MB in 5,000 pages`,
			'If they are looked up by name, use an ID. Otherwise set a Limit without filters, or a larger Page Size.',
			{ code: 'rejected' },
		);
	};
	if (!getPageQuery) {
		const records = await fetchRecords(client, list);
		count = records.length;
		assertBounds();
		yield records;
		return;
	}
	const fetchPage: FetchPage = async (page, size) => {
		requests++;
		assertBounds();
		const options = { qs: getPageQuery(page, size) };
		return await fetchRecords(client, list, options, (body) => (bytes += body.length));
	};
	const defaults: PageOptions = { size: DEFAULT_PAGE_SIZE, firstNumber: 'auto', limit: Infinity };
	for await (const records of paginate(fetchPage, { ...defaults, ...pageOptions })) {
		count += records.length;
		assertBounds();
		yield records;
	}
}

/** @throws RequestError if the response, whose body `onBody` measures, holds no such list */
export async function fetchRecords(
	client: Client,
	{ url, property }: ListEndpoint,
	options: Pick<Request, 'qs'> = {},
	onBody?: (body: string) => void,
): Promise<IDataObject[]> {
	const read = async (response: HttpResponse) => {
		const body = await readText(response);
		onBody?.(body);
		const value = parseBody(response, body, true);
		const records = isObject(value) ? value[property] : value;
		if (Array.isArray(records)) return records.map(toRecord);
		assertSuccess(response, value);
		if (records === null) return [];
		throw createResponseError(response, `The response contains no list of ${property}`);
	};
	return await client.request({ method: 'GET', url, ...options }, read);
}

/** Reads a whole list once for all items of a node run; a later one tries again if that failed. */
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
