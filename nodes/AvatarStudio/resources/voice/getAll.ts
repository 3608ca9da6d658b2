import { fetchSharedRecords } from '../../client/list';
import type { Field } from '../../execution/field';
import { createSelection } from '../filters';
import { operation } from '../operation';
import { getLimit, limit, returnAll } from '../paging';
import { buildFilters } from '../sharedFields';
import { assertShort } from '../texts';

import { searchVoices } from './search';
import { formatVoice, voiceList } from './voice';
import { assertMatches, VOICE_FILTERS } from './voiceFilters';

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

const filters = buildFilters(VOICE_FILTERS);

export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many voices',
	description: 'Get many voices, optionally filtered',
	route: 'GET /v1/voices',
	fields: [query, returnAll, limit, filters, simplify],
	execute: async ({ client, parameters }) => {
		const { query: text = '' } = parameters as { query?: string };
		assertShort(text);
		const selection = createSelection(VOICE_FILTERS, parameters);
		const voices = await searchVoices(client, text);
		assertMatches(await fetchSharedRecords(client, voiceList), parameters);
		const selected = voices.filter(selection.matchesDetails).slice(0, getLimit(parameters));
		return selected.map((voice) => ({ json: formatVoice(voice, parameters) }));
	},
});
