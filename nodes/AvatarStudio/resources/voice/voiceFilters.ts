import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../../errors/userError';
import { listFirst, quote, shorten } from '../../errors/values';
import type { Field } from '../../execution/parameters';
import { isLanguage, parseLanguage, toLanguage } from '../languages';
import { assertShort, listRecords, memoize } from '../names';
import { compareTexts, filterTexts, normalize, toPhrase, toText } from '../phrase';

import { createVoiceMatcher, describeVoice, listLanguages, removeAttributes } from './findVoices';

/** Filters on voices; a missing filter matches every voice. */
export interface VoiceFilters {
	gender?: string;
	languageCode?: string;
	provider?: string;
	neural?: boolean;
}

export const gender: Field = {
	displayName: 'Gender',
	name: 'gender',
	type: 'options',
	options: [
		{ name: 'Female', value: 'female' },
		{ name: 'Male', value: 'male' },
	],
	default: 'female',
	description: 'Return only voices with this gender',
};

export const languageCode: Field = {
	displayName: 'Language Name or ID',
	name: 'languageCode',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getVoiceLanguages' },
	default: '',
	description:
		'Return only voices with this language. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

export const neural: Field = {
	displayName: 'Neural',
	name: 'neural',
	type: 'boolean',
	default: true,
	description: 'Whether to return only neural voices, or only voices that are not neural',
};

export const provider: Field = {
	displayName: 'Provider Name or ID',
	name: 'provider',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getVoiceProviders' },
	default: '',
	description:
		'Return only voices of this provider. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};

/**
 * Creates the function that says whether a voice matches every filter.
 *
 * @throws UserError if a text is too long to be compared
 */
export function createVoiceFilter(filters: VoiceFilters): (voice: IDataObject) => boolean {
	const { languageCode, neural } = filters;
	const equal = EQUAL_FIELDS.flatMap((field) => {
		const wanted = filters[field];
		if (wanted === undefined) return [];
		assertShort(wanted);
		return [{ field, wanted: normalize(wanted) }];
	});
	const speaksLanguage =
		languageCode === undefined ? undefined : createLanguageFilter(languageCode);
	return (voice) =>
		equal.every(({ field, wanted }) => normalize(toText(voice[field])) === wanted) &&
		(neural === undefined || (voice.isNeural === true) === neural) &&
		(speaksLanguage?.(voice) ?? true);
}

const EQUAL_FIELDS = ['gender', 'provider'] as const;

/** @returns what is wrong with a filter that no voice of the whole list can match */
export function findFilterError(
	voices: IDataObject[],
	{ languageCode, ...others }: VoiceFilters,
): UserError | undefined {
	for (const field of EQUAL_FIELDS) {
		const wanted = others[field];
		if (wanted === undefined || voices.some(createVoiceFilter({ [field]: wanted }))) continue;
		const values = [...new Set(filterTexts(voices.map((voice) => voice[field])))];
		return new UserError(
			`No voice has the ${field} ${quote(wanted)}`,
			values.length > 0 ? `There is ${listFirst(values.sort(compareTexts), shorten)}.` : '',
		);
	}
	const isSpoken = languageCode === undefined || voices.some(createLanguageFilter(languageCode));
	return isSpoken ? undefined : createLanguageError(voices, languageCode);
}

/**
 * Creates the function that says whether a text, such as Language accepts it, describes a voice.
 *
 * @throws UserError if the text is too long
 */
function createLanguageFilter(text: string): (voice: IDataObject) => boolean {
	assertShort(text);
	const phrase = toPhrase(text);
	const match = createVoiceMatcher();
	return (voice) => match(voice, phrase) < Infinity;
}

const sortLanguages = memoize((voices: IDataObject[]) =>
	[...listLanguages(voices)]
		.map(([value, name]) => ({ value, language: toLanguage(name, value) }))
		.sort((one, other) => compareTexts(one.value, other.value)),
);

/**
 * Describes that no voice speaks a language, or none with the gender or provider that is wanted, and
 * lists what there is.
 *
 * @param text what the user entered
 */
export function createLanguageError(voices: IDataObject[], text: string): UserError {
	const phrase = toPhrase(text);
	const language = voices.reduce(removeAttributes, phrase);
	const match = createVoiceMatcher();
	const speakers = voices.filter((voice) => match(voice, language) < Infinity);
	if (language !== phrase && speakers.length > 0) {
		return new UserError(
			`No voice matches ${quote(text)}`,
			`Voices with this language: ${listRecords(speakers.map(describeVoice))}.`,
		);
	}
	const languages = sortLanguages(voices);
	const wanted = [...new Set(phrase.split(' '))].map((word) => parseLanguage(word.split('-')[0]!));
	const related = languages.filter(({ language: it }) => wanted.some((one) => isLanguage(it, one)));
	const listed = related.length > 0 ? related : languages;
	const start = related.length > 0 ? 'There is' : 'Enter a language such as';
	const examples =
		listed.length > 0 ? `${start} ${listFirst(listed, ({ value }) => shorten(value))}. ` : '';
	return new UserError(
		`No voice speaks the language ${quote(text)}`,
		`${examples}Voice: Get Many lists the languages.`,
	);
}
