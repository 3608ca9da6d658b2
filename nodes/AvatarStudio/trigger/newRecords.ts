import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { assetList } from '../resources/asset/assetList';
import { pageOptions, type PageChoice } from '../resources/asset/pageFields';
import { matches } from '../resources/voice/voice';
import { voiceList } from '../resources/voice/voiceList';
import { isObject, jsonOf } from '../transport/answer';
import { downloaded } from '../transport/download';
import { Failure } from '../transport/failure';
import { readFields } from '../transport/fields';
import { Gate, LITTLE_PATIENCE_MS } from '../transport/gate';
import { request, type Item } from '../transport/item';
import { listPages, listRecords } from '../transport/list';
import { failureText } from '../transport/nodeError';

import { assetKind } from './assetKind';
import { assetFilters, assetOptions, voiceFilters } from './fields';

/** What the trigger does for one kind of record. */
export interface Watched {
	/** What a person calls the records. */
	what: string;
	idField: string;
	/** Whether the service lists the newest first, as the person says. */
	newestFirst: boolean;
	/** The list as it comes in. */
	list: () => AsyncIterable<IDataObject[]>;
	/** An item of a new record, or nothing where the person's filters leave it out. */
	itemOf: (record: IDataObject) => Promise<INodeExecutionData | undefined>;
}

interface AssetChoice extends PageChoice {
	kinds?: string[];
	nameContains?: string;
	downloadFile?: boolean;
	newestFirst?: boolean;
	binaryPropertyName?: string;
}

const FILE_TIMEOUT_MS = 60_000;

/** Assets, by the fields of the trigger. */
export function watchedAssets(context: IPollFunctions): Watched {
	const chosen = readFields(context, [assetFilters, assetOptions]) as AssetChoice;
	const gate = new Gate(LITTLE_PATIENCE_MS);
	return {
		what: assetList.property,
		idField: 'id',
		newestFirst: chosen.newestFirst === true,
		list: () =>
			listPages(context, gate, assetList, {
				...pageOptions(chosen),
				// The rest of the list is read for nothing where the first page tells all.
				ahead: chosen.newestFirst ? 1 : undefined,
			}),
		itemOf: async (listed) => {
			const item = itemFor(context, gate, listed);
			const asset = await withKind(item, listed, chosen);
			if (!fits(asset, chosen)) return undefined;
			return chosen.downloadFile ? await withFile(item, asset, chosen) : { json: asset };
		},
	};
}

/** Voices, by the fields of the trigger. */
export function watchedVoices(context: IPollFunctions): Watched {
	const chosen = readFields(context, [voiceFilters]);
	const gate = new Gate(LITTLE_PATIENCE_MS);
	return {
		what: voiceList.property,
		idField: 'voiceId',
		newestFirst: false,
		list: async function* () {
			yield await listRecords(context, gate, voiceList);
		},
		itemOf: async (voice) =>
			await Promise.resolve(matches(voice, chosen) ? { json: voice } : undefined),
	};
}

function itemFor(context: IPollFunctions, gate: Gate, { id }: IDataObject): Item {
	const url = `${assetList.url}/${encodeURIComponent(id as string)}`;
	return { context, gate, values: {}, call: { method: 'GET', url, timeout: FILE_TIMEOUT_MS } };
}

/**
 * The fields of a listed asset are not shown; a single asset has an extension (specification,
 * section 2.1). One that was deleted meanwhile has no kind, and must not hold up the others.
 */
async function withKind(item: Item, listed: IDataObject, { kinds }: AssetChoice) {
	if (!kinds?.length || assetKind(listed) !== undefined) return listed;
	const asset = await request(item, jsonOf).catch((error: unknown) => {
		if (error instanceof Failure && error.details.status === 404) return undefined;
		throw error;
	});
	return isObject(asset) ? { ...listed, ...asset } : listed;
}

function fits(asset: IDataObject, { kinds, nameContains = '' }: AssetChoice): boolean {
	const kind = assetKind(asset) ?? '';
	const isMusic = kind === 'audio' && asset.type === undefined;
	const kindFits = !kinds?.length || kinds.includes(kind) || (isMusic && kinds.includes('music'));
	const name = typeof asset.name === 'string' ? asset.name : '';
	return kindFits && name.toLowerCase().includes(nameContains.trim().toLowerCase());
}

/**
 * A file that is not to be had does not keep the record back: the item says so in `fileError`.
 * One that may be had at the next poll does.
 */
async function withFile(
	item: Item,
	asset: IDataObject,
	{ binaryPropertyName = 'data' }: AssetChoice,
): Promise<INodeExecutionData> {
	const lacking = (error: unknown): INodeExecutionData[] => {
		if (!(error instanceof Failure)) throw error;
		if (error.details.passing || error.details.isStorage) throw error;
		return [{ json: { fileError: failureText(error) } }];
	};
	const [file] = await downloaded(item, binaryPropertyName).catch(lacking);
	return { json: { ...asset, ...file?.json }, binary: file?.binary };
}
