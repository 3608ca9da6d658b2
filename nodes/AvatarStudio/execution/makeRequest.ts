import type { INodeExecutionData } from 'n8n-workflow';

import type { Chunks, HttpResponse } from '../client/response/body';
import { toItems } from '../client/response/items';
import { getHeader, readRecord } from '../client/response/response';

import { createOnce } from './createOnce';
import { toFileItem } from './fileItem';
import type { Item } from './nodeRun';

/**
 * Sends a request of an item, unless it has created something before. A GET returns the record that was
 * requested; what responds to a change has any shape, and nothing in it means `{ success: true }`.
 * What was created keeps its location, if the service states one.
 *
 * @param number which of an item's requests
 */
export async function makeRequest(item: Item, number = 0): Promise<INodeExecutionData[]> {
	const { client, request } = item;
	const read = async (response: HttpResponse) => {
		if (request.method === 'GET') return [{ json: await readRecord(response) }];
		const toFile = async (content?: Chunks) => await toFileItem(item, response, [], content);
		const items = await toItems(response, toFile);
		const [only] = items;
		if (items.length > 1) return items;
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
