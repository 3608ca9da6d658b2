import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Client } from '../client/client';
import { encodePathSegment } from '../client/encodePathSegment';
import { formatErrorText } from '../errors/nodeError';
import { RequestError } from '../errors/requestError';
import { UserError } from '../errors/userError';
import type { ItemExecution } from '../execution/itemExecution';
import { readParameters } from '../execution/parameters';
import { assetList } from '../resources/asset/asset';
import {
	fetchDetails,
	matchesAssetFilters,
	needsKind,
	type AssetFilters,
} from '../resources/asset/assetFilters';
import { downloadAssetFile } from '../resources/asset/download';
import { toPageOptions } from '../resources/asset/fields';
import { assertShort } from '../resources/names';
import { simplifyVoice, voiceList } from '../resources/voice/voice';
import {
	createVoiceFilter,
	findFilterError,
	type VoiceFilters,
} from '../resources/voice/voiceFilters';

import { assetFilters, assetOptions, event, simplify, voiceFilters } from './fields';

/** How the trigger reads and emits one kind of record. */
export interface RecordSource {
	/** What messages call the records. */
	recordsName: string;
	idField: string;
	/** Whether the service lists the newest first, as the user states. */
	newestFirst: boolean;
	/** The values of the filters. */
	filters: IDataObject;
	/**
	 * Reads the list page by page.
	 *
	 * @param prefetch number of pages to request at a time; 4 by default
	 */
	fetchPages: (prefetch?: number) => AsyncIterable<IDataObject[]>;
	/** What is wrong with the filters if no record of a list without pages can match them. */
	findFilterError: (records: IDataObject[]) => UserError | undefined;
	/** Whether the record matches the filters, as far as they are about what may change later. */
	mayMatch: (record: IDataObject) => boolean;
	/** Whether the filters need more of the record than the list contains. */
	needsRequest: (record: IDataObject) => boolean;
	/**
	 * Builds the item of a new record. What cannot be read of it is described in the item, as
	 * `error` or `fileError`.
	 *
	 * @param isLastAttempt whether to do so as well with what a later poll may be able to read
	 * @returns undefined if the filters exclude the record
	 * @throws UserError if a later poll may be able to read more
	 */
	toItem: (record: IDataObject, isLastAttempt: boolean) => Promise<INodeExecutionData | undefined>;
}

interface AssetParameters extends AssetFilters {
	downloadFile?: boolean;
	newestFirst?: boolean;
	binaryPropertyName?: string;
}

const FILE_TIMEOUT_MS = 60_000;

/** Assets, as the trigger's parameters select them. */
export function createAssetSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [assetFilters, assetOptions]);
	const parameters = values as AssetParameters;
	const { kinds = [], nameContains = '', newestFirst = false } = parameters;
	assertShort(nameContains);
	const client = Client.forPoll(context);
	const mayMatch = (asset: IDataObject) => matchesAssetFilters(asset, { nameContains });
	const needsRequest = (asset: IDataObject) => needsKind(asset, parameters) && mayMatch(asset);
	return {
		recordsName: assetList.property,
		idField: 'id',
		newestFirst,
		filters: { kinds: [...kinds].sort(), nameContains },
		fetchPages: (prefetch) =>
			client.pages(assetList, {
				...toPageOptions(values),
				prefetch,
				// The whole list is read again by the next poll, but not behind what it knows.
				acceptsGaps: !newestFirst,
			}),
		findFilterError: () => undefined,
		mayMatch,
		needsRequest,
		toItem: async (listed, isLastAttempt) => {
			const getItem = () => createItem(client, listed);
			const asset = needsRequest(listed)
				? await readKind(listed, parameters, isLastAttempt, getItem)
				: listed;
			if (!matchesAssetFilters(asset, parameters)) return undefined;
			if (!parameters.downloadFile) return { json: asset };
			return await readFile(asset, parameters, isLastAttempt, getItem);
		},
	};
}

/** Voices, as the trigger's parameters select them. */
export function createVoiceSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [event, voiceFilters, simplify]);
	const { languageCode } = values as VoiceFilters;
	const matchesFilters = createVoiceFilter(values);
	const client = Client.forPoll(context);
	const toItem = (voice: IDataObject) =>
		matchesFilters(voice)
			? { json: values.simplify === false ? voice : simplifyVoice(voice) }
			: undefined;
	return {
		recordsName: voiceList.property,
		idField: 'voiceId',
		newestFirst: false,
		filters: { languageCode },
		fetchPages: () => client.pages(voiceList),
		findFilterError: (voices) => findFilterError(voices, { languageCode }),
		mayMatch: () => true,
		needsRequest: () => false,
		toItem: async (voice) => await Promise.resolve(toItem(voice)),
	};
}

function createItem(client: ItemExecution['client'], { id }: IDataObject): ItemExecution {
	return {
		client,
		parameters: {},
		request: {
			method: 'GET',
			url: `${assetList.url}/${encodePathSegment(id)}`,
			timeout: FILE_TIMEOUT_MS,
		},
	};
}

/** Reads the details of an asset that show its kind, if they do yet. */
async function readKind(
	listed: IDataObject,
	filters: AssetFilters,
	isLastAttempt: boolean,
	getItem: () => ItemExecution,
): Promise<IDataObject> {
	let asset = listed;
	try {
		asset = await fetchDetails(getItem(), listed, filters);
		if (!needsKind(asset, filters)) return asset;
		throw new UserError(
			'The type of the asset is not known',
			'The service states none, and no extension stands for one.',
		);
	} catch (error) {
		return { ...asset, error: formatOrRethrow(error, isLastAttempt) };
	}
}

async function readFile(
	asset: IDataObject,
	{ binaryPropertyName = 'data' }: AssetParameters,
	isLastAttempt: boolean,
	getItem: () => ItemExecution,
): Promise<INodeExecutionData> {
	try {
		const { json, binary } = await downloadAssetFile(getItem(), binaryPropertyName);
		return { json: { ...asset, ...json }, binary };
	} catch (error) {
		return { json: { ...asset, fileError: formatOrRethrow(error, isLastAttempt) } };
	}
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
