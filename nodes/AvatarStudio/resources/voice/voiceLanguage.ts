import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../../errors/userError';
import { listFirst, quote, shorten } from '../../errors/values';
import { listRecords } from '../labels';
import { isLanguage, toLanguage } from '../languages';
import { memoize } from '../memoize';
import { compareTexts, filterTexts, normalize, removeWords, toPhrase } from '../phrase';

import { describeVoice, getTraits, listFurtherLanguages } from './voice';

/** @returns a phrase without the words that stand for attributes of a voice other than its languages */
export function removeAttributes(phrase: string, voice: IDataObject): string {
	const { attributes } = getTraits(voice);
	return attributes.reduce((rest, text) => removeWords(rest, text) ?? rest, phrase);
}

/**
 * @param phrase a language in any spelling of `isLanguage`, and perhaps a gender, a provider or
 *   "neural", in any order
 * @returns which language of the voice is meant; undefined if the voice lacks anything that is asked
 *   for, or no language is
 */
export function findLanguage(voice: IDataObject, phrase: string) {
	const rest = removeAttributes(phrase, voice);
	return getTraits(voice).languages.find((language) => isLanguage(language, rest));
}

/** @returns the names of the languages of voices, by the text that stands for each: its tag if known */
export function listLanguages(voices: IDataObject[]): Map<string, string> {
	const languages = new Map<string, string>();
	for (const { language, languageCode } of voices) {
		const [value, name = value] = filterTexts(languageCode, language);
		if (value !== undefined) languages.set(value, name!);
	}
	const known = new Set([...languages].flat().map(normalize));
	for (const other of voices.flatMap(listFurtherLanguages)) {
		if (!known.has(normalize(other))) languages.set(other, other);
	}
	return languages;
}

const sortLanguages = memoize((voices: IDataObject[]) =>
	[...listLanguages(voices)]
		.map(([value, name]) => ({ value, language: toLanguage(name, value) }))
		.sort((one, other) => compareTexts(one.value, other.value)),
);

/** @returns the voices that speak the language of a text, whatever else it asks for */
export function listSpeakersOf(voices: IDataObject[], text: string): IDataObject[] {
	const wanted = voices.reduce((rest, voice) => removeAttributes(rest, voice), toPhrase(text));
	return voices.filter((voice) => findLanguage(voice, wanted));
}

/**
 * Describes that no voice speaks a language, or none with the gender or provider that is wanted, and
 * lists what there is.
 *
 * @param text what the user entered
 */
export function createLanguageError(voices: IDataObject[], text: string): UserError {
	const phrase = toPhrase(text);
	const speakers = listSpeakersOf(voices, text);
	if (speakers.length > 0) {
		return new UserError(
			`No voice matches ${quote(text)}`,
			`Voices with this language: ${listRecords(speakers.map(describeVoice))}.`,
		);
	}
	const languages = sortLanguages(voices);
	const words = [...new Set(phrase.split(' ').map((word) => word.split('-')[0]!))];
	const related = languages.filter(({ language }) =>
		words.some((word) => isLanguage(language, word)),
	);
	const list = (start: string, listed: typeof languages) =>
		listed.length > 0 && `${start} ${listFirst(listed, ({ value }) => shorten(value))}.`;
	const examples = list('There is', related) || list('Enter a language such as', languages);
	return new UserError(
		`No voice speaks the language ${quote(text)}`,
		filterTexts(examples, 'Voice: Get Many lists the languages.').join(' '),
	);
}
