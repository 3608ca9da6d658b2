import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../transport/errors/requestError';
import { fetchSharedList } from '../../transport/fetchSharedList';
import type { Item } from '../../transport/item';
import { findByName, matchesSearch, filterStrings } from '../search';

import { formatVoiceLabel, voiceList } from './voice';

const MAX_LANGUAGES = 5;

/**
 * Finds the voice that a text names, such as "Ryan" or "Ryan, en-GB": see `findByName`.
 *
 * @returns its voiceId
 */
export async function findVoiceByName(text: string, item: Item): Promise<string> {
	return findByName(await fetchSharedList(item, voiceList), text, {
		record: 'voice',
		label: 'Voice',
		idField: 'voiceId',
		matchesWords: true,
		getSearchText: ({ name, language, languageCode, gender }) =>
			filterStrings(name, language, languageCode, gender).join(' '),
		formatLabel: formatVoiceLabel,
		hint: 'Select a voice from the list, or get the names of voices with Voice: Get Many.',
	});
}

/**
 * Finds a voice for a language, such as "en-GB" or "English (United Kingdom)": of those that speak
 * it the first neural one by name, whatever the order of the list.
 *
 * @returns its voiceId
 * @throws RequestError that lists some languages if no voice speaks it
 */
export async function findVoiceByLanguage(text: string, item: Item): Promise<string> {
	const voices = await fetchSharedList(item, voiceList);
	const wanted = text.toLowerCase().replaceAll('_', '-');
	const rules: ((voice: IDataObject) => boolean)[] = [
		({ languageCode }) => toLowerCase(languageCode) === wanted,
		({ language }) => toLowerCase(language) === wanted,
		({ language, languageCode }) =>
			/\p{L}/u.test(text) && matchesSearch(filterStrings(language, languageCode).join(' '), text),
	];
	const matches = rules
		.map((rule) => voices.filter(rule).filter(({ voiceId }) => typeof voiceId === 'string'))
		.find(({ length }) => length > 0);
	if (matches) return matches.map(toRank).sort()[0]!.split('\n')[2]!;

	const codes = [...new Set(filterStrings(...voices.map(({ languageCode }) => languageCode)))];
	throw new RequestError(
		`No voice speaks the language "${text}"`,
		`Enter a language code such as ${codes.sort().slice(0, MAX_LANGUAGES).join(', ')}. Voice: Get Many lists the languages.`,
	);
}

/** A text that sorts voices: neural first, then by name, then by ID. */
function toRank({ isNeural, name, voiceId }: IDataObject): string {
	return [isNeural === true ? 0 : 1, toLowerCase(name), voiceId as string].join('\n');
}

function toLowerCase(value: unknown): string {
	return typeof value === 'string' ? value.toLowerCase() : '';
}
