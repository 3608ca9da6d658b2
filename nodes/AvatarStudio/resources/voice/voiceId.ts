import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { quote } from '../../errors/formatText';
import { RequestError, UserError } from '../../errors/userError';
import { buildLocator } from '../locator';
import { assertNoPlaceholder, findInList, findNamed, type NamedRecords } from '../names';
import { assertShort, toText } from '../texts';

import { isWrittenAsName, parseTag } from './languageTag';
import { listReadings, splitTraits } from './readings';
import { voicePicker } from './search';
import { explainNone, findMeant, hasTraits, listSpeakers } from './traits';
import { voiceType } from './voice';
import { assertMatches } from './voiceFilters';

/** An ID is long or has two hyphens, such as "au-en-GB-ryan". */
const LIKELY_ID = /^(?=.{20,}$|.*-.*-)[\p{L}\p{N}_.:-]+$/u;
/** A listed voice has a UUID beside the ID that speaks, and the ID of its provider, such as "en-GB-RyanNeural". */
const OTHER_ID = /^(?:[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$|[a-z]{2,3}-[A-Z]{2}-)/;

/**
 * Lists the voices that have a name and all other traits which a text states. The longest name is tried first:
 * "Anna Kim" is not Anna.
 */
function listNamed(voices: NamedRecords, text: string): IDataObject[] {
	for (const { name, traits } of listReadings(text)) {
		const named = findNamed(voices, name, (voice) => hasTraits(voice, traits));
		if (named.length > 0) return named;
	}
	return [];
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
	const isUnknown = speakers.length === 0 && findMeant(voices, text) === undefined;
	// Nobody speaks the language, which the error of the filter says best.
	if (isUnknown) assertMatches(voices.all, { languageCode: language });
	return speakers.slice(0, 1);
}

function findByAnyMeaning(voices: NamedRecords, text: string): IDataObject[] {
	const named = listNamed(voices, text);
	if (toText(named[0]?.voiceId) === text) return named;
	const speakers = isWrittenAsName(text) ? [] : listSpeakers(voices, text);
	// The text may be a name and a language, so the user has to say which.
	if (named.length > 0) return [...named, ...speakers];
	if (speakers.length > 0) return speakers.slice(0, 1);
	// The service may accept the ID of a voice that it does not list.
	return LIKELY_ID.test(text) ? [{ voiceId: text }] : [];
}

const findListed = findInList(voiceType, findByAnyMeaning, explainNone);

/** Reads the list only if it has to: what looks like "au-en-GB-ryan", and not like another ID, is the ID. */
async function findById(text: string, client: Client): Promise<string> {
	assertShort(text);
	assertNoPlaceholder(voiceType.label, text);
	const mayBeListed = OTHER_ID.test(text) || parseTag(text) !== undefined;
	const isLikelyId = LIKELY_ID.test(text);
	if (isLikelyId && !mayBeListed) return text;
	return await findListed(text, client).catch((error: unknown) => {
		// The list cannot be read, perhaps because it is the fast branch, which has none.
		if (isLikelyId && error instanceof RequestError) return text;
		throw error;
	});
}

/** What was picked from the list is an ID, so the list need not be read in each run. */
async function findPicked(text: string, client: Client): Promise<string> {
	return LIKELY_ID.test(text) ? text : await findById(text, client);
}

/**
 * The voice of a script. How a text becomes its ID depends on the mode:
 * - By ID: what looks like an ID is one. Any other text is the ID of a listed voice, else the name of
 *   exactly one, else a language, whose first voice it is. A text that is both a name and a language is an
 *   error. Dropping a field onto Voice sets this mode, and so does an agent, so the text may be anything.
 * - From List, and a mode that does not exist: as By ID, but for what a user picked.
 * - By Name: the name of exactly one voice, perhaps with traits.
 * - Language: the first voice of a language, perhaps with traits.
 */
export const voiceId = buildLocator(voiceType, {
	description:
		'The voice that speaks the script. Its ID or its name will do. Its language should be that of the script. In the list, the icon beside a voice plays its sample, if it has a public one.',
	findBy: {
		picked: findPicked,
		id: findById,
		name: findInList(voiceType, findByName, explainNone),
		language: findInList(voiceType, findByLanguage, explainNone),
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
