import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { readRecord } from '../client/response/response';
import type { Field } from '../execution/parameters';
import { assetList, createAssetRequest } from '../resources/asset/asset';
import { ASSET_FILTERS } from '../resources/asset/assetFilters';
import { downloadAssetFile } from '../resources/asset/download';
import { createSelection, type Selection } from '../resources/filters';
import { buildPageSize, firstPage, toPageOptions } from '../resources/paging';
import { buildFilters, buildOptions, optionalOutputFile } from '../resources/sharedFields';

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
		buildFilters(ASSET_FILTERS.map(({ field }) => field)),
		buildOptions([downloadFile, firstPage, newestFirst, buildPageSize(assetList), outputFile]),
	],
	createSource: (client, parameters) => {
		const selection = createSelection(ASSET_FILTERS, parameters, client.context.getTimezone());
		return {
			list: assetList,
			idField: 'id',
			pageOptions: toPageOptions(parameters),
			isNewestFirst: parameters.newestFirst === true,
			toItem: async (listed, explain) => {
				const asset = await findSelected(client, selection, listed, explain);
				if (!asset || !parameters.downloadFile) return asset && { json: asset };
				return await attachFile(client, parameters, asset, explain);
			},
		};
	},
};

/**
 * @returns the asset if the filters select it, as listed, or with its details where the list does not
 *   tell. One whose details are refused is emitted with the reason: it may be wanted
 */
async function findSelected(
	client: Client<IPollFunctions>,
	selection: Selection,
	listed: IDataObject,
	explain: Explain,
): Promise<IDataObject | undefined> {
	const isSelected = selection.matches(listed);
	if (isSelected !== undefined) return isSelected ? listed : undefined;
	const readDetails = async () =>
		await client.request(createAssetRequest(listed, FILE_TIMEOUT_MS), readRecord);
	return await readDetails().then(
		(details) => {
			const asset = { ...listed, ...details };
			return selection.matchesDetails(asset) ? asset : undefined;
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
