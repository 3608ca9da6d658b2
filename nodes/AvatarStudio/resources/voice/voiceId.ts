import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { RequestError, UserError } from '../../errors/userError';
import { quote } from '../../errors/values';
import type { Field } from '../../execution/parameters';
import { listRecords, type Described } from '../labels';
import { parseTag } from '../languages';
import { findInList, NameFinder, WITHOUT_ACCENTS } from '../nameFinder';
import { normalize, removeWords, toPhrase, toText } from '../phrase';
import { assertShort } from '../search';

import { describeVoice, voiceList } from './voice';
import {
	createLanguageError,
	findLanguage,
	listSpeakersOf,
	removeAttributes,
} from './voiceLanguage';

/** What helps in each mode, and a model as well. */
const ADVICE =
	'Enter a voiceId, a name such as "Ryan, en-GB" or a language such as "en-GB, female": the mode By ID takes all three. Voice: Get Many lists the voices.';

const finder = new NameFinder({
	label: 'Voice',
	idField: 'voiceId',
	describe: describeVoice,
	rankDetails: (voice, words) =>
		removeAttributes(words, voice) === '' ? 0 : (findLanguage(voice, words)?.rank ?? Infinity),
	hint: ADVICE,
});

/** Finds the voice that a text names, such as "Ryan" or "Ryan, en-GB": see `NameFinder`. */
const findVoiceByName = findInList(voiceList, (voices, text) => finder.find(voices, text));

/**
 * Finds a voice for a language, such as "en-GB" or "English (United Kingdom), female": see
 * `listSpeakers`. If no voice matches, the error lists what there is.
 */
const findByLanguage = (voices: IDataObject[], text: string) => {
	const speaker = listSpeakers(voices, toPhrase(text))[0];
	if (speaker === undefined) throw createLanguageError(voices, text);
	return speaker;
};
const findVoiceByLanguage = findInList(voiceList, findByLanguage);

/**
 * Finds the voice that a text means where an ID is wanted: dropping a field onto Voice makes the
 * editor switch to By ID, and so does an AI agent. What is no ID of the list is a name or a language,
 * as in the other modes; what is both is refused. A word with a digit is not looked up, nor one of the
 * observed form of an ID (`service/openapi.yaml`, `Voice`).
 *
 * @returns its voiceId, or a word that is none of them, or cannot be looked up by a key that may not
 *   read voices: whether that exists is for the service to say
 * @throws UserError that lists the voices if it is the name of several, or no word and none of them
 */
async function findVoiceById(text: string, client: Client): Promise<string> {
	assertShort(text);
	const looksLikeId = /\d/.test(text) || text.split('-').length > 2;
	if (isWord(text) && parseTag(text) === undefined && looksLikeId) return text;
	return await findIdIfListed(text, client).catch((error: unknown) => {
		if (error instanceof RequestError && error.details.status === 403 && isWord(text)) return text;
		throw error;
	});
}

/** "Ryan, female" can be no ID. */
const isWord = (text: string) => !/[\s,]/.test(text);

const findIdIfListed = findInList(voiceList, (voices, text) => {
	if (voices.some((voice) => toText(voice.voiceId) === text)) return text;
	const named = finder.findAll(voices, text);
	const words = toPhrase(text).split(' ');
	const candidates = voices.filter((voice) => !words.some((word) => isOnlyCode(voice, word)));
	const speakers = listSpeakersOf(candidates, text);
	const isSpeaker = ({ id }: Described) => speakers.some((voice) => toText(voice.voiceId) === id);
	if (speakers.length === 0 || (named.length > 0 && named.every(isSpeaker))) {
		return named.length === 0 && isWord(text) ? text : finder.find(voices, text);
	}
	// "German" is a language rather than the name "Germán".
	if (!named[0] || named[0].rank >= WITHOUT_ACCENTS) return findByLanguage(candidates, text);
	throw new UserError(
		`Voice ${quote(text)} is a name and a language`,
		`Enter the ID of one: ${listRecords([...named, ...speakers.map(describeVoice)])}.`,
	);
});

/**
 * @returns whether a word stands for a language of a voice as a code of three letters and in no other
 *   way: "Dan" is Danish, but where an ID is wanted it is a name that no voice has
 */
function isOnlyCode(voice: IDataObject, word: string): boolean {
	const language = word.length === 3 ? findLanguage(voice, word) : undefined;
	return language?.names.every(({ whole }) => removeWords(whole, word) === undefined) ?? false;
}

/**
 * @returns the IDs of the voices that a text like "en-GB, female" describes: one whose main language it
 *   is before others, then one of the likely region, then a neural one, by name, whatever the order of
 *   the list
 */
function listSpeakers(voices: IDataObject[], phrase: string): string[] {
	return voices
		.flatMap((voice) => {
			const language = findLanguage(voice, phrase);
			const id = toText(voice.voiceId);
			if (language === undefined || id === '') return [];
			// What the list calls just that comes first, then "zh-CN" before "zh-HK" and "zh-CN-liaoning".
			const isCalledElse = language.names[0]?.whole !== removeAttributes(phrase, voice);
			const distance = language.tag?.distance ?? Infinity;
			const isOther = voice.isNeural !== true;
			const name = normalize(toText(voice.name));
			return [[language.rank, isCalledElse, distance, isOther, name, id] as const];
		})
		.sort((one, other) => {
			const at = one.findIndex((value, index) => value !== other[index]);
			return at >= 0 && one[at]! < other[at]! ? -1 : Number(at >= 0);
		})
		.map(([, , , , , id]) => id);
}

export const voiceId: Field = {
	displayName: 'Voice',
	name: 'voiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'The voice that speaks the script. Its language should be that of the script. In the list, the icon beside a voice plays its sample, if it has a public one.',
	findBy: { id: findVoiceById, name: findVoiceByName, language: findVoiceByLanguage },
	unknownValueHint: ADVICE,
	builderHint: {
		propertyHint:
			'If the user names a voice, use the mode "name", as in "Ryan" or "Ryan, en-GB"; if only the language is known, the mode "language", as in "en-GB" or "en-GB, female". The mode "id" takes the voiceId of Voice: Get Many.',
	},
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select a voice…',
			typeOptions: { searchListMethod: 'searchVoices', searchable: true },
		},
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
			hint: 'A name, with a language, gender or provider if several voices share it. If it does not match exactly one voice, the item fails.',
		},
		{
			displayName: 'Language',
			name: 'language',
			type: 'string',
			placeholder: 'e.g. en-GB, female',
			hint: 'A language code or name, with a gender or provider if you like. Uses the likely region, then the first neural voice by name, or the first voice if none is neural.',
		},
	],
};
