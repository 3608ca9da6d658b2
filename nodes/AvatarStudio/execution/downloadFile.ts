import type { IBinaryKeyData } from 'n8n-workflow';

import type { HttpResponse } from '../client/response/body';
import { getContentKind, getHeader, getMediaType, readFailure } from '../client/response/response';
import { shorten } from '../errors/formatText';
import { RequestError } from '../errors/userError';

import { getLastSegment, toFileItem } from './fileItem';
import type { Item } from './nodeRun';

const DOWNLOAD_TIMEOUT_MS = 300_000;

/**
 * Streams the file behind a link to n8n's binary storage, without sending the API key.
 *
 * @param names of the file, before the one in the link: see `toFileItem`
 * @throws RequestError if there is no file behind the link, perhaps not yet; UserError if it leads
 *   to a private host, or cannot be stored
 */
export async function downloadFile(
	item: Item,
	url: string,
	names: string[] = [],
): Promise<IBinaryKeyData> {
	const download = {
		method: 'GET' as const,
		url,
		isDownload: true,
		// A compressed file that is cut short looks complete, and a small one may fill the disk.
		headers: { accept: '*/*', 'accept-encoding': 'identity' },
		timeout: item.request.timeout ?? DOWNLOAD_TIMEOUT_MS,
		maxWaitMs: item.request.maxWaitMs,
	};
	const read = async (response: HttpResponse) =>
		await storeFile(item, response, [...names, getLastSegment(url)]);
	return await item.client.request(download, read).catch((error: unknown) => {
		if (!(error instanceof RequestError)) throw error;
		// The general texts are about the service; the file comes from another host.
		const reason = (error.details.status ?? 0) < 300 ? `. ${error.summary}` : '';
		throw error.with({
			summary: `The file could not be downloaded from ${shorten(new URL(url).host)}${reason}`,
			hint: 'It may not be ready yet. If this keeps happening, check that n8n can reach that host.',
		});
	});
}

/** A page may be a sign-in form, and a page, JSON or nothing may say that the file is not ready. */
async function storeFile(item: Item, response: HttpResponse, names: string[]) {
	const { status } = response;
	const kind = getContentKind(response);
	// Of what was created, a text is none either, unless the user names its link.
	const isCreation = item.state !== undefined && !item.parameters.linkField;
	const isText = kind === 'json' || (isCreation && getMediaType(response).startsWith('text/'));
	if (status !== 200 || kind === 'page' || isText) {
		const summary = `The response is ${kind === 'page' ? 'a web page instead of' : 'not'} a file`;
		const { serviceMessage } = await readFailure(response);
		throw new RequestError(summary, '', { code: 'noFile', status, serviceMessage });
	}
	// n8n decompresses what is compressed anyway, and drops the header that says so.
	const maxBytes = Number(getHeader(response, 'content-length') ?? Infinity);
	const { binary } = await toFileItem(item, { ...response, maxBytes }, names);
	if (binary) return binary;
	throw new RequestError('The file is empty', '', { code: 'noFile', status });
}
