import type { IDataObject } from 'n8n-workflow';

import { formatErrorText } from '../errors/nodeError';
import { RequestError } from '../errors/requestError';
import { toUnknownAddressError } from '../errors/statusError';

import type { Client, RequestOptions } from './client';
import { paginate, type PageOptions } from './pagination/paginate';
import { MAX_ITEMS, toRecord } from './response/items';
import { isObject } from './response/json';
import {
	countValues,
	createUnexpectedResponseError,
	readJson,
	type HttpResponse,
} from './response/response';

/** A list of the service: its path, and where in the response the records are. */
export interface ListEndpoint {
	url: string;
	/** The property of the response that holds the records; messages use it as their name. */
	property: string;
	/** The query for one page; a list without it comes in one response. */
	getPageQuery?: (page: number, size: number) => IDataObject;
	/** Another list of the service, without pages: if it arrives, the address and the key are right. */
	otherList?: ListEndpoint;
}

export const DEFAULT_PAGE_SIZE = 100;

/** What the node reads of one list, which may have no end; 100,000 assets take some 50 MB. */
const MAX_LIST_LENGTH = 64 * 1024 * 1024;
/** Twenty for each of 100,000 records; 64 MB of empty lists would take 900 MB of memory. */
const MAX_LIST_VALUES = 2_000_000;
/** As many as 100,000 records take if a page has 20. */
const MAX_REQUESTS = 5_000;

/** Reads a list page by page: see `paginate`. A list without pages comes as one. */
export async function* fetchPages(
	client: Client,
	list: ListEndpoint,
	pageOptions: Partial<PageOptions> = {},
): AsyncGenerator<IDataObject[], void> {
	const { getPageQuery, otherList = list } = list;
	if (!getPageQuery) {
		yield await fetchRecords(client, list);
		return;
	}
	let requests = 0;
	const fetchPage = async (page: number, size: number, signal: AbortSignal) => {
		if (++requests > MAX_REQUESTS) throw createTooLongError('5,000 pages of', list);
		return await fetchRecords(client, list, { signal, qs: getPageQuery(page, size) });
	};
	const assertServiceResponds = async (refusal: RequestError) => {
		await fetchRecords(client, otherList).catch(() => {
			throw refusal;
		});
		const { context } = client;
		context.logger.warn(
			`${context.getNode().name}: the service refuses each page of the list of ${list.property} but responds otherwise, so the list counts as empty. ${formatErrorText(refusal)}`,
		);
	};
	const defaults: PageOptions = { size: DEFAULT_PAGE_SIZE, first: 'auto', limit: Infinity };
	const pages = paginate(fetchPage, { ...defaults, ...pageOptions }, assertServiceResponds);
	let count = 0;
	let length = 0;
	let values = 0;
	for await (const records of pages) {
		yield records;
		count += records.length;
		const text = JSON.stringify(records);
		length += text.length;
		values += countValues(Buffer.from(text));
		if (count > MAX_ITEMS) throw createTooLongError('100,000', list);
		if (length > MAX_LIST_LENGTH) throw createTooLongError('64 MB of', list);
		if (values > MAX_LIST_VALUES) throw createTooLongError('2,000,000 values of', list);
	}
}

function createTooLongError(count: string, { property }: ListEndpoint): RequestError {
	return new RequestError(
		`There are more than ${count} ${property}, the most the node reads`,
		'Where they are looked up by name, use an ID. Otherwise set a Limit without filters, or a larger Page Size.',
	);
}

/**
 * Reads a list, or one page of it, with one request.
 *
 * @throws RequestError if the response holds no such list
 */
export async function fetchRecords(
	client: Client,
	{ url, property }: ListEndpoint,
	options: Pick<RequestOptions, 'qs' | 'signal'> = {},
): Promise<IDataObject[]> {
	return await client
		.request({ method: 'GET', url, ...options }, async (response) =>
			getRecords(response, await readJson(response), property),
		)
		.catch((error: unknown) => {
			const isNotFound = error instanceof RequestError && error.details.status === 404;
			throw isNotFound ? toUnknownAddressError(error) : error;
		});
}

function getRecords(response: HttpResponse, body: unknown, property: string): IDataObject[] {
	const records = isObject(body) ? body[property] : body;
	if (records === null || (records === undefined && !isObject(body))) return [];
	if (Array.isArray(records)) return records.map(toRecord);
	throw createUnexpectedResponseError(response, `The response contains no list of ${property}`);
}
