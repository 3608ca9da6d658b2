/**
 * Words of letters, marks and numbers, and symbols: a flag names a region, a face tells two voices
 * apart. A hyphen joins words, because language tags contain hyphens.
 */
const WORD = /[\p{L}\p{M}\p{N}]+(?:[-_][\p{L}\p{M}\p{N}]+)*|[\p{So}\p{Emoji_Modifier}]+/gu;

/** The service's texts may have any length, and normalizing takes the square of a run of marks. */
const MAX_COMPARED_LENGTH = 1_000;
/** No language needs more marks in a row (UAX 15, stream-safe text). */
const LONG_RUN_OF_MARKS = /(\p{M}{30})\p{M}+/gu;
/** Marks of Latin and Greek letters; with one, a Cyrillic letter is another ("й"), or it is a vowel. */
const DIACRITICS = /([\p{Script=Latin}\p{Script=Greek}])[\u0300-\u036f]+/gu;
const PLAIN_TEXT = /^[!-~]+(?: [!-~]+)*$/;

/**
 * The one form in which texts are compared everywhere: the service, users and file systems spell the
 * same text with other white space, in another case, with and without accents, and with characters
 * that nobody sees.
 *
 * @returns an empty text only if nothing of `text` can be seen
 */
export function normalize(text: string): string {
	return removeAccents(normalizeAccented(text));
}

/** @param accented a text in the form of `normalizeAccented` */
export function removeAccents(accented: string): string {
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

/** @returns the words of a text, normalized and separated by single spaces */
export function toPhrase(text: string, toForm = normalize): string {
	return (toForm(text).match(WORD) ?? []).join(' ').replaceAll('_', '-');
}

/** @returns a phrase with its compound words divided */
export function divideWords(phrase: string): string {
	return phrase.replaceAll('-', ' ');
}

/**
 * Removes words from a phrase: "ryan" from "english ryan", but not from "jo-ryan".
 *
 * @param words a phrase with its compound words divided, not empty
 * @returns the rest of the phrase, or undefined if it does not contain the words in this order
 */
export function removeWords(phrase: string, words: string): string | undefined {
	// Most phrases do not, and creating the pattern takes longest.
	if (!divideWords(phrase).includes(words)) return undefined;
	const padded = ` ${phrase} `;
	const rest = padded.replace(new RegExp(` ${words.replaceAll(' ', '[ -]')}(?= )`), '');
	return rest === padded ? undefined : rest.trim();
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
