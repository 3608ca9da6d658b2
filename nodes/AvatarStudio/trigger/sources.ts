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
import { matchAsset, type AssetFilters } from '../resources/asset/assetFilters';
import { downloadAssetFile } from '../resources/asset/download';
import { assertShort } from '../resources/texts';
import { simplifyVoice, voiceList } from '../resources/voice/voice';
import { createVoiceFilter } from '../resources/voice/voiceFilters';

import { assetFilters, assetOptions, event, simplify, voiceFilters } from './fields';

/** How the trigger reads, selects and emits the records of an event. */
export interface RecordSource {
	/** What messages call the records. */
	recordsName: string;
	idField: string;
	/** Whether the service lists the newest first, as the user states. */
	newestFirst: boolean;
	/** The filters as the workflow stores them. */
	filters: IDataObject;
	fetchPages: () => AsyncIterable<IDataObject[]>;
	/**
	 * Builds the item of a record, undefined if the filters exclude it. What the service refuses for
	 * good is described in it, as `error` or `fileError`.
	 *
	 * @param isTest whether everything else is as well, because no later poll tries again
	 * @throws UserError if the next poll has to try again
	 */
	toItem: (record: IDataObject, isTest?: boolean) => Promise<INodeExecutionData | undefined>;
}

const FILE_TIMEOUT_MS = 60_000;

export function createSource(context: IPollFunctions): RecordSource {
	const isAssetEvent = context.getNodeParameter('event') === 'assetCreated';
	return isAssetEvent ? createAssetSource(context) : createVoiceSource(context);
}

function createAssetSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [event, assetFilters, assetOptions]);
	assertShort((values as AssetFilters).nameContains ?? '');
	const client = Client.forPoll(context);
	return {
		recordsName: assetList.property,
		idField: 'id',
		newestFirst: values.newestFirst === true,
		filters: context.getNode().parameters[assetFilters.name] as IDataObject,
		fetchPages: () => fetchPages(client, assetList, toPageOptions(values)),
		toItem: async (listed, isTest) => {
			const buildItem = (): Item => {
				const request = createAssetRequest(listed, { timeout: FILE_TIMEOUT_MS });
				return { client, parameters: values, request };
			};
			const json = { ...listed };
			let match = matchAsset(json, values);
			if (match === 'unknown') {
				try {
					Object.assign(json, await client.request(buildItem().request, readRecord));
					match = matchAsset(json, values, true);
				} catch (error) {
					json.error = formatOrRethrow(error, isTest);
				}
			}
			if (match === 'excluded') return undefined;
			if (!values.downloadFile) return { json };
			try {
				const file = await downloadAssetFile(buildItem());
				return { json: { ...json, ...file.json }, binary: file.binary };
			} catch (error) {
				return { json: { ...json, fileError: formatOrRethrow(error, isTest) } };
			}
		},
	};
}

function createVoiceSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [event, voiceFilters, simplify]);
	const matches = createVoiceFilter(values);
	const client = Client.forPoll(context);
	return {
		recordsName: voiceList.property,
		idField: 'voiceId',
		newestFirst: false,
		filters: context.getNode().parameters[voiceFilters.name] as IDataObject,
		fetchPages: () => fetchPages(client, voiceList),
		toItem: async (voice) => {
			const json = values.simplify === false ? voice : simplifyVoice(voice);
			return await Promise.resolve(matches(voice) ? { json } : undefined);
		},
	};
}

/**
 * A key that is replaced (401), what is not there yet (404) and a firewall may pass.
 *
 * @returns the text for the item of what the service refuses for good
 * @throws the error if the next poll may succeed, or if n8n cannot store files
 */
function formatOrRethrow(error: unknown, isTest = false): string {
	if (!(error instanceof UserError) || error.code === 'storage') throw error;
	const { code, isTransient, status = 0 } = error.details;
	const mayPass = isTransient || code === 'firewall' || [401, 404].includes(status);
	const isRefused = status >= 400 && status < 500 && !mayPass;
	if (!isRefused && !isTest) throw error;
	return formatErrorText(error);
}
