import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { readRecord } from '../../client/response/response';
import { UserError } from '../../errors/userError';
import { downloadFile } from '../../execution/downloadFile';
import { toLink } from '../../execution/link';
import type { Item } from '../../execution/nodeRun';
import { operation } from '../operation';
import { outputFile } from '../sharedFields';
import { toText } from '../texts';

import { assetId } from './asset';

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
 * @param item its request gets the asset
 * @param details what that request has returned, if it was made
 * @returns the asset as JSON with the file behind its `url`
 * @throws UserError if there is no link, RequestError if there is no file behind it
 */
export async function downloadAssetFile(
	item: Item,
	details?: IDataObject,
): Promise<INodeExecutionData> {
	const asset = details ?? (await item.client.request(item.request, readRecord));
	const { name, extension, url } = asset;
	const names = [{ text: toText(name), extension: toText(extension) }];
	const link = toLink(url);
	if (link === undefined) {
		throw new UserError(
			'The service returned no download link for this asset',
			'The file may not be ready yet. Use Asset: Get to see what the service returns.',
			{ code: 'noFile' },
		);
	}
	return { json: asset, binary: await downloadFile(item, link, names) };
}
