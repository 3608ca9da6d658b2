import type { IBinaryKeyData } from 'n8n-workflow';

import { toFileItem, type FileNameHints } from '../client/response/file';
import {
	isJson,
	isWebPage,
	readBeginning,
	redact,
	type HttpResponse,
} from '../client/response/response';
import { extractErrorMessage } from '../client/response/serviceMessage';
import { RequestError } from '../errors/requestError';

import type { ItemExecution } from './itemExecution';

const DOWNLOAD_TIMEOUT_MS = 300_000;
const MAX_PAGE_BYTES = 64 * 1024;

/**
 * Streams the file behind a link to n8n's binary storage. The link's host is not the service's, so
 * the request carries no API key.
 *
 * @param property name of the item's field for the file
 * @throws RequestError if there is no file behind the link, UserError if it leads to a private host
 */
export async function downloadFile(
	{ client, request }: ItemExecution,
	url: string,
	property: string,
	hints: FileNameHints = {},
): Promise<IBinaryKeyData | undefined> {
	const { binary } = await client
		.request(
			{
				method: 'GET',
				url,
				withoutKey: true,
				// A compressed file that is cut short looks complete.
				headers: { accept: '*/*', 'accept-encoding': 'identity' },
				timeout: request.timeout ?? DOWNLOAD_TIMEOUT_MS,
			},
			async (response) => {
				await assertFile(response);
				const allHints = { ...hints, link: url };
				return await toFileItem(client.context, response, undefined, property, allHints);
			},
		)
		.catch((error: unknown) => {
			throw error instanceof RequestError ? createDownloadError(error, url) : error;
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
	const text = (await readBeginning(response, MAX_PAGE_BYTES)).toString();
	throw new RequestError(`The response is ${isPage ? 'a web page instead of' : 'not'} a file`, '', {
		code: 'noFile',
		status: response.status,
		serviceMessage: extractErrorMessage(redact(response, text)),
	});
}

/** The general texts are about the service; the file comes from another host. */
function createDownloadError(error: RequestError, url: string): RequestError {
	const { code, status = 0 } = error.details;
	if (code === 'storage') return error;
	const reason = status < 300 ? `. ${error.summary}` : '';
	return error.with({
		summary: `The file could not be downloaded from ${new URL(url).host}${reason}`,
		hint: 'It may not be ready yet. Try again later. If this keeps happening, check that n8n can reach that host.',
	});
}
