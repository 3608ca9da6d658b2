import type { Field } from '../../execution/parameters';
import { operation } from '../operation';
import { assertShort } from '../search';
import { buildFilters, collect, getLimit, limit, returnAll } from '../sharedFields';

import { simplifyVoice, voiceList } from './voice';
import {
	createVoiceFilter,
	findFilterError,
	gender,
	languageCode,
	neural,
	provider,
	type VoiceFilters,
} from './voiceFilters';
import { selectVoices } from './voiceSearch';

interface VoiceParameters extends VoiceFilters {
	query?: string;
}

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
	execute: async ({ client, parameters, request }) => {
		const { query: text = '', ...wantedVoices } = parameters as VoiceParameters;
		assertShort(text);
		const matchesFilters = createVoiceFilter(wantedVoices);
		const [all, found] = await Promise.all([
			client.sharedRecords(voiceList),
			text === '' ? [] : client.records(voiceList, request.qs),
		]);
		const selected = text === '' ? all : selectVoices(all, found, text);
		const wanted = selected.filter(matchesFilters);
		const filterError = findFilterError(all, wantedVoices);
		if (filterError) throw filterError;
		const voices = await collect([wanted], getLimit(parameters), voiceList.property);
		return voices.map((voice) => ({
			json: parameters.simplify === false ? voice : simplifyVoice(voice),
		}));
	},
});
