import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { quote } from '../../errors/formatText';
import { UserError } from '../../errors/userError';
import { buildLocator } from '../locator';
import { findInList, findNamed, type NamedRecords } from '../names';
import { assertShort, filterTexts, normalize, toText } from '../texts';

import { isNameLikeCode, parseTag, speaks, speaksLikely } from './languages';
import { listReadings, splitBrackets, splitTraits } from './readings';
import { voicePicker } from './search';
import { voiceType } from './voice';
import { assertMatches } from './voiceFilters';

/** @returns whether a code is written as a name is: "Dan", while "dan" is Danish */
function isWrittenAsName(text: string): boolean {
	return isNameLikeCode(text) && /^[A-Z][a-z]/.test(text);
}

/** @returns whether a voice has all traits: a language, gender or provider, "neural", or its ID */
function hasTraits(voice: IDataObject, traits: string[]): boolean {
	const { gender, provider, isNeural, voiceId } = voice;
	const words = filterTexts(gender, provider, isNeural === true && 'neural').map(normalize);
	const hasTrait = (trait: string) =>
		words.includes(normalize(trait)) ||
		trait === voiceId ||
		(!isWrittenAsName(trait) && speaks(voice, trait));
	return traits.every((trait) => {
		if (hasTrait(trait)) return true;
		// The brackets of "neural (en-GB)" hold another trait, unlike those of "English (Canada)".
		const parts = splitBrackets(trait);
		return parts.length > 0 && parts.every(hasTrait);
	});
}

/**
 * Lists the voices of a name, or those of them that have the traits which a text states besides. It is
 * the one with the longest name that counts: "Anna Kim" is not Anna.
 */
function listNamed(voices: NamedRecords, text: string): IDataObject[] {
	for (const { name, traits } of listReadings(text)) {
		const named = findNamed(voices, name, (voice) => hasTraits(voice, traits));
		if (named.length > 0) return named;
	}
	return [];
}

/**
 * Lists the voices that speak a language and have the traits after it, in a fixed order: those of the
 * region that is likely if the text states none, then neural ones, then those whose main language it
 * is, then by name. The ID decides between equals.
 */
function listSpeakers({ all }: NamedRecords, text: string): IDataObject[] {
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

/** By Name never chooses among the voices of a language: the mode Language is for that. */
function findByName(voices: NamedRecords, text: string): IDataObject[] {
	const named = listNamed(voices, text);
	if (named.length > 0 || listSpeakers(voices, text).length === 0) return named;
	throw new UserError(
		`Voice ${quote(text)} matches no voice`,
		`${quote(text)} is a language. To use its first voice, set Voice to the mode Language.`,
	);
}

function findByLanguage(voices: NamedRecords, text: string): IDataObject[] {
	const speakers = listSpeakers(voices, text);
	const [language] = splitTraits(text);
	if (speakers.length === 0) assertMatches(voices.all, { languageCode: language });
	return speakers.slice(0, 1);
}

const findListed = findInList(voiceType, (voices, text) => {
	const named = listNamed(voices, text);
	if (toText(named[0]?.voiceId) === text) return named;
	const speakers = isWrittenAsName(text) ? [] : listSpeakers(voices, text);
	// The text may be a name and a language, so the user has to say which.
	if (named.length > 0) return [...named, ...speakers];
	if (speakers.length > 0) return speakers.slice(0, 1);
	// The service may accept the ID of a voice that it does not list.
	return /[\s,]/.test(text) ? [] : [{ voiceId: text }];
});

/** Two hyphens, as in "au-en-GB-ryan", or 20 characters with a digit among them: a name may have one, too. */
const LIKELY_ID = /^(?=.*-.*-|(?=.*\d).{20})[^\s,]+$/;

/** Reads the list only if it has to: what looks like an ID is one, unless it is a language tag. */
async function findById(text: string, client: Client): Promise<string> {
	assertShort(text);
	const looksLikeId = LIKELY_ID.test(text) && parseTag(text) === undefined;
	return looksLikeId ? text : await findListed(text, client);
}

/**
 * The voice of a script. How a text becomes its ID depends on the mode:
 * - By ID: what looks like an ID is one. Any other text is the ID of a listed voice, else the name of
 *   exactly one, else a language, whose first voice it is, else an ID that is not listed. A text that is
 *   both a name and a language is an error. Dropping a field onto Voice sets this mode, and so does an
 *   agent, so the text may be anything.
 * - From List, and a mode that does not exist: as By ID.
 * - By Name: the name of exactly one voice, perhaps with traits.
 * - Language: the first voice of a language, perhaps with traits.
 */
export const voiceId = buildLocator(voiceType, {
	description:
		'The voice that speaks the script. Its ID or its name will do. Its language should be that of the script. In the list, the icon beside a voice plays its sample, if it has a public one.',
	findBy: {
		id: findById,
		name: findInList(voiceType, findByName),
		language: findInList(voiceType, findByLanguage),
	},
	picker: voicePicker,
	modes: [
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. au-en-GB-ryan',
			hint: 'The voiceId that Voice: Get Many returns. A text that is no ID is taken as a name, or else as a language.',
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Ryan, en-GB',
			hint: 'A name, with a language, gender or provider after a comma or in brackets if several voices share it. If it does not match exactly one voice, the item fails.',
		},
		{
			displayName: 'Language',
			name: 'language',
			type: 'string',
			placeholder: 'e.g. en-GB, female',
			hint: 'A language code or name, with a gender or provider after a comma if you like. Without a region, the likely one comes first: en-US for en. Of its voices, uses the first neural one by name, or the first one if none is neural.',
		},
	],
});
