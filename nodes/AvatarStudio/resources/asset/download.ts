import { outputFile } from '../fields/outputFile';
import { operation } from '../operation';

import { assetId } from './assetId';
import { downloadAssetFile } from './downloadAssetFile';

export const download = operation({
	name: 'Download',
	value: 'download',
	action: 'Download asset',
	description: 'Get the file of an asset, next to the asset itself',
	route: 'GET /v1/assets/{assetId}',
	fields: [assetId, outputFile],
	execute: async (item) => [
		await downloadAssetFile(item, item.parameters.binaryPropertyName as string),
	],
});
