/** Language, script, region and variant. The language "und" stands for none. */
const TAG = /^(?!und\b)[a-z]{2,3}(-[a-z]{4})?(-[a-z]{2}|-\d{3})?(-[a-z\d]{5,8})?$/i;

/**
 * @returns the language tag that a text is, such as `he-IL` for `IW_il`, or undefined. Codes of ISO 639-2
 *   and 639-3 become those of two letters: `de` for `deu` and `ger`
 */
export function parseTag(text: string): Intl.Locale | undefined {
	const tag = text.trim().replaceAll('_', '-');
	if (!TAG.test(tag)) return undefined;
	// Most that is called Norwegian is Bokmål.
	return new Intl.Locale(new Intl.Locale(tag).baseName.replace(/^no\b/, 'nb'));
}

/** @returns whether a text is a code that may as well be the name of a voice: "Ben", "Dan", "Mar" */
export function isNameLikeCode(text: string): boolean {
	return /^[a-z]{3}$/i.test(text) && parseTag(text)?.language.length === 2;
}

/** @returns whether a text that may be a code or a name is written as a name is: "Dan", while "dan" is Danish */
export function isWrittenAsName(text: string): boolean {
	return isNameLikeCode(text) && /^[A-Z][a-z]/.test(text);
}
