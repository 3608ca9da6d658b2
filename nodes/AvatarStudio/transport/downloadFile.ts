import type { IBinaryKeyData } from 'n8n-workflow';

import { sendItemRequest, type Item } from './item';
import { toFileItem, type FileNameHints } from './response/file';
import {
	isWebPage,
	readBytes,
	describeUnexpectedResponse,
	type HttpResponse,
} from './response/response';

const DOWNLOAD_TIMEOUT_MS = 300_000;
const MAX_PAGE_BYTES = 64 * 1024;

/**
 * Streams the file behind a link to n8n's binary storage. The link's host is not the service's, so
 * the request carries no API key.
 *
 * @param property name of the item's field for the file
 * @throws RequestError if there is no file behind the link
 */
export async function downloadFile(
	item: Item,
	url: string,
	property: string,
	hints: FileNameHints = {},
): Promise<IBinaryKeyData | undefined> {
	const { binary } = await sendItemRequest(
		item,
		async (response) => {
			await assertNotWebPage(response);
			const allHints = { ...hints, link: url };
			return await toFileItem(item.context, response, undefined, property, allHints);
		},
		{
			method: 'GET',
			url,
			qs: undefined,
			body: undefined,
			skipAuthentication: true,
			headers: { accept: '*/*' },
			timeout: item.request.timeout ?? DOWNLOAD_TIMEOUT_MS,
		},
	);
	return binary;
}

/** The file is a media file, so a page is a sign-in form, or explains why the file is not there. */
async function assertNotWebPage(response: HttpResponse): Promise<void> {
	if (!isWebPage(response)) return;
	const page = (await readBytes(response, MAX_PAGE_BYTES)).toString();
	throw describeUnexpectedResponse(response, page);
}
