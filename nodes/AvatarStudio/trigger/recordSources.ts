import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Client } from '../client/client';
import { fetchPages } from '../client/list';
import { readRecord } from '../client/response/response';
import { formatErrorText } from '../errors/nodeError';
import { UserError } from '../errors/userError';
import type { Item } from '../execution/item';
import { readParameters } from '../execution/parameters';
import { assetList, createAssetRequest } from '../resources/asset/asset';
import { toPageOptions } from '../resources/asset/assetFields';
import { matchAsset, type AssetFilters, type Match } from '../resources/asset/assetFilters';
import { downloadAssetFile } from '../resources/asset/download';
import { assertShort } from '../resources/search';
import { simplifyVoice, voiceList } from '../resources/voice/voice';
import { createVoiceFilter, findFilterError } from '../resources/voice/voiceFilters';

import { assetFilters, assetOptions, event, simplify, voiceFilters } from './triggerFields';

/** How the trigger reads, selects and emits the records of an event. */
export interface RecordSource {
	/** What messages call the records. */
	recordsName: string;
	idField: string;
	/** Whether the service lists the newest first, as the user states. */
	newestFirst: boolean;
	/** The filters as the workflow stores them. */
	filters: IDataObject;
	/**
	 * Reads the list page by page.
	 *
	 * @param prefetch number of pages to request at a time; 4 by default
	 */
	fetchPages: (prefetch?: number) => AsyncIterable<IDataObject[]>;
	/** What is wrong with the filters if no record of a list without pages can match them. */
	findFilterError: (records: IDataObject[]) => UserError | undefined;
	/** Compares a listed record with the filters. */
	match: (record: IDataObject) => Match;
	/**
	 * Builds the item of a new record that the filters do not exclude. What cannot be read of it is
	 * described in the item, as `error` or `fileError`.
	 *
	 * @param isLastAttempt whether to do so as well with what a later poll may be able to read
	 * @returns undefined if the record proves to be excluded
	 * @throws UserError if a later poll may be able to read more
	 */
	toItem: (record: IDataObject, isLastAttempt: boolean) => Promise<INodeExecutionData | undefined>;
}

const FILE_TIMEOUT_MS = 60_000;

const UNKNOWN_TYPE = new UserError(
	'The type of the asset is not known',
	'The service states none, and no extension stands for one.',
);

/** Assets, as the trigger's parameters select them. */
export function createAssetSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [event, assetFilters, assetOptions]);
	assertShort((values as AssetFilters).nameContains ?? '');
	const newestFirst = values.newestFirst === true;
	const client = Client.forPoll(context);
	return {
		recordsName: assetList.property,
		idField: 'id',
		newestFirst,
		filters: context.getNode().parameters[assetFilters.name] as IDataObject,
		fetchPages: (prefetch) => fetchPages(client, assetList, { ...toPageOptions(values), prefetch }),
		findFilterError: () => undefined,
		match: (asset) => matchAsset(asset, values),
		toItem: async (listed, isLastAttempt) => {
			const buildItem = (): Item => {
				const request = createAssetRequest(listed, { timeout: FILE_TIMEOUT_MS });
				return { client, parameters: values, request };
			};
			const json = { ...listed };
			let result = matchAsset(json, values);
			if (result === 'unknown') {
				try {
					Object.assign(json, await client.request(buildItem().request, readRecord));
					result = matchAsset(json, values, true);
					if (result === 'unknown') throw UNKNOWN_TYPE;
				} catch (error) {
					json.error = formatOrRethrow(error, isLastAttempt);
				}
				if (result === 'excluded') return undefined;
			}
			if (!values.downloadFile) return { json };
			try {
				const file = await downloadAssetFile(buildItem());
				return { json: { ...json, ...file.json }, binary: file.binary };
			} catch (error) {
				return { json: { ...json, fileError: formatOrRethrow(error, isLastAttempt) } };
			}
		},
	};
}

/** Voices, as the trigger's parameters select them. */
export function createVoiceSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [event, voiceFilters, simplify]);
	const filters = { languageCode: values.languageCode as string | undefined };
	const matchesFilters = createVoiceFilter(filters);
	const client = Client.forPoll(context);
	return {
		recordsName: voiceList.property,
		idField: 'voiceId',
		newestFirst: false,
		filters: context.getNode().parameters[voiceFilters.name] as IDataObject,
		fetchPages: () => fetchPages(client, voiceList),
		findFilterError: (voices) => findFilterError(voices, filters),
		match: (voice) => (matchesFilters(voice) ? 'matching' : 'excluded'),
		toItem: async (voice) =>
			await Promise.resolve({ json: values.simplify === false ? voice : simplifyVoice(voice) }),
	};
}

/**
 * What is not there yet may come: only a rejection (4xx other than 404 and 429) is final, but for one
 * of the key (401), which fails the next polls until it is replaced, or of a firewall.
 *
 * @returns the text for the item
 * @throws the error if a later poll may succeed, and always if n8n cannot store files: then it is
 *   not the record that is to blame
 */
function formatOrRethrow(error: unknown, isLastAttempt: boolean): string {
	if (!(error instanceof UserError) || error.code === 'storage') throw error;
	const { code, isTransient, status = 0 } = error.details;
	const mayPass = isTransient || code === 'firewall' || [401, 404].includes(status);
	const isRejected = status >= 400 && status < 500 && !mayPass;
	if (!isRejected && !isLastAttempt) throw error;
	return formatErrorText(error);
}
