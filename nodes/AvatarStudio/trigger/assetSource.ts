import type { IPollFunctions } from 'n8n-workflow';

import { Client } from '../client/client';
import { readRecord } from '../client/response/response';
import { formatErrorText } from '../errors/nodeError';
import { RequestError } from '../errors/requestError';
import { UserError } from '../errors/userError';
import type { ItemExecution } from '../execution/itemExecution';
import { readParameters, type Field } from '../execution/parameters';
import { assetList, createAssetRequest } from '../resources/asset/asset';
import { firstPage, pageSize, toPageOptions } from '../resources/asset/assetFields';
import {
	kinds,
	matchAsset,
	nameContains,
	type AssetFilters,
} from '../resources/asset/assetFilters';
import { downloadAssetFile } from '../resources/asset/download';
import { assertShort } from '../resources/search';
import { buildFilters, buildOptions, optionalOutputFile } from '../resources/sharedFields';

import type { RecordSource } from './recordSource';

const displayOptions = { show: { event: ['assetCreated'] } };

export const assetFilters: Field = {
	...buildFilters([
		{
			...nameContains,
			description:
				'Only trigger on assets with this text in their name, not case-sensitive. A new asset that is renamed to match later counts as well.',
		},
		{
			...kinds,
			description:
				'Only trigger on assets of these types. If the service sends no such type, the file extension decides, and music counts as audio. An asset whose type stays unknown for five polls is emitted with an error.',
		},
	]),
	name: 'assetFilters',
	displayOptions,
};

export const assetOptions: Field = {
	...buildOptions([
		{
			displayName: 'Download File',
			name: 'downloadFile',
			type: 'boolean',
			default: true,
			description: 'Whether to download the file of each new asset',
		},
		firstPage,
		{
			displayName: 'Newest First',
			name: 'newestFirst',
			type: 'boolean',
			default: false,
			description:
				'Whether the service lists the newest assets first. A poll then stops at the first page without a new asset, and reads the whole list only once an hour.',
		},
		pageSize,
		{ ...optionalOutputFile, displayOptions: { show: { downloadFile: [true] } } },
	]),
	name: 'assetOptions',
	displayOptions,
};

const FILE_TIMEOUT_MS = 60_000;

const UNKNOWN_TYPE = new UserError(
	'The type of the asset is not known',
	'The service states none, and no extension stands for one.',
);

/** Assets, as the trigger's parameters select them. */
export function createAssetSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [assetFilters, assetOptions]);
	const { kinds: wanted = [], nameContains: text = '' } = values as AssetFilters;
	assertShort(text);
	const newestFirst = values.newestFirst === true;
	const client = Client.forPoll(context);
	return {
		recordsName: assetList.property,
		idField: 'id',
		newestFirst,
		filters: { kinds: [...wanted].sort(), nameContains: text },
		fetchPages: (prefetch) =>
			client.pages(assetList, {
				...toPageOptions(values),
				prefetch,
				// The whole list is read again by the next poll, but not behind what it knows.
				acceptsGaps: !newestFirst,
			}),
		findFilterError: () => undefined,
		match: (asset) => matchAsset(asset, values),
		toItem: async (listed, isLastAttempt) => {
			const createItem = (): ItemExecution => {
				const request = createAssetRequest(listed, { timeout: FILE_TIMEOUT_MS });
				return { client, parameters: values, request };
			};
			const json = { ...listed };
			if (matchAsset(json, values) === 'unknown') {
				try {
					Object.assign(json, await client.request(createItem().request, readRecord));
					if (matchAsset(json, values) === 'unknown') throw UNKNOWN_TYPE;
				} catch (error) {
					json.error = formatOrRethrow(error, isLastAttempt);
				}
				if (matchAsset(json, values) === 'excluded') return undefined;
			}
			if (!values.downloadFile) return { json };
			try {
				const file = await downloadAssetFile(createItem());
				return { json: { ...json, ...file.json }, binary: file.binary };
			} catch (error) {
				return { json: { ...json, fileError: formatOrRethrow(error, isLastAttempt) } };
			}
		},
	};
}

/**
 * What is not there yet may come: only a refusal (4xx other than 404 and 429) is final, but for one
 * of the key (401): if that is revoked during a poll, the next ones fail until it is replaced.
 *
 * @returns the text for the item
 * @throws the error if a later poll may succeed, and always if n8n cannot store files: then it is
 *   not the record that is to blame
 */
function formatOrRethrow(error: unknown, isLastAttempt: boolean): string {
	if (!(error instanceof UserError) || error.code === 'storage') throw error;
	const { isTransient, status = 0 } = error instanceof RequestError ? error.details : {};
	const isRefused = status >= 400 && status < 500 && ![401, 404].includes(status) && !isTransient;
	if (!isRefused && !isLastAttempt) throw error;
	return formatErrorText(error);
}
