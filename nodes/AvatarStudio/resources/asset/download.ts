import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { readRecord } from '../../client/response/response';
import { RequestError, UserError } from '../../errors/userError';
import { downloadFile } from '../../execution/downloadFile';
import { isHttpUrl } from '../../execution/formats';
import type { Item } from '../../execution/item';
import { operation } from '../operation';
import { outputFile } from '../sharedFields';
import { toText } from '../texts';

import { assetId } from './assetId';

/** How a host may refuse an expired link; links expire after 43,200 s (`service/openapi.yaml`). */
const EXPIRED_LINK_STATUSES = new Set([400, 401, 403, 404, 410]);

export const download = operation({
	name: 'Download',
	value: 'download',
	action: 'Download asset',
	description: "Download an asset's file and its details",
	route: 'GET /v1/assets/{assetId}',
	fields: [assetId, outputFile],
	execute: async (item) => [await downloadAssetFile(item)],
});

/**
 * Reads an asset, then streams the file behind its `url`. The link's host is not the service's, so
 * the request to it carries no API key. If the link has expired, a fresh one is requested once.
 *
 * @param item its request gets the asset
 * @returns the asset as JSON with the file
 * @throws RequestError if there is no link, or no file behind it
 */
export async function downloadAssetFile(item: Item): Promise<INodeExecutionData> {
	const asset = await item.client.request(item.request, readRecord);
	return await attachFile(item, asset).catch(async (error: unknown) => {
		if (!isOfLink(error)) throw error;
		const again = await item.client.request(item.request, readRecord);
		return await attachFile(item, again).catch((second: unknown) => {
			if (!isOfLink(second)) throw second;
			const isRejected = EXPIRED_LINK_STATUSES.has(second.details.status ?? 0);
			throw second.with({
				...(isRejected && { summary: 'The download link of the asset was rejected' }),
				hint: 'A fresh link did not work either. Check in the studio application that the file exists.',
			});
		});
	});
}

async function attachFile(item: Item, asset: IDataObject): Promise<INodeExecutionData> {
	const { name, extension, type, url } = asset;
	if (!isHttpUrl(url)) {
		throw new UserError(
			'The service returned no download link for this asset',
			'The file may not be ready yet. Use Asset: Get to see what the service returns.',
			{ code: 'noFile' },
		);
	}
	const hints = { name: toText(name), extension: toText(extension), type };
	const { binaryPropertyName = 'data' } = item.parameters;
	const binary = await downloadFile(item, url, binaryPropertyName as string, hints);
	return { json: asset, binary };
}

/** A fresh link may help if the host rejects this one, or sends something else than the file. */
function isOfLink(error: unknown): error is RequestError {
	if (!(error instanceof RequestError)) return false;
	const { status = 0 } = error.details;
	return EXPIRED_LINK_STATUSES.has(status) || (status >= 200 && status < 300);
}
