import { parseTag } from './languages';

/** How a text may be meant: the name of a voice, and what else the text says of the voice. */
interface Reading {
	name: string;
	traits: string[];
}

/** What separates traits: a comma, the dot of a label, or a dash between blanks. Brackets hold together. */
const BRACKETS_OR_SEPARATOR = /\([^)]*\)?|\[[^\]]*\]?|,|·|\s[\p{Pd}\u2212]\s/gu;
const ENDS_WITH_BRACKETS = /^([^([]*)[([](.*)[)\]]$/s;

/** @returns the parts of a text, and where in the text each ends: "Ryan", "English (United Kingdom)" */
function split(text: string): { part: string; end: number }[] {
	const parts: { part: string; end: number }[] = [];
	let start = 0;
	for (const { 0: found, index } of text.matchAll(BRACKETS_OR_SEPARATOR)) {
		if (/^[([]/.test(found)) continue;
		parts.push({ part: text.slice(start, index).trim(), end: index });
		start = index + found.length;
	}
	parts.push({ part: text.slice(start).trim(), end: text.length });
	return parts.filter(({ part }) => part !== '');
}

/** @returns the parts of a text, such as a language and traits: "English (United Kingdom)", "male" */
export function splitTraits(text: string): string[] {
	return split(text).map(({ part }) => part);
}

/** @returns what stands before brackets at the end of a text and what in them, or undefined */
export function splitBrackets(text: string): { before: string; inside: string } | undefined {
	const [, before = '', inside = ''] = ENDS_WITH_BRACKETS.exec(text) ?? [];
	return before === '' ? undefined : { before: before.trim(), inside };
}

/**
 * Lists how a text may be meant, the longest name first, because a name may contain what separates
 * traits: "A - B, en-GB" is the voice "A - B", or the voice "A".
 */
export function listReadings(text: string): Reading[] {
	const parts = split(text);
	const readings = parts.map(({ end }, index) => ({
		name: text.slice(0, end).trim(),
		traits: parts.slice(index + 1).map(({ part }) => part),
	}));
	return readings
		.reverse()
		.flatMap((reading) => [reading, ...readBrackets(reading), ...readLastWord(reading)]);
}

/** "Ryan (en-GB, male)" */
function readBrackets({ name, traits }: Reading): Reading[] {
	const brackets = splitBrackets(name);
	if (!brackets) return [];
	return [{ name: brackets.before, traits: [...splitTraits(brackets.inside), ...traits] }];
}

/** "Ryan en-GB" */
function readLastWord({ name, traits }: Reading): Reading[] {
	const words = name.split(/\s+/);
	const last = words.pop()!;
	if (words.length === 0 || !parseTag(last)) return [];
	return [{ name: words.join(' '), traits: [last, ...traits] }];
}
