import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import type { Client, RequestOptions } from '../client/client';
import { toItems } from '../client/response/items';
import { createEmptyResponseError } from '../client/response/response';

import { toFileItem } from './fileItem';

/** One input item on its way through an operation, or one new record of the trigger. */
export interface ItemExecution {
	client: Client<IExecutePaginationFunctions | IPollFunctions>;
	/** The validated values of the operation's parameters. */
	parameters: IDataObject;
	/** The operation's request with these values filled in. */
	request: RequestOptions;
	/** The requests of an item that stands for several, in place of the one. */
	requests?: RequestOptions[];
}

/**
 * Sends the request of an item and converts a response of any shape into items. A response with
 * nothing in it means that a change was made, which is `{ success: true }`.
 *
 * @throws RequestError if a record was requested and nothing came
 */
export async function requestItems({
	client,
	parameters,
	request,
}: ItemExecution): Promise<INodeExecutionData[]> {
	const { binaryPropertyName = 'data' } = parameters;
	const items = await client.request(
		request,
		async (response) =>
			await toItems(
				response,
				async (file, bytes) =>
					await toFileItem(client.context, file, bytes, binaryPropertyName as string, {}),
			),
	);
	if (items.length > 0) return items;
	if (request.method === 'GET') throw createEmptyResponseError();
	return [{ json: { success: true } }];
}

/** Shows the requests of an item in a dry run, without the API key, instead of sending them. */
export async function showRequests({
	client,
	request,
	requests = [request],
}: ItemExecution): Promise<INodeExecutionData[]> {
	const baseUrl = await client.getBaseUrl();
	return requests.map(({ method, url, body }) => ({
		json: { dryRun: true, request: { method, url: `${baseUrl}${url}`, body } },
	}));
}
