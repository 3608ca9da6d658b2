import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../../errors/userError';
import { listFirst, quote, shorten } from '../../errors/values';
import { isLanguage, parseLanguage, toLanguage } from '../languages';
import { listRecords, memoize } from '../names';
import { compareTexts, toPhrase } from '../phrase';

import { createVoiceMatcher, describeVoice, listLanguages, removeAttributes } from './findVoices';

const getLanguages = memoize((voices: IDataObject[]) =>
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
	const languages = getLanguages(voices);
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
