import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { RequestError } from '../../transport/errors/requestError';
import { HTTP_URL } from '../../transport/formats';
import { sendItemRequest, type Item } from '../../transport/item';
import { isObject } from '../../transport/json';
import { toFileItem } from '../../transport/response/file';
import {
	isWebPage,
	readBytes,
	readJson,
	unexpectedResponse,
	type HttpResponse,
} from '../../transport/response/response';

/** How a host may refuse an expired link; links expire after 43,200 s (`service/openapi.yaml`). */
const EXPIRED_LINK_STATUSES = new Set([400, 401, 403, 404, 410]);

const DOWNLOAD_TIMEOUT_MS = 300_000;
const MAX_PAGE_BYTES = 64 * 1024;

/** The link, not the service, refused. */
class LinkRefusedError extends RequestError {}

/**
 * Reads an asset, then streams the file behind its `url`. The link's host is not the service's, so
 * the request to it carries no API key. If the link has expired, a fresh one is requested once.
 *
 * @param item its request gets the asset
 * @param property name of the item's field for the file
 * @returns the asset as JSON with the file
 * @throws RequestError if there is no link, or no file behind it
 */
export async function downloadAssetFile(item: Item, property: string): Promise<INodeExecutionData> {
	const download = async () => await fetchFile(item, await getAssetWithLink(item), property);
	return await download().catch(async (error: unknown) => {
		if (error instanceof LinkRefusedError) return await download();
		throw error;
	});
}

async function getAssetWithLink(item: Item): Promise<IDataObject & { url: string }> {
	const asset = await sendItemRequest(item, readJson);
	const url = isObject(asset) ? asset.url : undefined;
	if (isObject(asset) && typeof url === 'string' && HTTP_URL.pattern.test(url)) {
		return { ...asset, url };
	}
	throw new RequestError({
		message: 'The service gave no download link for this asset',
		hint: 'Run Asset: Get to see what it gives; the file may still be in preparation.',
	});
}

async function fetchFile(
	item: Item,
	asset: IDataObject & { url: string },
	property: string,
): Promise<INodeExecutionData> {
	const { name, extension, url } = asset;
	const hints = { name: toOptionalText(name), extension: toOptionalText(extension), link: url };
	const { binary } = await sendItemRequest(
		item,
		async (response) => {
			await assertNotWebPage(response);
			return await toFileItem(item.context, response, undefined, property, hints);
		},
		{
			url,
			skipAuthentication: true,
			headers: { accept: '*/*' },
			timeout: item.request.timeout ?? DOWNLOAD_TIMEOUT_MS,
		},
	).catch((error: unknown) => {
		throw error instanceof RequestError ? describeDownloadError(error, url) : error;
	});
	return { json: asset, binary };
}

/** An asset is a media file, so a page is a sign-in form, or explains why the file is not there. */
async function assertNotWebPage(response: HttpResponse): Promise<void> {
	if (!isWebPage(response)) return;
	const page = (await readBytes(response, MAX_PAGE_BYTES)).toString();
	throw unexpectedResponse(response, page);
}

/** The general texts are about the service; the file comes from another host. */
function describeDownloadError(error: RequestError, url: string): RequestError {
	const { isStorageError, status = 0 } = error.details;
	if (isStorageError) return error;
	if (status === 200 || EXPIRED_LINK_STATUSES.has(status)) {
		const outcome = status === 200 ? 'leads to a web page' : 'was refused';
		return new LinkRefusedError({
			...error.details,
			message: `The download link of the asset ${outcome}`,
			hint: 'A fresh link was tried as well. Check in the studio application that the file is there.',
		});
	}
	return error.with({
		message: `The file of the asset did not come from ${new URL(url).host}. ${error.details.message}`,
		hint: 'Try again later; if it goes on, check that the machine n8n runs on reaches that host.',
	});
}

function toOptionalText(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
