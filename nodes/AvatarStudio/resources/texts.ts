import { UserError } from '../errors/userError';
import { quote } from '../errors/values';

const MAX_TEXT_LENGTH = 200;
/** The service's texts may have any length, and normalizing takes the square of a run of marks. */
const MAX_COMPARED_LENGTH = 1_000;
/** No language needs more marks in a row (UAX 15, stream-safe text). */
const LONG_RUN_OF_MARKS = /(\p{M}{30})\p{M}+/gu;
/** Marks of Latin and Greek letters; with one, a Cyrillic letter is another ("й"), or it is a vowel. */
const DIACRITICS = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu;
const PLAIN_TEXT = /^[!-~]+(?: [!-~]+)*$/;
/** Symbols are words too: a face tells two names apart. Hyphens join words, as in language tags. */
const BETWEEN_WORDS = /[^\p{L}\p{M}\p{N}\p{S}_-]+/gu;

/**
 * The form in which texts are compared: in lower case, with single spaces, without characters that
 * nobody sees, and without accents.
 *
 * @returns an empty text only if nothing of `text` can be seen
 */
export function normalize(text: string): string {
	const accented = normalizeAccented(text);
	if (PLAIN_TEXT.test(accented)) return accented;
	return accented.normalize('NFD').replace(DIACRITICS, '$1').normalize('NFC');
}

/**
 * The form in which names are compared first, and from then on without the accents of the record: a
 * user may leave accents out, but with other ones it is another name. So what the user writes keeps
 * its accents.
 */
export function normalizeAccented(text: string): string {
	const start = text.slice(0, MAX_COMPARED_LENGTH);
	if (PLAIN_TEXT.test(start)) return start.toLowerCase();
	return (
		start
			// Tags make the flag of a region.
			.replace(/(?:(?![\u{e0020}-\u{e007f}])\p{Default_Ignorable_Code_Point})+/gu, '')
			.replace(LONG_RUN_OF_MARKS, '$1')
			.replace(/[\s\p{Cc}]+/gu, ' ')
			.trim()
			.toLowerCase()
			.normalize('NFC')
	);
}

/** @returns whether a name contains a text, which may leave out accents */
export function containsText(name: string, text: string): boolean {
	const wanted = normalizeAccented(text);
	return [normalizeAccented(name), normalize(name)].some((form) => form.includes(wanted));
}

/** @returns the words of texts, each after a space and a compound also as its parts: see `hasWord` */
export function toWords(...texts: string[]): string {
	const words = ` ${normalize(texts.join(' ')).replace(BETWEEN_WORDS, ' ').replaceAll('_', '-')}`;
	return words + words.replaceAll('-', ' ');
}

export function parseSearch(text: string): string[] {
	const words = normalize(text).replace(BETWEEN_WORDS, ' ').replaceAll('_', '-').split(' ');
	return [...new Set(words)].filter(Boolean);
}

/** @returns whether one of the words (see `toWords`) begins with a word that a user searches for */
export function hasWord(words: string, word: string): boolean {
	return words.includes(` ${word}`);
}

/** @returns a value of a response that is text, or a number as text; empty if it is neither */
export function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** @returns the texts of values or lists of values, without those that are empty */
export function filterTexts(...values: unknown[]): string[] {
	return values.flat().map(toText).filter(Boolean);
}

/** Compares by character code, so that the result is the same in every installation. */
export function compareTexts(one: string, other: string): number {
	if (one === other) return 0;
	return one < other ? -1 : 1;
}

/** @throws UserError if comparing the text with every record of a list would take too long */
export function assertShort(text: string): void {
	if (text.length <= MAX_TEXT_LENGTH) return;
	throw new UserError(
		`${quote(text)} is too long to search for`,
		`Enter ${MAX_TEXT_LENGTH} characters or less.`,
	);
}
