import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { encodePathSegment } from '../client/encodePathSegment';
import { Caller } from '../client/limiter/caller';
import { fetchPages } from '../client/pagination/list';
import { formatErrorText } from '../errors/nodeError';
import { RequestError } from '../errors/requestError';
import type { Item } from '../execution/item';
import { readParameters } from '../execution/parameters';
import { assetList } from '../resources/asset/asset';
import {
	addKind,
	isNotFound,
	matchesAssetFilters,
	needsKind,
} from '../resources/asset/assetFilters';
import { downloadAssetFile } from '../resources/asset/download';
import { toPageOptions } from '../resources/asset/fields';
import { voiceList } from '../resources/voice/voice';
import { matchesVoiceFilters } from '../resources/voice/voiceFilters';

import { assetFilters, assetOptions, voiceFilters } from './fields';

/** How the trigger reads and emits one kind of record. */
export interface RecordSource {
	/** What messages call the records. */
	recordsName: string;
	idField: string;
	/** Whether the service lists the newest first, as the user states. */
	newestFirst: boolean;
	/** Reads the list page by page. */
	fetchPages: () => AsyncIterable<IDataObject[]>;
	/**
	 * Builds the item of a new record. What cannot be read of it is described in the item, as
	 * `error` or `fileError`.
	 *
	 * @param isLastAttempt whether to do so as well with what a later poll may be able to read
	 * @returns undefined if the filters exclude the record
	 * @throws RequestError with `retryable` or a status of 500 or above, unless it is the last attempt
	 */
	toItem: (record: IDataObject, isLastAttempt: boolean) => Promise<INodeExecutionData | undefined>;
}

interface AssetParameters {
	kinds?: string[];
	nameContains?: string;
	downloadFile?: boolean;
	newestFirst?: boolean;
	binaryPropertyName?: string;
}

const FILE_TIMEOUT_MS = 60_000;

/** Assets, as the trigger's parameters select them. */
export function createAssetSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [assetFilters, assetOptions]);
	const parameters = values as AssetParameters;
	const caller = Caller.forPoll();
	return {
		recordsName: assetList.property,
		idField: 'id',
		newestFirst: parameters.newestFirst === true,
		fetchPages: () =>
			fetchPages(context, caller, assetList, {
				...toPageOptions(values),
				// If the first page is enough, prefetching the rest is wasted.
				prefetch: parameters.newestFirst ? 1 : undefined,
				// The whole list is read again by the next poll, but not behind what it knows.
				acceptsGaps: !parameters.newestFirst,
			}),
		toItem: async (listed, isLastAttempt) => {
			const attempt: AssetAttempt = {
				isLast: isLastAttempt,
				getItem: () => createItem(context, caller, listed),
			};
			const asset = await addKindOrError(listed, parameters, attempt);
			const { nameContains } = parameters;
			const hasUnreadableKind = needsKind(asset, parameters) && asset.error !== undefined;
			const filters = hasUnreadableKind ? { nameContains } : parameters;
			if (!matchesAssetFilters(asset, filters)) return undefined;
			return parameters.downloadFile ? await addFile(asset, parameters, attempt) : { json: asset };
		},
	};
}

/** One attempt to read an asset. */
interface AssetAttempt {
	isLast: boolean;
	/** @throws RequestError if the asset's ID cannot be part of a URL */
	getItem: () => Item;
}

/** Voices, as the trigger's parameters select them. */
export function createVoiceSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [voiceFilters]);
	const caller = Caller.forPoll();
	return {
		recordsName: voiceList.property,
		idField: 'voiceId',
		newestFirst: false,
		fetchPages: () => fetchPages(context, caller, voiceList),
		toItem: async (voice) =>
			await Promise.resolve(matchesVoiceFilters(voice, values) ? { json: voice } : undefined),
	};
}

function createItem(context: IPollFunctions, caller: Caller, { id }: IDataObject): Item {
	return {
		context,
		caller,
		parameters: {},
		request: {
			method: 'GET',
			url: `${assetList.url}/${encodePathSegment(id)}`,
			timeout: FILE_TIMEOUT_MS,
		},
		sharedLists: new Map(),
	};
}

/**
 * An asset whose kind cannot be read passes the filter on kinds, with `error`. One that is not found
 * is either deleted, and missing from the next list, or not yet known to all servers of the service.
 */
async function addKindOrError(
	listed: IDataObject,
	parameters: AssetParameters,
	{ isLast, getItem }: AssetAttempt,
): Promise<IDataObject> {
	if (!needsKind(listed, parameters)) return listed;
	try {
		return await addKind(getItem(), listed, parameters);
	} catch (error) {
		return { ...listed, error: formatOrRethrow(error, isLast, isNotFound(error)) };
	}
}

async function addFile(
	asset: IDataObject,
	{ binaryPropertyName = 'data' }: AssetParameters,
	{ isLast, getItem }: AssetAttempt,
): Promise<INodeExecutionData> {
	try {
		const { json, binary } = await downloadAssetFile(getItem(), binaryPropertyName);
		return { json: { ...asset, ...json }, binary };
	} catch (error) {
		return { json: { ...asset, fileError: formatOrRethrow(error, isLast) } };
	}
}

/**
 * @param mayAppear whether what was not found may be there later
 * @returns the text for the item
 * @throws the error if a later poll may succeed, and always if n8n cannot store files: then it is
 *   not the record that is to blame
 */
function formatOrRethrow(error: unknown, isLastAttempt: boolean, mayAppear = false): string {
	if (!(error instanceof RequestError) || error.details.isStorageError) throw error;
	const { retryable, status = 0 } = error.details;
	const mayPass = retryable === true || status >= 500 || mayAppear;
	if (mayPass && !isLastAttempt) throw error;
	return formatErrorText(error);
}
