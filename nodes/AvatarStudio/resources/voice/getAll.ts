import { collect, fetchRecords } from '../../transport/pagination/list';
import type { Field } from '../../transport/parameters';
import { buildFilters } from '../fields/collections';
import { getLimit, limit, returnAll } from '../fields/limit';
import { operation } from '../operation';

import { languageField } from './languageField';
import { matchesFilters, simplifyVoice, type VoiceFilters } from './voice';
import { voiceList } from './voiceList';

const query: Field = {
	displayName: 'Search',
	name: 'query',
	type: 'string',
	default: '',
	placeholder: 'e.g. english',
	description: 'Text to search voices for. Leave empty to list all voices.',
};

const filters = buildFilters([
	{
		displayName: 'Gender',
		name: 'gender',
		type: 'options',
		options: [
			{ name: 'Female', value: 'female' },
			{ name: 'Male', value: 'male' },
		],
		default: 'female',
		description: 'Return only voices with this gender',
	},
	languageField,
	{
		displayName: 'Neural',
		name: 'neural',
		type: 'boolean',
		default: true,
		description: 'Whether to return only neural voices, or only voices that are not neural',
	},
	{
		displayName: 'Provider Name or ID',
		name: 'provider',
		type: 'options',
		typeOptions: { loadOptionsMethod: 'getVoiceProviders' },
		default: '',
		description:
			'Return only voices of this provider. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	},
]);

const simplify: Field = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
	isLocal: true,
};

export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many voices',
	description: 'Get many voices, optionally filtered',
	route: 'GET /v1/voices',
	fields: [query, returnAll, limit, filters, simplify],
	// The service offers no filters and no limit.
	execute: async ({ context, caller, parameters, request }) => {
		const all = await fetchRecords(context, caller, voiceList, request);
		const wanted = all.filter((voice) => matchesFilters(voice, parameters as VoiceFilters));
		const voices = await collect([wanted.slice(0, getLimit(parameters))], voiceList.property);
		return voices.map((voice) => ({
			json: parameters.simplify === false ? voice : simplifyVoice(voice),
		}));
	},
});
