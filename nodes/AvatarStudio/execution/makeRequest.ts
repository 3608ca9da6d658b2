import type { INodeExecutionData } from 'n8n-workflow';

import type { Chunks, HttpResponse } from '../client/response/body';
import { toItems } from '../client/response/items';
import { getContentKind, getHeader, getMediaType, readRecord } from '../client/response/response';
import { RequestError } from '../errors/userError';

import { createOnce } from './createOnce';
import { toFileItem } from './fileItem';
import { getTypeExtension } from './mediaTypes';
import type { Item } from './nodeRun';

/**
 * Makes a request of an item, unless it is a creation that was sent before. A GET returns the record
 * that was requested. The response to a change may have any shape, and becomes one item or several.
 *
 * @param index of the request among those of its item, by which `createOnce` remembers it
 * @throws RequestError, with its outcome
 */
export async function makeRequest(item: Item, index = 0): Promise<INodeExecutionData[]> {
	const { client, request } = item;
	const read = async (response: HttpResponse) => {
		if (request.method === 'GET') return [{ json: await readRecord(response) }];
		return await readChange(item, response, index);
	};
	return await createOnce(item, index, async () => await client.request(request, read));
}

/**
 * @returns the items of a response to a change: `{ success: true }` if there is nothing in it, and with
 *   the `location` of what was created, if the service states one
 */
async function readChange(
	item: Item,
	response: HttpResponse,
	index: number,
): Promise<INodeExecutionData[]> {
	const toFile = async (content: Chunks) =>
		await toFileItem(item, response, [], content, String(index));
	const items = await toItems(response, toFile);
	const [only] = items;
	if (items.length > 1) return items;
	const hasContent = only?.binary !== undefined || Object.keys(only?.json ?? {}).length > 0;
	if (item.creationState && !hasContent) assertNoFileExpected(response);
	// Without its origin, `findFiles` does not take an address of the service for the link to the file.
	const location = getHeader(response, 'location')?.replace(new URL(response.url).origin, '');
	const json = { ...(location && { location }), ...only?.json };
	return [{ ...only, json: Object.keys(json).length > 0 ? json : { success: true } }];
}

/** @throws RequestError if a response to a creation, without content, has the media type of a file */
function assertNoFileExpected(response: HttpResponse): void {
	const { status } = response;
	const isFile =
		getContentKind(response) === 'file' && getTypeExtension(getMediaType(response)) !== '';
	// Other statuses, such as 202 and 204, promise no content.
	if (!isFile || status > 201) return;
	throw new RequestError(
		'The file in the response is empty',
		'A voice that cannot read the language of the script may be the cause.',
		{ code: 'noFile', outcome: 'unknown', status },
	);
}

/** Shows the requests of an item in a dry run, without the API key, instead of sending them. */
export async function showRequests({
	client,
	request,
	requests = [request],
}: Item): Promise<INodeExecutionData[]> {
	const baseUrl = await client.getBaseUrl();
	return requests.map(({ method, url, body }) => ({
		json: { dryRun: true, request: { method, url: `${baseUrl}${url}`, ...(body && { body }) } },
	}));
}
