import type { IDataObject, IExecutePaginationFunctions, IPollFunctions } from 'n8n-workflow';

import type { RateLimiter } from './request/rateLimiter';
import { requestWithRetry, type RequestOptions } from './request/requestWithRetry';
import type { HttpResponse } from './response/response';

/** One input item on its way through an operation, or one new record of the trigger's. */
export interface Item {
	context: IExecutePaginationFunctions | IPollFunctions;
	rateLimiter: RateLimiter;
	/** The checked values of the fields that are sent. */
	values: IDataObject;
	/** The operation's own request, filled in. */
	call: RequestOptions;
}

/**
 * Sends the request of an item, or a variation of it.
 *
 * @param read takes what is wanted from the answer: see `exchange`
 */
export async function request<T>(
	{ context, rateLimiter: gate, call }: Item,
	read: (answer: HttpResponse) => Promise<T>,
	changes: Partial<RequestOptions> = {},
): Promise<T> {
	return await requestWithRetry(context, gate, { ...call, ...changes }, read);
}
