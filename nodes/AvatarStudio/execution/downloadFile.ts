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
import { RequestError } from '../errors/userError';
import { shorten } from '../errors/values';

import { toFileItem, type FileHints } from './fileItem';
import type { Item } from './item';

const DOWNLOAD_TIMEOUT_MS = 300_000;

interface LinkHints extends FileHints {
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
	hints: LinkHints = {},
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
		const item = await toFileItem(client.context, file, undefined, property, {
			...hints,
			link: url,
		});
		// n8n states the size as text.
		if (item.json.fileSize !== '0 B') return item.binary;
		throw new RequestError('The file is empty', '', { code: 'noFile', status: response.status });
	};
	return await client.request(download, read).catch((error: unknown) => {
		if (!(error instanceof RequestError)) throw error;
		// The general texts are about the service; the file comes from another host.
		const reason = (error.details.status ?? 0) < 300 ? `. ${error.summary}` : '';
		throw error.with({
			summary: `The file could not be downloaded from ${shorten(new URL(url).host)}${reason}`,
			hint: 'It may not be ready yet. If this keeps happening, check that n8n can reach that host.',
		});
	});
}

/**
 * The file is sent as a whole: a web page is a sign-in form, and a page, JSON, text in the place of
 * a video, or an empty response may say that the file is not ready. An asset may be a page or JSON.
 */
async function assertFile(
	response: HttpResponse,
	{ isMedia, type, extension, name }: LinkHints,
): Promise<void> {
	const { status } = response;
	const isPage = isWebPage(response);
	const isText =
		isPage || isJson(response) || (isMedia && getMediaType(response).startsWith('text/'));
	const pattern = isPage ? /html?$/i : /json$/i;
	const isExpected = [type, extension, name].some((it) => pattern.test(String(it)));
	if (status === 200 && (!isText || isExpected)) return;
	const summary = `The response is ${isPage ? 'a web page instead of' : 'not'} a file`;
	const serviceMessage = extractErrorMessage(await readExplanation(response));
	throw new RequestError(summary, '', { code: 'noFile', status, serviceMessage });
}
