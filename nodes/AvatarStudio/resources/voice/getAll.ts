import type { IDataObject } from 'n8n-workflow';

import { fetchRecords, fetchSharedRecords } from '../../client/list';
import type { Field } from '../../execution/parameters';
import { collectRecords, getLimit, limit, returnAll } from '../limit';
import { operation } from '../operation';
import { assertShort, filterTexts, hasWord, parseSearch, toWords } from '../texts';

import { speaks } from './languages';
import { simplifyVoice, voiceList } from './voice';
import { createVoiceFilter, filters, findFilterError } from './voiceFilters';

const query: Field = {
	displayName: 'Search',
	name: 'query',
	type: 'string',
	default: '',
	placeholder: 'e.g. english',
	description: 'Text to search voices for. Leave empty to list all voices.',
	needsValues: true,
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
	// The service offers no filters and no limit.
	execute: async ({ client, parameters, request }) => {
		const { query: text = '' } = parameters as { query?: string };
		assertShort(text);
		const matchesFilters = createVoiceFilter(parameters);
		const [all, found] = await Promise.all([
			fetchSharedRecords(client, voiceList),
			text === '' ? [] : fetchRecords(client, voiceList, { qs: request.qs }),
		]);
		const selected = text === '' ? all : selectVoices(all, found, text);
		const wanted = selected.filter(matchesFilters);
		const filterError = findFilterError(all, parameters);
		if (filterError) throw filterError;
		const voices = await collectRecords([wanted], getLimit(parameters), voiceList.property);
		return voices.map((voice) => ({
			json: parameters.simplify === false ? voice : simplifyVoice(voice),
		}));
	},
});

/**
 * Searches voices. What the service's own search matches is not documented (docs/assumptions.md),
 * so the result contains every voice that the service or this node matches: the latter by words that
 * begin a word of the voice, or name its language.
 *
 * @param found the service's response to the search
 */
export function selectVoices(all: IDataObject[], found: IDataObject[], text: string) {
	const search = parseSearch(text);
	const matching = all.filter((voice) => {
		const { name, voiceId, language, languageCode, gender, provider, isNeural } = voice;
		const texts = [name, voiceId, language, languageCode, gender, provider];
		const words = toWords(...filterTexts(texts, isNeural === true && 'neural'));
		return search.every((word) => hasWord(words, word) || speaks(voice, word));
	});
	const ids = new Set(matching.map(({ voiceId }) => voiceId));
	// A service that ignores the search responds with every voice, which matches nothing.
	const others = found.length < all.length ? found : [];
	return [...matching, ...others.filter(({ voiceId }) => !ids.has(voiceId))];
}
