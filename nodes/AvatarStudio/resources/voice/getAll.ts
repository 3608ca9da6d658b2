import type { IDataObject } from 'n8n-workflow';

import { fetchRecords, fetchSharedRecords } from '../../client/list';
import type { Field } from '../../execution/parameters';
import { collectRecords, getLimit, limit, returnAll } from '../limit';
import { memoize } from '../memoize';
import { operation } from '../operation';
import { filterTexts } from '../phrase';
import { assertShort, parseSearch, scoreWord, toSearchWords } from '../search';
import { buildFilters } from '../sharedFields';

import { getTraits, simplifyVoice, voiceList } from './voice';
import {
	createVoiceFilter,
	findFilterError,
	gender,
	languageCode,
	neural,
	provider,
	type VoiceFilters,
} from './voiceFilters';
import { findLanguage } from './voiceLanguage';

const query: Field = {
	displayName: 'Search',
	name: 'query',
	type: 'string',
	default: '',
	placeholder: 'e.g. english',
	description: 'Text to search voices for. Leave empty to list all voices.',
	needsValues: true,
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
		const { query: text = '', ...wantedVoices } = parameters as VoiceFilters & { query?: string };
		assertShort(text);
		const matchesFilters = createVoiceFilter(wantedVoices);
		const [all, found] = await Promise.all([
			fetchSharedRecords(client, voiceList),
			text === '' ? [] : fetchRecords(client, voiceList, { qs: request.qs }),
		]);
		const selected = text === '' ? all : selectVoices(all, found, text);
		const wanted = selected.filter(matchesFilters);
		const filterError = findFilterError(all, wantedVoices);
		if (filterError) throw filterError;
		const voices = await collectRecords([wanted], getLimit(parameters), voiceList.property);
		return voices.map((voice) => ({
			json: parameters.simplify === false ? voice : simplifyVoice(voice),
		}));
	},
});

const getSearchWords = memoize((voice: IDataObject) => {
	const { name, voiceId, language, languageCode } = voice;
	const { attributes, languages } = getTraits(voice);
	const names = languages.flatMap((spoken) => spoken.names.map(({ whole }) => whole));
	return toSearchWords(...filterTexts(name, voiceId, language, languageCode, attributes, names));
});

/**
 * Searches voices. What the service's own search matches is not documented (docs/assumptions.md),
 * so the result contains every voice that the service or this node matches: those of which whole
 * words match come first, then in the order of the list. A word may be a language in any spelling.
 *
 * @param found the service's response to the search
 */
export function selectVoices(all: IDataObject[], found: IDataObject[], text: string) {
	const search = parseSearch(text);
	const scores = new Map<IDataObject, number>();
	for (const voice of all) {
		const words = getSearchWords(voice);
		const matches = search.map((word) => (findLanguage(voice, word) ? 2 : scoreWord(words, word)));
		if (!matches.includes(0)) scores.set(voice, matches.filter((score) => score === 2).length);
	}
	const ids = new Set([...scores.keys()].map(({ voiceId }) => voiceId));
	// A service that ignores the search responds with every voice, which matches nothing.
	const others = found.length < all.length ? found : [];
	for (const voice of others) if (!ids.has(voice.voiceId)) scores.set(voice, 0);
	return [...scores].sort(([, one], [, other]) => other - one).map(([voice]) => voice);
}
