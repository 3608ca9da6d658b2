import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../errors/requestError';
import { fetchSharedList } from '../../execution/fetchSharedList';
import type { Item } from '../../execution/item';
import type { Field } from '../../execution/parameters';
import { filterStrings, findByName, matchesSearch } from '../search';

import { formatVoiceLabel, voiceList } from './voice';

const MAX_LANGUAGES = 5;

export const voiceId: Field = {
	displayName: 'Voice',
	name: 'voiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The voice that speaks the script. Its language should be that of the script.',
	findBy: { name: findVoiceByName, language: findVoiceByLanguage },
	unknownValueHint: 'Select a voice from the list, or get the IDs of voices with Voice: Get Many.',
	builderHint: {
		propertyHint:
			'If the user names a voice, use the mode "name", as in "Ryan" or "Ryan, en-GB"; if only the language is known, the mode "language", as in "en-GB". The mode "id" takes the voiceId of Voice: Get Many.',
	},
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a voice…',
			typeOptions: { searchListMethod: 'searchVoices', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. au-en-GB-ryan',
			hint: 'The voiceId that Voice: Get Many returns',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '\\s*\\S+\\s*',
						errorMessage: 'A voice ID has no spaces. Use By Name to enter a name.',
					},
				},
			],
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Ryan, en-GB',
			hint: 'A name, with a language if several voices share it. If it does not match exactly one voice, the item fails.',
		},
		{
			displayName: 'By Language',
			name: 'language',
			type: 'string',
			placeholder: 'e.g. en-GB',
			hint: 'Uses the first neural voice of the language by name, or the first voice if none is neural',
		},
	],
};

/**
 * Finds the voice that a text names, such as "Ryan" or "Ryan, en-GB": see `findByName`.
 *
 * @returns its voiceId
 */
async function findVoiceByName(text: string, item: Item): Promise<string> {
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
async function findVoiceByLanguage(text: string, item: Item): Promise<string> {
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
	const examples = codes.sort().slice(0, MAX_LANGUAGES).join(', ');
	throw new RequestError(
		`No voice speaks the language "${text}"`,
		`${examples && `Enter a language code such as ${examples}. `}Voice: Get Many lists the languages.`,
	);
}

/** A text that sorts voices: neural first, then by name, then by ID. */
function toRank({ isNeural, name, voiceId }: IDataObject): string {
	return [isNeural === true ? 0 : 1, toLowerCase(name), voiceId as string].join('\n');
}

function toLowerCase(value: unknown): string {
	return typeof value === 'string' ? value.toLowerCase() : '';
}
