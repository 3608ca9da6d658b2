import type { IDataObject } from 'n8n-workflow';

import { formatErrorText } from '../../errors/nodeError';
import { RequestError } from '../../errors/requestError';
import { CHECK_BASE_URL, describeUnknownAddress } from '../../errors/statusErrors';
import { readCredentialOnce } from '../credential';
import type { Caller } from '../limiter/caller';
import { requestWithRetry } from '../requestWithRetry';
import { MAX_ITEMS, toRecord } from '../response/items';
import { isObject } from '../response/json';
import { readJson, type HttpResponse } from '../response/response';
import type { RequestContext, RequestOptions } from '../sendRequest';

import { paginate, type PageOptions } from './paginate';

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

/** For list searches and triggers; an operation has its own. */
const LIST_TIMEOUT_MS = 20_000;
export const DEFAULT_PAGE_SIZE = 100;

/** Reads a list page by page: see `paginate`. A list without pages comes as one. */
export async function* fetchPages(
	context: RequestContext,
	caller: Caller,
	list: ListEndpoint,
	pageOptions: Partial<PageOptions> = {},
	requestOptions: Partial<RequestOptions> = {},
): AsyncGenerator<IDataObject[], void> {
	const { getPageQuery, otherList = list } = list;
	if (!getPageQuery) {
		yield await fetchRecords(context, caller, list, requestOptions);
		return;
	}
	const getCredential = readCredentialOnce(context);
	const fetchPage = async (page: number, size: number, abortSignal: AbortSignal) =>
		await fetchRecords(context, caller, list, {
			abortSignal,
			getCredential,
			...requestOptions,
			qs: getPageQuery(page, size),
		});
	const assertServiceResponds = async (refusal: RequestError) => {
		const options = { ...requestOptions, getCredential, url: otherList.url, qs: undefined };
		await fetchRecords(context, caller, otherList, options).catch(() => {
			throw refusal;
		});
		context.logger.warn(
			`${context.getNode().name}: the service refuses each page of the list of ${list.property} but responds otherwise, so the list counts as empty. ${formatErrorText(refusal)}`,
		);
	};
	const defaults: PageOptions = { size: DEFAULT_PAGE_SIZE, first: 'auto', limit: Infinity };
	const pages = paginate(fetchPage, { ...defaults, ...pageOptions }, assertServiceResponds);
	yield* limitRecords(pages, list.property);
}

/** A list that has no end may not be read without end. */
async function* limitRecords(
	pages: AsyncIterable<IDataObject[]>,
	recordsName: string,
): AsyncGenerator<IDataObject[], void> {
	let read = 0;
	for await (const page of pages) {
		yield page;
		read += page.length;
		if (read <= MAX_ITEMS) continue;
		throw new RequestError(
			`There are more than ${MAX_ITEMS.toLocaleString('en')} ${recordsName}, the most the node reads`,
			'Use an ID instead of a name, or a Limit without filters.',
		);
	}
}

/**
 * Reads a list, or one page of it, with one request.
 *
 * @throws RequestError if the response holds no such list
 */
export async function fetchRecords(
	context: RequestContext,
	caller: Caller,
	{ url, property }: ListEndpoint,
	requestOptions: Partial<RequestOptions> = {},
): Promise<IDataObject[]> {
	const options: RequestOptions = {
		method: 'GET',
		url,
		timeout: LIST_TIMEOUT_MS,
		...requestOptions,
	};
	return await requestWithRetry(context, caller, options, async (response) =>
		getRecords(response, await readJson(response), property),
	).catch((error: unknown) => {
		const isNotFound = error instanceof RequestError && error.details.status === 404;
		throw isNotFound ? describeUnknownAddress(error) : error;
	});
}

function getRecords({ status }: HttpResponse, body: unknown, property: string): IDataObject[] {
	const records = isObject(body) ? body[property] : body;
	if (records === null || (records === undefined && !isObject(body))) return [];
	if (Array.isArray(records)) return records.map(toRecord);
	throw new RequestError(`The response contains no list of ${property}`, CHECK_BASE_URL, {
		status,
	});
}

/**
 * Collects all pages of a list.
 *
 * @param recordsName what messages call the records
 * @throws RequestError if they are more than n8n can take from one node
 */
export async function collect(
	pages: AsyncIterable<IDataObject[]> | IDataObject[][],
	recordsName: string,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	for await (const page of pages) {
		for (const record of page) records.push(record);
		if (records.length > MAX_ITEMS) {
			throw new RequestError(
				`There are more than ${MAX_ITEMS.toLocaleString('en')} ${recordsName}, the most n8n can take from one input item`,
				`Turn Return All off and set Limit to ${MAX_ITEMS.toLocaleString('en')} or less.`,
			);
		}
	}
	return records;
}
