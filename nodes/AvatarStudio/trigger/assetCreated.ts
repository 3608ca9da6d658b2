import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { readRecord } from '../client/response/response';
import type { Field } from '../execution/parameters';
import { assetList, createAssetRequest } from '../resources/asset/asset';
import { firstPage, pageSize, toPageOptions } from '../resources/asset/assetFields';
import {
	kinds,
	matchAsset,
	nameContains,
	type AssetFilters,
} from '../resources/asset/assetFilters';
import { downloadAssetFile } from '../resources/asset/download';
import { buildFilters, buildOptions, optionalOutputFile } from '../resources/sharedFields';
import { assertShort, toText } from '../resources/texts';

import type { Explain, TriggerEvent } from './event';

/** How long to wait for an asset's details and for its file to begin: other assets wait meanwhile. */
const FILE_TIMEOUT_MS = 60_000;

const downloadFile: Field = {
	displayName: 'Download File',
	name: 'downloadFile',
	type: 'boolean',
	default: true,
	description: 'Whether to download the file of each new asset',
};

const newestFirst: Field = {
	displayName: 'Newest First',
	name: 'newestFirst',
	type: 'boolean',
	default: false,
	description:
		'Whether the service lists the newest assets first. A poll then stops at the first page without a new asset. Turn this on only if that is so: new assets on later pages are not found.',
};

const outputFile: Field = {
	...optionalOutputFile,
	displayOptions: { show: { downloadFile: [true] } },
};

export const assetCreated: TriggerEvent = {
	name: 'New Asset',
	value: 'assetCreated',
	occurrence: 'an asset is added to the account',
	fields: [
		buildFilters([nameContains, kinds]),
		buildOptions([downloadFile, firstPage, newestFirst, pageSize, outputFile]),
	],
	createSource: (client, parameters) => {
		assertShort((parameters as AssetFilters).nameContains ?? '');
		return {
			list: assetList,
			idField: 'id',
			pageOptions: toPageOptions(parameters),
			isNewestFirst: parameters.newestFirst === true,
			toItem: async (listed, explain) => {
				const asset = await findMatch(client, parameters, listed, explain);
				if (!asset || !parameters.downloadFile) return asset && { json: asset };
				return await attachFile(client, parameters, asset, explain);
			},
		};
	},
};

/**
 * @returns the asset if it matches the filters, as listed, or with its details where the list does not
 *   tell; an asset whose details are refused is of unknown type, and such assets are included
 */
async function findMatch(
	client: Client<IPollFunctions>,
	parameters: IDataObject,
	listed: IDataObject,
	explain: Explain,
): Promise<IDataObject | undefined> {
	const isListedMatch = matchAsset(listed, parameters);
	if (isListedMatch !== undefined) return isListedMatch ? listed : undefined;
	const readDetails = async () =>
		await client.request(createAssetRequest(listed, FILE_TIMEOUT_MS), readRecord);
	return await readDetails().then(
		(details) => {
			const asset = { ...listed, ...details };
			const isMatch = matchAsset({ ...asset, name: toText(asset.name) }, parameters);
			return isMatch === false ? undefined : asset;
		},
		(error: unknown) => ({ ...listed, error: explain(error) }),
	);
}

/** @returns an item with the asset's file, or with the reason in `fileError` why there is none */
async function attachFile(
	client: Client<IPollFunctions>,
	parameters: IDataObject,
	asset: IDataObject,
	explain: Explain,
): Promise<INodeExecutionData> {
	const download = async (): Promise<INodeExecutionData> => {
		const request = createAssetRequest(asset, FILE_TIMEOUT_MS);
		return await downloadAssetFile({ client, parameters, request });
	};
	const file = await download().catch((error: unknown) => ({
		json: { fileError: explain(error) },
	}));
	return { ...file, json: { ...asset, ...file.json } };
}
