import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import type { Caller } from '../client/limiter/caller';
import { requestWithRetry } from '../client/requestWithRetry';
import { toFileItem } from '../client/response/file';
import { toItems } from '../client/response/items';
import { describeEmptyResponse, type HttpResponse } from '../client/response/response';
import type { RequestOptions } from '../client/sendRequest';

/** One input item on its way through an operation, or one new record of the trigger. */
export interface Item {
	context: IExecutePaginationFunctions | IPollFunctions;
	caller: Caller;
	/** The validated values of the operation's parameters. */
	parameters: IDataObject;
	/** The operation's request with these values filled in. */
	request: RequestOptions;
	/** The lists that the items of a node run share: see `fetchSharedList`. */
	sharedLists: Map<string, Promise<IDataObject[]>>;
	/** Whether an attempt before n8n's Retry On Fail may have taken effect. */
	earlierAttemptUncertain?: boolean;
}

/**
 * Sends the request of an item, or a variation of it.
 *
 * @param read takes what is needed from the response: see `requestWithRetry`
 */
export async function sendItemRequest<T>(
	{ context, caller, request }: Item,
	read: (response: HttpResponse) => Promise<T>,
	changes: Partial<RequestOptions> = {},
): Promise<T> {
	return await requestWithRetry(context, caller, { ...request, ...changes }, read);
}

/**
 * Sends the request of an item and converts a response of any shape into items. A response with
 * nothing in it means that a change was made, which is `{ success: true }`.
 *
 * @throws RequestError if a record was requested and nothing came
 */
export async function requestItems(item: Item): Promise<INodeExecutionData[]> {
	const items = await sendItemRequest(
		item,
		async (response) =>
			await toItems(response, async (file, bytes) => {
				const { binaryPropertyName = 'data' } = item.parameters;
				return await toFileItem(item.context, file, bytes, binaryPropertyName as string, {});
			}),
	);
	if (items.length > 0) return items;
	if (item.request.method === 'GET') throw describeEmptyResponse();
	return [{ json: { success: true } }];
}
