import { collect, fetchRecords } from '../../client/pagination/list';
import type { Field } from '../../execution/parameters';
import { buildFilters, getLimit, limit, returnAll } from '../fields';
import { operation } from '../operation';

import { simplifyVoice, voiceList } from './voice';
import {
	gender,
	languageCode,
	matchesVoiceFilters,
	neural,
	provider,
	type VoiceFilters,
} from './voiceFilters';

const query: Field = {
	displayName: 'Search',
	name: 'query',
	type: 'string',
	default: '',
	placeholder: 'e.g. english',
	description: 'Text to search voices for. Leave empty to list all voices.',
};

const filters = buildFilters([gender, languageCode, neural, provider]);

export const simplify: Field = {
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
		const wanted = all.filter((voice) => matchesVoiceFilters(voice, parameters as VoiceFilters));
		const voices = await collect([wanted.slice(0, getLimit(parameters))], voiceList.property);
		return voices.map((voice) => ({
			json: parameters.simplify === false ? voice : simplifyVoice(voice),
		}));
	},
});
