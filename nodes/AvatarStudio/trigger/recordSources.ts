import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { addKind, matchesAssetFilters } from '../resources/asset/assetFilters';
import { assetList } from '../resources/asset/assetList';
import { downloadAssetFile } from '../resources/asset/downloadAssetFile';
import { toPageOptions } from '../resources/asset/pageFields';
import { matchesFilters } from '../resources/voice/voice';
import { voiceList } from '../resources/voice/voiceList';
import { formatErrorText } from '../transport/errors/nodeError';
import { RequestError } from '../transport/errors/requestError';
import type { Item } from '../transport/item';
import { fetchPages, fetchRecords } from '../transport/pagination/list';
import { readParameters } from '../transport/parameters';
import { RateLimiter, INTERACTIVE_MAX_WAIT_MS } from '../transport/request/rateLimiter';

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
	/** Builds the item of a new record, or undefined if the filters exclude it. */
	toItem: (record: IDataObject) => Promise<INodeExecutionData | undefined>;
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
	const rateLimiter = new RateLimiter(INTERACTIVE_MAX_WAIT_MS);
	return {
		recordsName: assetList.property,
		idField: 'id',
		newestFirst: parameters.newestFirst === true,
		fetchPages: () =>
			fetchPages(context, rateLimiter, assetList, {
				...toPageOptions(values),
				// If the first page is enough, prefetching the rest is wasted.
				prefetch: parameters.newestFirst ? 1 : undefined,
			}),
		toItem: async (listed) => {
			const item = createItem(context, rateLimiter, listed);
			const asset = await addKind(item, listed, parameters);
			if (!matchesAssetFilters(asset, parameters)) return undefined;
			return parameters.downloadFile ? await addFile(item, asset, parameters) : { json: asset };
		},
	};
}

/** Voices, as the trigger's parameters select them. */
export function createVoiceSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [voiceFilters]);
	const rateLimiter = new RateLimiter(INTERACTIVE_MAX_WAIT_MS);
	return {
		recordsName: voiceList.property,
		idField: 'voiceId',
		newestFirst: false,
		fetchPages: async function* () {
			yield await fetchRecords(context, rateLimiter, voiceList);
		},
		toItem: async (voice) =>
			await Promise.resolve(matchesFilters(voice, values) ? { json: voice } : undefined),
	};
}

function createItem(context: IPollFunctions, rateLimiter: RateLimiter, { id }: IDataObject): Item {
	const url = `${assetList.url}/${encodeURIComponent(id as string)}`;
	return {
		context,
		rateLimiter,
		parameters: {},
		request: { method: 'GET', url, timeout: FILE_TIMEOUT_MS },
		shared: new Map(),
	};
}

/**
 * A file that cannot be downloaded does not hold the record back: the item says so in `fileError`.
 * A file that may be downloaded at the next poll does.
 */
async function addFile(
	item: Item,
	asset: IDataObject,
	{ binaryPropertyName = 'data' }: AssetParameters,
): Promise<INodeExecutionData> {
	const { json, binary } = await downloadAssetFile(item, binaryPropertyName).catch(
		(error: unknown): INodeExecutionData => {
			if (!(error instanceof RequestError)) throw error;
			if (error.details.retryable || error.details.isStorageError) throw error;
			return { json: { fileError: formatErrorText(error) } };
		},
	);
	return { json: { ...asset, ...json }, binary };
}
