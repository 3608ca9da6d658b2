/** How a text may be meant: the name of a voice, and what else the text says of the voice. */
interface Reading {
	name: string;
	traits: string[];
}

/** Where a name may end: before a blank, a comma, the dot of a label, or a bracket. */
const NAME_END = /[\s,·([]/g;
/** What stands between commas or the dots of a label. Brackets hold together what is in them. */
const TRAIT = /(?:\([^)]*\)?|\[[^\]]*\]?|[^,·([])+/g;
/** A dash between blanks separates like a comma. */
const DASH = /\s[\p{Pd}\u2212]\s/gu;
const ENDS_WITH_BRACKETS = /^([^([]*)[([](.*)[)\]]$/s;

/** @returns the parts of a text, such as a language and traits: "English (United Kingdom)", "male" */
export function splitTraits(text: string): string[] {
	const parts = text.replace(DASH, ',').match(TRAIT) ?? [];
	return parts.map((part) => part.trim()).filter(Boolean);
}

/** @returns the parts before and in the brackets at the end of a text: for "neural (en-GB)" two */
export function splitBrackets(text: string): string[] {
	const found = ENDS_WITH_BRACKETS.exec(text);
	return found ? splitTraits(`${found[1]},${found[2]}`) : [];
}

/**
 * Lists how a text may be meant, the longest name first, because a name may contain what separates
 * traits: "A - B, en-GB" is the voice "A - B", or the voice "A".
 */
export function listReadings(text: string): Reading[] {
	const ends = [...text.matchAll(NAME_END)].map(({ index }) => index);
	return [text.length, ...ends.reverse()].map((end) => ({
		name: text.slice(0, end).trim(),
		traits: splitTraits(text.slice(end)),
	}));
}
