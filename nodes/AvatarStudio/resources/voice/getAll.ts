import type { IDataObject } from 'n8n-workflow';

import { fetchRecords, fetchSharedRecords } from '../../client/list';
import type { Field } from '../../execution/parameters';
import { getLimit, limit, returnAll } from '../limit';
import { operation } from '../operation';
import { assertShort, filterTexts, toWords } from '../texts';

import { parseTag, speaks } from './languages';
import { simplifyVoice, voiceList } from './voice';
import { assertMatches, createVoiceFilter, filters } from './voiceFilters';

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
		assertMatches(all, parameters);
		const voices = selectVoices(all, found, text).filter(matchesFilters);
		return voices.slice(0, getLimit(parameters)).map((voice) => ({
			json: parameters.simplify === false ? voice : simplifyVoice(voice),
		}));
	},
});

/**
 * Searches voices. What the service's own search matches is not documented (docs/assumptions.md), so
 * the result contains every voice that it finds or that words match, which begin a word of the voice.
 *
 * @param found the service's response to the search
 */
export function selectVoices(all: IDataObject[], found: IDataObject[], text: string) {
	const search = toWords(text);
	if (search.length === 0) return all;
	// A service that ignores the search responds with every voice, which matches nothing.
	const others = found.length < all.length ? found : [];
	const ids = new Set(others.map(({ voiceId }) => voiceId));
	const known = new Set(all.map(({ voiceId }) => voiceId));
	const hidden = others.filter(({ voiceId }) => !known.has(voiceId));
	// The parts of a tag are no words: "az-AZ" is not "Azure".
	const isTag = parseTag(text)?.region !== undefined;
	return [...all, ...hidden].filter((voice) => {
		const { name, voiceId, language, languageCode, gender, provider, isNeural } = voice;
		const texts = [name, voiceId, language, languageCode, gender, provider];
		const words = toWords(filterTexts(texts, isNeural === true && 'neural').join(' '));
		const matches = (part: string) =>
			words.some((word) => word.startsWith(part)) || speaks(voice, part);
		return ids.has(voiceId) || (isTag ? speaks(voice, text) : search.every(matches));
	});
}
