import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { send } from '../../transport/executeItem';
import type { Item } from '../../transport/item';
import { collect, fetchRecords } from '../../transport/pagination/list';
import { readParameters } from '../../transport/parameters';
import { limit, returnAll } from '../limit';
import type { Operation } from '../properties';

import { languageField } from './languageField';
import { matchesFilters, simplifyVoice, type VoiceFilters } from './voice';
import { voiceList } from './voiceList';

const query: INodeProperties = {
	displayName: 'Search',
	name: 'query',
	type: 'string',
	default: '',
	placeholder: 'e.g. english',
	description: 'What the service is to search its voices for; leave empty for all of them',
};

const filters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	options: [
		{
			displayName: 'Gender',
			name: 'gender',
			type: 'options',
			options: [
				{ name: 'Female', value: 'female' },
				{ name: 'Male', value: 'male' },
			],
			default: 'female',
			description: 'Only voices of this gender',
		},
		languageField,
		{
			displayName: 'Neural',
			name: 'neural',
			type: 'boolean',
			default: true,
			description: 'Whether to return only neural voices or only the others',
		},
		{
			displayName: 'Provider Name or ID',
			name: 'provider',
			type: 'options',
			typeOptions: { loadOptionsMethod: 'getVoiceProviders' },
			default: '',
			description:
				'Only voices of this provider. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		},
	],
};

const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

/** Filters, limit and simplification happen here: the service offers none of them. */
async function voices({ context, rateLimiter: gate, call }: Item): Promise<INodeExecutionData[]> {
	const chosen = readParameters(context, [returnAll, limit, filters, simplify]);
	const all = await fetchRecords(context, gate, voiceList, call);
	const most = chosen.returnAll ? Infinity : Number(chosen.limit ?? limit.default);
	const wanted = all
		.filter((voice) => matchesFilters(voice, chosen as VoiceFilters))
		.slice(0, most);
	const records = await collect([wanted], voiceList.property);
	return records.map((voice: IDataObject) => ({
		json: chosen.simplify === false ? voice : simplifyVoice(voice),
	}));
}

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many voices',
		description: 'List the voices, each as an item of its own',
		routing: {
			request: { method: 'GET', url: voiceList.url },
			send: { paginate: true },
			operations: { pagination: send({ fields: [query], receive: voices }) },
		},
	},
	fields: [query, returnAll, limit, filters, simplify],
};
