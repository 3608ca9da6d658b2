import type { IDataObject } from 'n8n-workflow';

import { isObject, jsonOf, MOST_ITEMS, recordOf, type Answer } from './answer';
import { CREDENTIAL, exchange, type Call, type Context } from './exchange';
import { Failure } from './failure';
import type { Gate } from './gate';
import { pages, type PageOptions } from './pages';

/** A list of the service: where in the answer its records are, and how one page is asked for. */
export interface List {
	url: string;
	/** The answer's property that holds the records; it is also what a person calls them. */
	property: string;
	/** The query for one page; a list without it comes whole in one answer. */
	page?: (page: number, size: number) => IDataObject;
}

/** For a picker or a trigger; an operation brings its own. */
const TIMEOUT_MS = 20_000;

/**
 * Reads a list in pages: see `pages` for what that takes. The credential is read once for all of
 * them: n8n would decrypt it anew for each, which was half of a list's CPU time.
 */
export function listPages(
	context: Context,
	gate: Gate,
	list: List,
	options: PageOptions,
	call: Partial<Call> = {},
): AsyncGenerator<IDataObject[], void> {
	let reading: ReturnType<NonNullable<Call['credential']>> | undefined;
	const credential = async () =>
		await (reading ??= context.getCredentials(CREDENTIAL).catch((error: unknown) => {
			reading = undefined;
			throw error;
		}));
	const fetch = async (page: number, size: number) =>
		await listRecords(context, gate, list, { ...call, credential, qs: list.page?.(page, size) });
	return pages(fetch, options);
}

/**
 * Reads a list, or one page of it, with one request.
 *
 * @throws Failure where the answer holds no such list
 */
export async function listRecords(
	context: Context,
	gate: Gate,
	{ url, property }: List,
	call: Partial<Call> = {},
): Promise<IDataObject[]> {
	const request: Call = { method: 'GET', url, timeout: TIMEOUT_MS, ...call };
	return await exchange(context, gate, request, async (answer) =>
		recordsOf(answer, await jsonOf(answer), property),
	);
}

function recordsOf({ status }: Answer, body: unknown, property: string): IDataObject[] {
	const records = isObject(body) ? body[property] : body;
	if (records === null || (records === undefined && !isObject(body))) return [];
	if (Array.isArray(records)) return records.map(recordOf);
	throw new Failure({
		happened: `The answer of the service holds no ${property}`,
		next: 'Check Base URL in the credential: something other than the service may be answering.',
		status,
	});
}

/**
 * Gathers what comes in pages.
 *
 * @throws Failure where it is more than n8n can take from one node
 */
export async function gathered(
	chunks: AsyncIterable<IDataObject[]> | IDataObject[][],
	property: string,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	for await (const chunk of chunks) {
		for (const record of chunk) records.push(record);
		if (records.length > MOST_ITEMS) {
			throw new Failure({
				happened: `There are more than ${MOST_ITEMS.toLocaleString('en')} ${property}, and n8n takes no more from one input item`,
				next: `Turn Return All off and set Limit to ${MOST_ITEMS.toLocaleString('en')} or less.`,
			});
		}
	}
	return records;
}
