import type { IDataObject } from 'n8n-workflow';

import { formatErrorText } from '../errors/nodeError';
import { toUnknownAddressError } from '../errors/statusError';
import { RequestError } from '../errors/userError';

import type { Client } from './client';
import { paginate, type PageOptions } from './pagination/paginate';
import { MAX_ITEMS, toRecord } from './response/items';
import { isObject } from './response/json';
import {
	assertSuccess,
	countValues,
	createUnexpectedResponseError,
	parseJson,
	readBytes,
	type HttpResponse,
} from './response/response';
import type { Request } from './send';

/** A list of the service: its path, and where in the response the records are. */
export interface ListEndpoint {
	url: string;
	/** The property of the response that holds the records; messages use it as their name. */
	property: string;
	/** The query for one page; a list without it comes in one response. */
	getPageQuery?: (page: number, size: number) => IDataObject;
	/** Another list of the service, without pages: if it arrives, the address and the key are right. */
	probeList?: ListEndpoint;
}

export const DEFAULT_PAGE_SIZE = 100;

/** What the node reads of one list, which may have no end; 100,000 assets take some 50 MB. */
const MAX_LIST_BYTES = 64 * 1024 * 1024;
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
	const { getPageQuery } = list;
	if (!getPageQuery) {
		yield await fetchRecords(client, list);
		return;
	}
	const fetched = { requests: 0, records: 0, bytes: 0, values: 0 };
	const fetchPage = async (page: number, size: number, signal: AbortSignal) => {
		if (++fetched.requests > MAX_REQUESTS) throw createTooLongError('5,000 pages of', list);
		const options = { signal, qs: getPageQuery(page, size) };
		const records = await fetchRecords(client, list, options, (body) => {
			fetched.bytes += body.length;
			fetched.values += countValues(body);
		});
		fetched.records += records.length;
		return records;
	};
	const confirmEmpty = async (rejection: RequestError) => {
		await assertResponds(client, list, rejection);
		const { context } = client;
		context.logger.warn(
			`${context.getNode().name}: the service rejects each page of the list of ${list.property} but responds otherwise, so the list counts as empty. ${formatErrorText(rejection)}`,
		);
	};
	const defaults: PageOptions = { size: DEFAULT_PAGE_SIZE, firstNumber: 'auto', limit: Infinity };
	const pages = paginate(fetchPage, { ...defaults, ...pageOptions }, confirmEmpty);
	let count = 0;
	for await (const records of pages) {
		yield records;
		count += records.length;
		// Pages overlap, are requested ahead and may be read twice: some are not in memory any more.
		const share = count / fetched.records;
		const { bytes, values } = fetched;
		if (count > MAX_ITEMS) throw createTooLongError('100,000', list);
		if (share * bytes > MAX_LIST_BYTES) throw createTooLongError('64 MB of', list);
		if (share * values > MAX_LIST_VALUES) throw createTooLongError('2,000,000 values of', list);
	}
}

/**
 * Tells a service that rejects a page, or knows no such record, from a gateway without its service.
 *
 * @throws `error` unless the list arrives, or the one that is to be asked for instead
 */
export async function assertResponds(
	client: Client,
	list: ListEndpoint,
	error: unknown,
): Promise<void> {
	await fetchRecords(client, list.probeList ?? list).catch(() => {
		throw error;
	});
}

function createTooLongError(count: string, { property }: ListEndpoint): RequestError {
	return new RequestError(
		`There are more than ${count} ${property}, the most the node reads`,
		'Where they are looked up by name, use an ID. Otherwise set a Limit without filters, or a larger Page Size.',
		{ code: 'rejected' },
	);
}

/**
 * Reads a list, or one page of it, with one request.
 *
 * @param onBody receives the body, to measure it
 * @throws RequestError if the response holds no such list
 */
export async function fetchRecords(
	client: Client,
	{ url, property }: ListEndpoint,
	options: Pick<Request, 'qs' | 'signal'> = {},
	onBody?: (body: Buffer) => void,
): Promise<IDataObject[]> {
	return await client
		.request({ method: 'GET', url, ...options }, async (response) => {
			const body = await readBytes(response);
			onBody?.(body);
			return getRecords(response, parseJson(response, body), property);
		})
		.catch((error: unknown) => {
			const isNotFound = error instanceof RequestError && error.details.status === 404;
			throw isNotFound ? toUnknownAddressError(error) : error;
		});
}

/**
 * Reads a whole list once for all items of a node run that use the same account and settings. A later
 * item tries again if that failed.
 */
export async function fetchSharedRecords(
	client: Client,
	list: ListEndpoint,
): Promise<IDataObject[]> {
	const { settings, sharedLists } = client;
	const key = JSON.stringify([await client.identifyRequest(list), settings]);
	const pending = sharedLists.get(key) ?? fetchAll(client, list);
	sharedLists.set(key, pending);
	pending.catch(() => sharedLists.delete(key));
	return await pending;
}

async function fetchAll(client: Client, list: ListEndpoint): Promise<IDataObject[]> {
	const pages: IDataObject[][] = [];
	for await (const page of fetchPages(client, list)) pages.push(page);
	return pages.flat();
}

function getRecords(response: HttpResponse, body: unknown, property: string): IDataObject[] {
	const records = isObject(body) ? body[property] : body;
	if (!Array.isArray(records)) assertSuccess(response, body);
	if (records === null || (records === undefined && !isObject(body))) return [];
	if (Array.isArray(records)) return records.map(toRecord);
	throw createUnexpectedResponseError(response, `The response contains no list of ${property}`);
}
