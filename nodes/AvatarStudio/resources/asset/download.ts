import { outputFile } from '../fields';
import { operation } from '../operation';

import { assetId } from './assetId';
import { downloadAssetFile } from './downloadAssetFile';

export const download = operation({
	name: 'Download',
	value: 'download',
	action: 'Download asset',
	description: "Download an asset's file and its details",
	route: 'GET /v1/assets/{assetId}',
	fields: [assetId, outputFile],
	execute: async (item) => [
		await downloadAssetFile(item, item.parameters.binaryPropertyName as string),
	],
});
