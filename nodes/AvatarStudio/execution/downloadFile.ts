import type { IBinaryKeyData } from 'n8n-workflow';

import { toFileItem, type FileNameHints } from '../client/response/file';
import { isJson, isWebPage, readBytes, type HttpResponse } from '../client/response/response';
import { extractErrorMessage } from '../errors/extractErrorMessage';
import { RequestError, toRequestError } from '../errors/requestError';

import { sendItemRequest, type Item } from './item';

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
			await assertFile(response);
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
	).catch((error: unknown) => {
		throw describeDownloadError(toRequestError(error), url);
	});
	return binary;
}

/**
 * The file is a media file, sent as a whole: a web page is a sign-in form, and a page, JSON or an
 * empty response may say that the file is not ready.
 */
async function assertFile(response: HttpResponse): Promise<void> {
	const isPage = isWebPage(response);
	if (response.status === 200 && !isPage && !isJson(response)) return;
	const text = (await readBytes(response, MAX_PAGE_BYTES)).toString();
	throw new RequestError(`The response is ${isPage ? 'a web page instead of' : 'not'} a file`, '', {
		status: response.status,
		serviceMessage: extractErrorMessage(text),
	});
}

/** The general texts are about the service; the file comes from another host. */
function describeDownloadError(error: RequestError, url: string): RequestError {
	const { isStorageError, status = 0, message } = error.details;
	if (isStorageError) return error;
	const reason = status < 300 ? `. ${message}` : '';
	return error.with({
		message: `The file could not be downloaded from ${new URL(url).host}${reason}`,
		hint: 'It may not be ready yet. Try again later. If this keeps happening, check that n8n can reach that host.',
	});
}
