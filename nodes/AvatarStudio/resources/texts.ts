import { quote } from '../errors/formatText';
import { UserError } from '../errors/userError';

/** Of the user's texts, and of the service's, whose beginning is compared. */
const [MAX_TEXT_LENGTH, MAX_COMPARED_LENGTH] = [200, 1_000];
/** Also marks of which no language has as many in a row: normalizing takes the square of them. */
const INVISIBLE = /[\p{M}\u00ad\u200b\u200c\u2060]{30,}|[\ufe0f\u00ad\u200b\u200c\u2060]/gu;
/** Marks of Latin and Greek letters; with one, a Cyrillic letter is another ("й"), or it is a vowel. */
const DIACRITICS = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu;
/** Symbols are words too: a face tells two names apart. */
const WORD = /[\p{L}\p{M}\p{N}\p{S}]+/gu;

/** The form in which texts are compared: in lower case, with single spaces, and without accents. */
export function normalize(text: string): string {
	return normalizeAccented(text).normalize('NFD').replace(DIACRITICS, '$1').normalize('NFC');
}

/** The form in which names are compared first: a user may leave accents out, but not change them. */
export function normalizeAccented(text: string): string {
	const visible = text.slice(0, MAX_COMPARED_LENGTH).replace(INVISIBLE, '');
	return visible.replace(/\s+/g, ' ').trim().toLowerCase().normalize('NFC');
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
