import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../errors/requestError';
import type { RateLimiter } from '../request/rateLimiter';
import {
	CREDENTIAL_TYPE,
	requestWithRetry,
	type RequestOptions,
	type RequestContext,
} from '../request/requestWithRetry';
import { isObject, readJson, MAX_ITEMS, toRecord, type HttpResponse } from '../response/response';

import { paginate, type PageOptions } from './paginate';

/** A list of the service: where in the answer its records are, and how one page is asked for. */
export interface ListEndpoint {
	url: string;
	/** The answer's property that holds the records; it is also what a person calls them. */
	property: string;
	/** The query for one page; a list without it comes whole in one answer. */
	page?: (page: number, size: number) => IDataObject;
}

/** For a picker or a trigger; an operation brings its own. */
const LIST_TIMEOUT_MS = 20_000;

/**
 * Reads a list in pages: see `pages` for what that takes. The credential is read once for all of
 * them: n8n would decrypt it anew for each, which was half of a list's CPU time.
 */
export function fetchPages(
	context: RequestContext,
	gate: RateLimiter,
	list: ListEndpoint,
	options: PageOptions,
	call: Partial<RequestOptions> = {},
): AsyncGenerator<IDataObject[], void> {
	let reading: ReturnType<NonNullable<RequestOptions['credential']>> | undefined;
	const credential = async () =>
		await (reading ??= context.getCredentials(CREDENTIAL_TYPE).catch((error: unknown) => {
			reading = undefined;
			throw error;
		}));
	const fetch = async (page: number, size: number) =>
		await fetchRecords(context, gate, list, { ...call, credential, qs: list.page?.(page, size) });
	return paginate(fetch, options);
}

/**
 * Reads a list, or one page of it, with one request.
 *
 * @throws Failure where the answer holds no such list
 */
export async function fetchRecords(
	context: RequestContext,
	gate: RateLimiter,
	{ url, property }: ListEndpoint,
	call: Partial<RequestOptions> = {},
): Promise<IDataObject[]> {
	const request: RequestOptions = { method: 'GET', url, timeout: LIST_TIMEOUT_MS, ...call };
	return await requestWithRetry(context, gate, request, async (answer) =>
		getRecords(answer, await readJson(answer), property),
	);
}

function getRecords({ status }: HttpResponse, body: unknown, property: string): IDataObject[] {
	const records = isObject(body) ? body[property] : body;
	if (records === null || (records === undefined && !isObject(body))) return [];
	if (Array.isArray(records)) return records.map(toRecord);
	throw new RequestError({
		message: `The answer of the service holds no ${property}`,
		hint: 'Check Base URL in the credential: something other than the service may be answering.',
		status,
	});
}

/**
 * Gathers what comes in pages.
 *
 * @throws Failure where it is more than n8n can take from one node
 */
export async function collect(
	chunks: AsyncIterable<IDataObject[]> | IDataObject[][],
	property: string,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	for await (const chunk of chunks) {
		for (const record of chunk) records.push(record);
		if (records.length > MAX_ITEMS) {
			throw new RequestError({
				message: `There are more than ${MAX_ITEMS.toLocaleString('en')} ${property}, and n8n takes no more from one input item`,
				hint: `Turn Return All off and set Limit to ${MAX_ITEMS.toLocaleString('en')} or less.`,
			});
		}
	}
	return records;
}
