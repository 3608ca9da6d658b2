import { UserError } from '../errors/userError';
import { quote } from '../errors/values';

import { parseTag } from './languages';
import { divideWords, filterTexts, normalize, toPhrase } from './phrase';

/** More words than any search has; the cost of a search grows with their number. */
export const MAX_WORDS = 10;
const MAX_TEXT_LENGTH = 200;

/** @returns the distinct words that a search finds a record by, each compound also as its parts */
export function toSearchWords(...texts: string[]): Set<string> {
	const phrase = texts.map((text) => toPhrase(text)).join(' ');
	return new Set([...phrase.split(' '), ...divideWords(phrase).split(' ')]);
}

/**
 * @returns the distinct words of what a user searches for, in which a language tag stays one word; a
 *   text without words, such as an emoji, as it is
 */
export function parseSearch(text: string): string[] {
	const words = toPhrase(text)
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

/** @throws UserError if comparing the text with every record of a list would take too long */
export function assertShort(text: string): void {
	if (text.length <= MAX_TEXT_LENGTH) return;
	throw new UserError(
		`${quote(text)} is too long to search for`,
		`Enter ${MAX_TEXT_LENGTH} characters or less.`,
	);
}
