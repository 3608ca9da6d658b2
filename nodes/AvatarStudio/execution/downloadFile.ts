import type { IBinaryKeyData } from 'n8n-workflow';

import {
	getHeader,
	getMediaType,
	isJson,
	isWebPage,
	readExplanation,
	type HttpResponse,
} from '../client/response/response';
import { extractErrorMessage } from '../client/response/serviceMessage';
import { RequestError, type ErrorDetails } from '../errors/userError';
import { shorten } from '../errors/values';

import { toFileItem, type FileNameHints } from './fileItem';
import type { Item } from './item';

const DOWNLOAD_TIMEOUT_MS = 300_000;

/** What is known of a file before it is downloaded. */
interface FileHints extends FileNameHints {
	/** The record's media type, if it has one. */
	type?: unknown;
	/** Whether it is audio or a video, and no text will do. */
	isMedia?: boolean;
}

/**
 * Streams the file behind a link to n8n's binary storage. The link's host is not the service's, so
 * the request carries no API key.
 *
 * @param property name of the item's field for the file
 * @throws RequestError if there is no file behind the link, perhaps not yet; UserError if the link
 *   leads to a private host
 */
export async function downloadFile(
	{ client, request }: Item,
	url: string,
	property: string,
	hints: FileHints = {},
): Promise<IBinaryKeyData | undefined> {
	const download = {
		method: 'GET' as const,
		url,
		withoutKey: true,
		// A compressed file that is cut short looks complete, and a small one may fill the disk.
		headers: { accept: '*/*', 'accept-encoding': 'identity' },
		timeout: request.timeout ?? DOWNLOAD_TIMEOUT_MS,
	};
	const read = async (response: HttpResponse) => {
		await assertFile(response, hints);
		// n8n decompresses what is compressed all the same, and drops the header that says so.
		const maxBytes = Number(getHeader(response, 'content-length') ?? Infinity);
		const file = { ...response, maxBytes };
		const nameHints = { ...hints, link: url };
		const item = await toFileItem(client.context, file, undefined, property, nameHints);
		// n8n states the size as text.
		if (item.json.fileSize === '0 B') throw createNoFileError('The file is empty');
		return item.binary;
	};
	return await client.request(download, read).catch((error: unknown) => {
		throw error instanceof RequestError ? createDownloadError(error, url) : error;
	});
}

/**
 * The file is sent as a whole: a web page is a sign-in form, and a page, JSON, text in the place of
 * a video, or an empty response may say that the file is not ready. An asset may be a page or JSON.
 */
async function assertFile(
	response: HttpResponse,
	{ isMedia, type, extension, name }: FileHints,
): Promise<void> {
	const isPage = isWebPage(response);
	const isText =
		isPage || isJson(response) || (isMedia && getMediaType(response).startsWith('text/'));
	const pattern = isPage ? /html?$/i : /json$/i;
	const isExpected = [type, extension, name].some((it) => pattern.test(String(it)));
	if (response.status === 200 && (!isText || isExpected)) return;
	throw createNoFileError(`The response is ${isPage ? 'a web page instead of' : 'not'} a file`, {
		status: response.status,
		serviceMessage: extractErrorMessage(await readExplanation(response)),
	});
}

function createNoFileError(
	summary: string,
	details: Partial<ErrorDetails> = { status: 200 },
): RequestError {
	return new RequestError(summary, '', { ...details, code: 'noFile' });
}

/** The general texts are about the service; the file comes from another host. */
function createDownloadError(error: RequestError, url: string): RequestError {
	const { status = 0 } = error.details;
	const reason = status < 300 ? `. ${error.summary}` : '';
	return error.with({
		summary: `The file could not be downloaded from ${shorten(new URL(url).host)}${reason}`,
		hint: 'It may not be ready yet. If this keeps happening, check that n8n can reach that host.',
	});
}
