import type { IDataObject } from 'n8n-workflow';

import { fetchRecords, fetchSharedRecords } from '../../client/list';
import type { Field } from '../../execution/parameters';
import { getLimit, limit, returnAll } from '../limit';
import { operation } from '../operation';
import { assertShort, filterTexts, toWords } from '../texts';

import { parseTag, speaks } from './languages';
import { describeVoice, simplifyVoice, voiceList } from './voice';
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

/** Lists the voices that the service's own search found, and those with words that begin so. */
export function selectVoices(all: IDataObject[], found: IDataObject[], text: string) {
	// The parts of a tag are no words: "az-AZ" is not "Azure".
	const search = parseTag(text)?.region ? [text] : toWords(text);
	if (search.length === 0) return all;
	// A service that ignores the search responds with every voice, which matches nothing.
	const others = found.length < all.length ? found : [];
	const ids = new Set(others.map(({ voiceId }) => voiceId));
	const known = new Set(all.map(({ voiceId }) => voiceId));
	const hidden = others.filter(({ voiceId }) => !known.has(voiceId));
	return [...all, ...hidden].filter((voice) => {
		const { id, label } = describeVoice(voice);
		const words = toWords(filterTexts(label, id, voice.languageCode, voice.provider).join(' '));
		const matches = (part: string) =>
			words.some((word) => word.startsWith(part)) || speaks(voice, part);
		return ids.has(voice.voiceId) || search.every(matches);
	});
}
