import { parseTag } from './languages';
import { divideWords, filterTexts, normalize, toPhrase } from './phrase';

/** More words than any search has; the cost of a search grows with their number. */
const MAX_WORDS = 10;

/** The marks of Latin, Greek and Cyrillic letters; other scripts write vowels as marks. */
const DIACRITICS = /[\u0300-\u036f]/g;

/** @returns the distinct words that a search finds a record by, each compound also as its parts */
export function toSearchWords(...texts: string[]): Set<string> {
	const phrase = fold(texts.join(' '));
	return new Set([...phrase.split(' '), ...divideWords(phrase).split(' ')]);
}

/**
 * @returns the distinct words of what a user searches for, in which a language tag stays one word; a
 *   text without words, such as an emoji, as it is
 */
export function parseSearch(text: string): string[] {
	const words = fold(text)
		.split(' ')
		.flatMap((word) => (parseTag(word) === undefined ? word.split('-') : word));
	const distinct = filterTexts([...new Set(words)]).slice(0, MAX_WORDS);
	return distinct.length > 0 ? distinct : filterTexts(normalize(text));
}

/**
 * @param words see `toSearchWords`
 * @param word see `parseSearch`
 * @returns 2 if it is one of the words, 1 if one of them begins with it, else 0
 */
export function scoreWord(words: Set<string>, word: string): number {
	if (words.has(word)) return 2;
	return [...words].some((candidate) => candidate.startsWith(word)) ? 1 : 0;
}

/** @returns how well the words match, or undefined if one of those searched for does not match */
export function scoreWords(words: Set<string>, search: string[]): number | undefined {
	const scores = search.map((word) => scoreWord(words, word));
	return scores.includes(0) ? undefined : scores.reduce((sum, score) => sum + score, 0);
}

/** @returns the text in words without diacritics */
export function fold(text: string): string {
	return toPhrase(text.normalize('NFD').replace(DIACRITICS, ''));
}
