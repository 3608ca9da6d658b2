import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Client } from '../client/client';
import { fetchPages } from '../client/list';
import { readRecord } from '../client/response/response';
import { formatErrorText } from '../errors/nodeError';
import { UserError } from '../errors/userError';
import { readParameters } from '../execution/parameters';
import { assetList, createAssetRequest } from '../resources/asset/asset';
import { ASSET_FILTERS } from '../resources/asset/assetFilters';
import { downloadAssetFile } from '../resources/asset/download';
import { createSelection } from '../resources/filters';
import { toPageOptions } from '../resources/paging';
import { simplifyVoice, voiceList } from '../resources/voice/voice';
import { createVoiceFilter } from '../resources/voice/voiceFilters';

import { assetFilters, assetOptions, event, simplify, voiceFilters } from './fields';

/** How the trigger reads, selects and emits the records of an event. */
export interface RecordSource {
	recordsName: string;
	idField: string;
	/** Whether the service lists the newest first, as the user states. */
	newestFirst: boolean;
	filters: unknown;
	fetchPages: () => AsyncIterable<IDataObject[]>;
	/** Undefined if excluded. Says what is refused for good, and throws what is to be tried again. */
	toItem: (record: IDataObject) => Promise<INodeExecutionData | undefined>;
}

const FILE_TIMEOUT_MS = 60_000;

export function createSource(context: IPollFunctions): RecordSource {
	const isAssetEvent = context.getNodeParameter('event') === 'assetCreated';
	return isAssetEvent ? createAssetSource(context) : createVoiceSource(context);
}

function createAssetSource(context: IPollFunctions): RecordSource {
	const { values } = readParameters(context, [event, assetFilters, assetOptions]);
	const selection = createSelection(ASSET_FILTERS, values, context.getTimezone());
	const client = Client.forPoll(context);
	return {
		recordsName: assetList.property,
		idField: 'id',
		newestFirst: values.newestFirst === true,
		filters: context.getNode().parameters[assetFilters.name],
		fetchPages: () => fetchPages(client, assetList, toPageOptions(values)),
		toItem: async (listed) => {
			const createRequest = () => createAssetRequest(listed, FILE_TIMEOUT_MS);
			const json = { ...listed };
			let match = selection.matches(json);
			if (match === undefined) {
				const details = client.request(createRequest(), readRecord);
				Object.assign(json, await details.catch((error) => ({ error: formatRefusal(error) })));
				if (!json.error) match = selection.matchesDetails(json);
			}
			if (match === false) return undefined;
			if (!values.downloadFile) return { json };
			const item = { client, parameters: values, request: createRequest() };
			const file = await downloadAssetFile(item).catch((error) => ({
				json: { fileError: formatRefusal(error) },
			}));
			return { ...file, json: { ...json, ...file.json } };
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
		filters: context.getNode().parameters[voiceFilters.name],
		fetchPages: () => fetchPages(client, voiceList),
		toItem: async (voice) => {
			const json = values.simplify === false ? voice : simplifyVoice(voice);
			return await Promise.resolve(matches(voice) ? { json } : undefined);
		},
	};
}

/** Throws the error if the next poll may succeed, or if n8n cannot store files. */
function formatRefusal(error: unknown): string {
	if (!(error instanceof UserError) || error.details.code === 'storage') throw error;
	const { code, isTransient, status = 0 } = error.details;
	// A key that is replaced, what is not there yet and a firewall may pass.
	const mayPass = isTransient || code === 'firewall' || [401, 404].includes(status);
	if (mayPass || status < 400 || status >= 500) throw error;
	return formatErrorText(error);
}
