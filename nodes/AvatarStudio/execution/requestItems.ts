import type { INodeExecutionData } from 'n8n-workflow';

import type { FileContent } from '../client/response/body';
import {
	createResponseError,
	getHeader,
	toItems,
	type HttpResponse,
} from '../client/response/response';

import { createOnce } from './createOnce';
import { toFileItem } from './fileItem';
import type { Item } from './item';

/**
 * Sends a request of an item, unless it has created something before, and converts a response of any
 * shape into items. A response with nothing in it means that a change was made, which is
 * `{ success: true }`. What was created keeps its location, if the service states one.
 *
 * @param number which of an item's requests
 * @throws RequestError if a record was requested and nothing came
 */
export async function requestItems(item: Item, number = 0): Promise<INodeExecutionData[]> {
	const { client, request } = item;
	const toFile = async (response: HttpResponse, content?: FileContent) =>
		await toFileItem(item, response, content);
	const isChange = request.method !== 'GET';
	const read = async (response: HttpResponse) => {
		const items = await toItems(response, toFile, isChange);
		const [only] = items;
		if (items.length > 1 || (only && !isChange)) return items;
		if (!isChange) throw createResponseError(response, 'The response contains no record');
		// An address of the service is no link to a file.
		const location = getHeader(response, 'location')?.replace(new URL(response.url).origin, '');
		const json = { ...(location && { location }), ...only?.json };
		return [{ ...only, json: Object.keys(json).length > 0 ? json : { success: true } }];
	};
	return await createOnce(item, number, async () => await client.request(request, read));
}

/** Shows the requests of an item in a dry run, without the API key, instead of sending them. */
export async function showRequests({
	client,
	request,
	requests = [request],
}: Item): Promise<INodeExecutionData[]> {
	const baseUrl = await client.getBaseUrl();
	return requests.map(({ method, url, body }) => ({
		json: { dryRun: true, request: { method, url: `${baseUrl}${url}`, body } },
	}));
}
