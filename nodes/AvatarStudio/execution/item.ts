import type {
	IDataObject,
	IExecutePaginationFunctions,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import type { Client } from '../client/client';
import { parseUrl } from '../client/parseUrl';
import { toItems } from '../client/response/items';
import {
	createEmptyResponseError,
	getHeader,
	type HttpResponse,
} from '../client/response/response';
import type { Request } from '../client/send';

import { getLastSegment, toFileItem } from './fileItem';

/** One input item on its way through an operation, or one new record of the trigger. */
export interface Item {
	client: Client<IExecutePaginationFunctions | IPollFunctions>;
	/** The validated values of the operation's parameters. */
	parameters: IDataObject;
	/** The operation's request with these values filled in. */
	request: Request;
	/** The requests of an item that stands for several, in place of the one. */
	requests?: Request[];
}

/**
 * Sends the request of an item and converts a response of any shape into items. A response with
 * nothing in it means that a change was made, which is `{ success: true }`. What was created keeps
 * its location, if the service states one.
 *
 * @throws RequestError if a record was requested and nothing came
 */
export async function requestItems({
	client,
	parameters,
	request,
}: Item): Promise<INodeExecutionData[]> {
	const { binaryPropertyName = 'data' } = parameters;
	const isChange = request.method !== 'GET';
	return await client.request(request, async (response) => {
		const items = await toItems(
			response,
			async (file, content) =>
				await toFileItem(client.context, file, content, binaryPropertyName as string, {}),
			isChange,
		);
		if (items.length === 0 && !isChange) throw createEmptyResponseError();
		const created = request.method === 'POST' ? getCreated(response) : undefined;
		if (items.length === 0) return [{ json: created ?? { success: true } }];
		const [first, ...others] = items;
		return others.length > 0 ? items : [{ ...first!, json: { ...created, ...first!.json } }];
	});
}

/** @returns the location of what was created, and the ID it ends with */
function getCreated(response: HttpResponse): IDataObject | undefined {
	const header = getHeader(response, 'location');
	const url = header && parseUrl(header, response.url);
	if (!url) return undefined;
	// A path: an address of the service is no link to a file.
	const isOwn = url.origin === new URL(response.url).origin;
	const location = isOwn ? url.pathname + url.search : url.href;
	return { id: getLastSegment(url.href.replace(/\/$/, '')), location };
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
