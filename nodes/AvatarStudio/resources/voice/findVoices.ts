import type { IDataObject } from 'n8n-workflow';

import { isLanguage, parseLanguage, toLanguage, type WantedLanguage } from '../languages';
import { memoize, type Described } from '../names';
import { divideWords, filterTexts, normalize, removeWords, toPhrase, toText } from '../phrase';
import { parseSearch, scoreWord, toSearchWords } from '../search';

import { formatVoiceLabel, getLanguages } from './voice';

/** A service that names more for one voice is mistaken, and comparing them takes long. */
const MAX_LANGUAGES = 100;

function listFurtherLanguages(voice: IDataObject): string[] {
	return filterTexts(getLanguages(voice)).slice(0, MAX_LANGUAGES);
}

/** What users know of a voice, for lists and messages. */
export function describeVoice(voice: IDataObject): Described {
	const { voiceId, name, language, languageCode, gender, provider, isNeural } = voice;
	const label = formatVoiceLabel(voice);
	const ownNames = getTraits(voice).languages.flatMap(({ names }) => names.map((it) => it.whole));
	const neural = isNeural === true ? 'neural' : '';
	return {
		id: toText(voiceId),
		name: toText(name),
		labels: [label, filterTexts(label, provider).join(' · ')],
		details: filterTexts(voiceId, language, languageCode, ownNames, gender, provider, neural),
	};
}

/**
 * What is compared of a voice: the languages it speaks, its main one first, and the words that may
 * stand beside a language.
 */
export const getTraits = memoize((voice: IDataObject) => {
	const { voiceId, provider, gender, language, languageCode, isNeural } = voice;
	const attributes = filterTexts(voiceId, provider, gender, isNeural === true ? 'neural' : '');
	return {
		attributes: attributes.map((text) => divideWords(toPhrase(text))).filter(Boolean),
		languages: [
			toLanguage(toText(language), toText(languageCode)),
			...listFurtherLanguages(voice).map((other) => toLanguage(other, '')),
		],
	};
});

/** @returns words without those that stand for attributes of a voice other than its languages */
export function removeAttributes(words: string, voice: IDataObject): string {
	return getTraits(voice).attributes.reduce((rest, text) => removeWords(rest, text) ?? rest, words);
}

/**
 * Creates the comparison of voices with what a user asks of them: a language in any spelling of
 * `isLanguage`, and perhaps a gender, a provider or "neural", in any order.
 *
 * @returns a function of a voice and a phrase. It returns the position of the language among those
 *   of the voice, or Infinity if the voice lacks anything that is asked for or no language is
 */
export function createVoiceMatcher() {
	const parsed = new Map<string, WantedLanguage>();
	return (voice: IDataObject, words: string): number => {
		const phrase = removeAttributes(words, voice);
		if (phrase === '') return Infinity;
		const wanted = parsed.get(phrase) ?? parseLanguage(phrase);
		parsed.set(phrase, wanted);
		const position = getTraits(voice).languages.findIndex((it) => isLanguage(it, wanted));
		return position < 0 ? Infinity : position;
	};
}

const getSearchWords = memoize((voice: IDataObject) => {
	const { name, details } = describeVoice(voice);
	return toSearchWords(name, ...details);
});

/**
 * Searches voices. What the service's own search matches is not documented (docs/assumptions.md),
 * so the result contains every voice that the service or this node matches: those of which whole
 * words match come first, then in the order of the list. A word may be a language in any spelling.
 *
 * @param found the service's response to the search
 */
export function selectVoices(
	all: IDataObject[],
	found: IDataObject[],
	text: string,
): IDataObject[] {
	const search = parseSearch(text);
	const scores = new Map<IDataObject, number>();
	const match = createVoiceMatcher();
	for (const voice of all) {
		const words = getSearchWords(voice);
		const score = search.map((word) =>
			match(voice, word) < Infinity ? 2 : scoreWord(words, word),
		);
		if (!score.includes(0))
			scores.set(
				voice,
				score.reduce((sum, one) => sum + one, 0),
			);
	}
	// A service that ignores the search responds with every voice, which matches nothing.
	const others = found.length < all.length ? found : [];
	const ids = new Set([...scores.keys()].map(({ voiceId }) => voiceId));
	for (const voice of others) if (!ids.has(voice.voiceId)) scores.set(voice, 0);
	return [...scores].sort(([, one], [, other]) => other - one).map(([voice]) => voice);
}

/** @returns the names of the languages of voices, by the text that stands for each: its tag if known */
export function listLanguages(voices: IDataObject[]): Map<string, string> {
	const languages = new Map<string, string>();
	for (const { language, languageCode } of voices) {
		const [name] = filterTexts(language, languageCode);
		const [value] = filterTexts(languageCode, language);
		if (name !== undefined && value !== undefined) languages.set(value, name);
	}
	const known = new Set([...languages].flat().map(normalize));
	for (const other of voices.flatMap(listFurtherLanguages)) {
		if (!known.has(normalize(other))) languages.set(other, other);
	}
	return languages;
}
