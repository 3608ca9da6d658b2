import { quote } from '../errors/formatText';
import { UserError } from '../errors/userError';

/** A user's text that is compared with every record of a list is refused if it is longer. */
const MAX_TEXT_LENGTH = 200;
/** A text of the service is compared by its first characters only, because there may be 100,000. */
const MAX_COMPARED_LENGTH = 1_000;
/**
 * Characters that nobody sees, and 30 or more marks in a row: no language has as many, and the time to
 * normalize them grows with the square of their number.
 */
const INVISIBLE = /[\p{M}\u00ad\u200b\u200c\u2060]{30,}|[\ufe0f\u00ad\u200b\u200c\u2060]/gu;
/** Apostrophes of any keyboard, and what is typed or printed in their place. */
const APOSTROPHES = /[\u2018\u2019\u201b\u02bb\u02bc\u02b9\u00b4`\u2032\uff07]/g;
/** Hyphens, dashes and the minus sign. */
const DASHES = /[\p{Pd}\u2212]/gu;
/**
 * Marks on Latin and Greek letters, which a user may leave out. In other scripts a mark makes another
 * letter, such as the Cyrillic "й", or is a vowel.
 */
const DIACRITICS = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu;
/** A word may be made of symbols: two names may differ in an emoji alone. */
const WORD = /[\p{L}\p{M}\p{N}\p{S}]+/gu;

/**
 * @returns the form in which texts are compared: in lower case, with single blanks, one kind of
 *   apostrophe and dash, and without accents
 */
export function normalize(text: string): string {
	return normalizeAccented(text).normalize('NFD').replace(DIACRITICS, '$1').normalize('NFC');
}

/**
 * @returns the same form, but with accents. Names are compared in it first: a user may leave accents
 *   out, but not change them.
 */
export function normalizeAccented(text: string): string {
	const visible = text.slice(0, MAX_COMPARED_LENGTH).replace(INVISIBLE, '');
	const plain = visible.replace(APOSTROPHES, "'").replace(DASHES, '-');
	return plain.replace(/\s+/g, ' ').trim().toLowerCase().normalize('NFC');
}

/** @returns whether a name contains a text, which may leave out accents */
export function containsText(name: string, text: string): boolean {
	const wanted = normalizeAccented(text);
	return [normalizeAccented(name), normalize(name)].some((form) => form.includes(wanted));
}

/** @returns the words of a text, normalized: a search matches what begins a word */
export function toWords(text: string): string[] {
	return normalize(text).match(WORD) ?? [];
}

/** @returns a value of a response that is text, or a number as text; empty if it is neither */
export function toText(value: unknown): string {
	return typeof value === 'string' || typeof value === 'number' ? String(value) : '';
}

/** @returns the texts of values or lists of values, without those that are empty */
export function filterTexts(...values: unknown[]): string[] {
	return values.flat().map(toText).filter(Boolean);
}

/** @throws UserError if comparing the text with every record of a list would take too long */
export function assertShort(text: string): void {
	if (text.length <= MAX_TEXT_LENGTH) return;
	throw new UserError(
		`${quote(text)} is too long to search for`,
		`Enter ${MAX_TEXT_LENGTH} characters or less.`,
	);
}
