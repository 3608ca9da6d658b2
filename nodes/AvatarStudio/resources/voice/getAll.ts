import { fetchRecords, fetchSharedRecords } from '../../client/list';
import type { Field } from '../../execution/parameters';
import { getLimit, limit, returnAll } from '../limit';
import { operation } from '../operation';
import { assertShort } from '../texts';

import { selectVoices } from './search';
import { simplifyVoice, voiceList } from './voice';
import { assertMatches, createVoiceFilter, filters } from './voiceFilters';

const query: Field = {
	displayName: 'Search',
	name: 'query',
	type: 'string',
	default: '',
	placeholder: 'e.g. english',
	description: 'Text to search voices for. Leave empty to list all voices.',
	failsIfExpressionIsEmpty: true,
};

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
	execute: async ({ client, parameters, request }) => {
		const { query: text = '' } = parameters as { query?: string };
		assertShort(text);
		const matchesFilters = createVoiceFilter(parameters);
		const [all, found] = await Promise.all([
			fetchSharedRecords(client, voiceList),
			text === '' ? [] : fetchRecords(client, voiceList, { qs: request.qs }),
		]);
		assertMatches(all, parameters);
		const voices = selectVoices(all, found, text).filter(matchesFilters);
		return voices.slice(0, getLimit(parameters)).map((voice) => ({
			json: parameters.simplify === false ? voice : simplifyVoice(voice),
		}));
	},
});
