import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { readRecord } from '../client/response/response';
import { formatErrorText } from '../errors/nodeError';
import { toUserError } from '../errors/userError';
import type { Field } from '../execution/field';
import { FileNames } from '../execution/fileName';
import type { Item } from '../execution/nodeRun';
import { assetList, createAssetRequest } from '../resources/asset/asset';
import { ASSET_FILTERS } from '../resources/asset/assetFilters';
import { downloadAssetFile } from '../resources/asset/download';
import { createSelection, type Selection } from '../resources/filters';
import { buildPageOptions, toPageOptions } from '../resources/paging';
import { buildFilters, buildOptions, optionalOutputFile } from '../resources/sharedFields';

import { NEW_RECORDS } from './change';
import type { RecordItem, TriggerEvent } from './event';

/** How long to wait for an asset's details and for its file to begin: other assets wait meanwhile. */
const FILE_TIMEOUT_MS = 60_000;

const downloadFile: Field = {
	displayName: 'Download File',
	name: 'downloadFile',
	type: 'boolean',
	default: true,
	description: 'Whether to download the file of each new asset',
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
		buildFilters(ASSET_FILTERS),
		buildOptions([downloadFile, ...buildPageOptions(assetList), outputFile]),
	],
	createSource: (client, parameters) => {
		const fileNames = new FileNames();
		const selection = createSelection(ASSET_FILTERS, parameters);
		return {
			list: assetList,
			idField: 'id',
			pageOptions: toPageOptions(parameters),
			change: NEW_RECORDS,
			toItem: async (listed) => {
				const selected = await selectAsset(client, selection, listed);
				if (!selected) return undefined;
				const { details, ...item } = selected;
				if (item.failure || !parameters.downloadFile) return item;
				const nameFile = (wanted: string) => fileNames.reserve(wanted, listed, 'the file');
				return await attachFile({ client, parameters, nameFile }, item.json, details);
			},
		};
	},
};

interface SelectedAsset extends RecordItem {
	/** The asset as its own request returns it, if the filters needed it. */
	details?: IDataObject;
}

/**
 * @returns the asset as listed, or with its details if the filters need them; undefined if the filters
 *   exclude it. One whose details cannot be read is not excluded, because it may match
 */
async function selectAsset(
	client: Client<IPollFunctions>,
	selection: Selection,
	listed: IDataObject,
): Promise<SelectedAsset | undefined> {
	const isSelected = selection.matches(listed);
	if (isSelected !== undefined) return isSelected ? { json: listed } : undefined;
	try {
		const details = await client.request(createAssetRequest(listed, FILE_TIMEOUT_MS), readRecord);
		const json = { ...listed, ...details };
		return selection.matchesDetails(json) ? { json, details } : undefined;
	} catch (thrown) {
		const failure = toUserError(thrown);
		return { json: { ...listed, error: formatErrorText(failure) }, failure };
	}
}

async function attachFile(
	item: Omit<Item, 'request'>,
	asset: IDataObject,
	details?: IDataObject,
): Promise<RecordItem> {
	try {
		const request = createAssetRequest(asset, FILE_TIMEOUT_MS);
		const file = await downloadAssetFile({ ...item, request }, details);
		return { ...file, json: { ...asset, ...file.json } };
	} catch (thrown) {
		const failure = toUserError(thrown);
		return { json: { ...asset, fileError: formatErrorText(failure) }, failure };
	}
}
