import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { assetList } from '../resources/asset/assetList';
import { toPageOptions, type PageParameters } from '../resources/asset/pageFields';
import { matchesFilters } from '../resources/voice/voice';
import { voiceList } from '../resources/voice/voiceList';
import { downloaded } from '../transport/download';
import { formatErrorMessage } from '../transport/errors/nodeError';
import { RequestError } from '../transport/errors/requestError';
import { request, type Item } from '../transport/item';
import { fetchPages, fetchRecords } from '../transport/pagination/list';
import { readParameters } from '../transport/parameters';
import { RateLimiter, INTERACTIVE_MAX_WAIT_MS } from '../transport/request/rateLimiter';
import { isObject, readJson } from '../transport/response/response';

import { getAssetKind } from './assetKind';
import { assetFilters, assetOptions, voiceFilters } from './fields';

/** What the trigger does for one kind of record. */
export interface RecordSource {
	/** What a person calls the records. */
	recordsName: string;
	idField: string;
	/** Whether the service lists the newest first, as the person says. */
	newestFirst: boolean;
	/** The list as it comes in. */
	list: () => AsyncIterable<IDataObject[]>;
	/** An item of a new record, or nothing where the person's filters leave it out. */
	toItem: (record: IDataObject) => Promise<INodeExecutionData | undefined>;
}

interface AssetParameters extends PageParameters {
	kinds?: string[];
	nameContains?: string;
	downloadFile?: boolean;
	newestFirst?: boolean;
	binaryPropertyName?: string;
}

const FILE_TIMEOUT_MS = 60_000;

/** Assets, by the fields of the trigger. */
export function createAssetSource(context: IPollFunctions): RecordSource {
	const chosen = readParameters(context, [assetFilters, assetOptions]) as AssetParameters;
	const gate = new RateLimiter(INTERACTIVE_MAX_WAIT_MS);
	return {
		recordsName: assetList.property,
		idField: 'id',
		newestFirst: chosen.newestFirst === true,
		list: () =>
			fetchPages(context, gate, assetList, {
				...toPageOptions(chosen),
				// The rest of the list is read for nothing where the first page tells all.
				prefetch: chosen.newestFirst ? 1 : undefined,
			}),
		toItem: async (listed) => {
			const item = createItem(context, gate, listed);
			const asset = await addKind(item, listed, chosen);
			if (!matchesAssetFilters(asset, chosen)) return undefined;
			return chosen.downloadFile ? await addFile(item, asset, chosen) : { json: asset };
		},
	};
}

/** Voices, by the fields of the trigger. */
export function createVoiceSource(context: IPollFunctions): RecordSource {
	const chosen = readParameters(context, [voiceFilters]);
	const gate = new RateLimiter(INTERACTIVE_MAX_WAIT_MS);
	return {
		recordsName: voiceList.property,
		idField: 'voiceId',
		newestFirst: false,
		list: async function* () {
			yield await fetchRecords(context, gate, voiceList);
		},
		toItem: async (voice) =>
			await Promise.resolve(matchesFilters(voice, chosen) ? { json: voice } : undefined),
	};
}

function createItem(context: IPollFunctions, gate: RateLimiter, { id }: IDataObject): Item {
	const url = `${assetList.url}/${encodeURIComponent(id as string)}`;
	return {
		context,
		rateLimiter: gate,
		values: {},
		call: { method: 'GET', url, timeout: FILE_TIMEOUT_MS },
	};
}

/**
 * The fields of a listed asset are not shown; a single asset has an extension (specification,
 * section 2.1). One that was deleted meanwhile has no kind, and must not hold up the others.
 */
async function addKind(item: Item, listed: IDataObject, { kinds }: AssetParameters) {
	if (!kinds?.length || getAssetKind(listed) !== undefined) return listed;
	const asset = await request(item, readJson).catch((error: unknown) => {
		if (error instanceof RequestError && error.details.status === 404) return undefined;
		throw error;
	});
	return isObject(asset) ? { ...listed, ...asset } : listed;
}

function matchesAssetFilters(
	asset: IDataObject,
	{ kinds, nameContains = '' }: AssetParameters,
): boolean {
	const kind = getAssetKind(asset) ?? '';
	const isMusic = kind === 'audio' && asset.type === undefined;
	const kindFits = !kinds?.length || kinds.includes(kind) || (isMusic && kinds.includes('music'));
	const name = typeof asset.name === 'string' ? asset.name : '';
	return kindFits && name.toLowerCase().includes(nameContains.trim().toLowerCase());
}

/**
 * A file that is not to be had does not keep the record back: the item says so in `fileError`.
 * One that may be had at the next poll does.
 */
async function addFile(
	item: Item,
	asset: IDataObject,
	{ binaryPropertyName = 'data' }: AssetParameters,
): Promise<INodeExecutionData> {
	const lacking = (error: unknown): INodeExecutionData[] => {
		if (!(error instanceof RequestError)) throw error;
		if (error.details.retryable || error.details.isStorageError) throw error;
		return [{ json: { fileError: formatErrorMessage(error) } }];
	};
	const [file] = await downloaded(item, binaryPropertyName).catch(lacking);
	return { json: { ...asset, ...file?.json }, binary: file?.binary };
}
