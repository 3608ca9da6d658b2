import type { IDataObject } from 'n8n-workflow';

import { listRecords, type NamedRecords } from '../names';
import { filterTexts, normalize, toText } from '../texts';

import { isWrittenAsName } from './languageTag';
import { speaks, speaksLikely } from './languages';
import { splitBrackets, splitTraits } from './readings';
import { describeVoice } from './voice';

/** Words around a language that say nothing of a voice. */
const FILLERS = new Set(['a', 'an', 'the', 'in', 'with', 'voice', 'speaker', 'accent']);

/** @returns whether a voice has all traits: a language, gender or provider, "neural", or its ID */
export function hasTraits(voice: IDataObject, traits: string[]): boolean {
	const hasTrait = (trait: string) =>
		isDescribedBy(voice, trait) ||
		trait === voice.voiceId ||
		(!isWrittenAsName(trait) && speaks(voice, trait));
	return traits.every((trait) => {
		if (hasTrait(trait)) return true;
		// The brackets of "neural (en-GB)" hold another trait, unlike those of "English (Canada)".
		const parts = splitBrackets(trait);
		return parts.length > 0 && parts.every(hasTrait);
	});
}

/** @returns whether a word is the gender or the provider of a voice, or "neural" if it is that */
function isDescribedBy({ gender, provider, isNeural }: IDataObject, word: string): boolean {
	const words = filterTexts(gender, provider, isNeural === true && 'neural').map(normalize);
	return words.includes(normalize(word));
}

/**
 * Lists the voices that speak a language and have the traits after it, in a fixed order: those of the
 * region that is likely if the text states none, then neural ones, then those whose main language it
 * is, then by name. The ID decides between equals.
 */
export function listSpeakers({ all }: NamedRecords, text: string): IDataObject[] {
	// "English - US" is a language, and not one with a trait.
	const isLanguage = all.some((voice) => speaks(voice, text));
	const [language = '', ...traits] = isLanguage ? [text] : splitTraits(text);
	const getOrder = (voice: IDataObject) => {
		const { isNeural, name, voiceId } = voice;
		const mainOnly = { ...voice, languageCodes: [] };
		// These are sorted as text, in which "false" comes before "true", so each condition is negated.
		return [
			!speaksLikely(voice, language),
			isNeural !== true,
			!speaksLikely(mainOnly, language),
			!speaks(mainOnly, language),
			normalize(toText(name)),
			toText(voiceId),
		].join('\0');
	};
	const speakers = all.filter((voice) => speaks(voice, language) && hasTraits(voice, traits));
	const byOrder = new Map(speakers.map((voice) => [getOrder(voice), voice]));
	return [...byOrder.keys()].sort().map((order) => byOrder.get(order)!);
}

/** @returns how to write a language and traits that a text states in other words: "German, female" */
export function findMeant(voices: NamedRecords, text: string): string | undefined {
	const words = text.split(/[\s,]+/).filter((word) => !FILLERS.has(normalize(word)));
	const isTrait = (word: string) => voices.all.some((voice) => isDescribedBy(voice, word));
	const language = words.filter((word) => !isTrait(word)).join(' ');
	const meant = [language, ...words.filter(isTrait)].join(', ');
	return language && meant !== text && listSpeakers(voices, meant).length > 0 ? meant : undefined;
}

/** Says why no voice was found for a text that states a language, or seems to; else nothing. */
export function explainNone(voices: NamedRecords, text: string): string {
	const [language = '', ...traits] = splitTraits(text);
	const speakers = voices.all.filter((voice) => speaks(voice, language));
	if (speakers.length > 0 && traits.length > 0) {
		const listed = listRecords(speakers.map(describeVoice));
		return `No voice that speaks ${language} is ${traits.join(', ')}. There is ${listed}.`;
	}
	const meant = findMeant(voices, text);
	if (meant === undefined) return '';
	return `For the first voice of a language, enter "${meant}" in the mode Language.`;
}
