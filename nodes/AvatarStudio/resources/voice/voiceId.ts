import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { UserError } from '../../errors/userError';
import { quote } from '../../errors/values';
import type { Field } from '../../execution/parameters';
import { parseTag } from '../languages';
import { findInList, NameFinder } from '../names';
import { compareTexts, normalize, toPhrase, toText } from '../phrase';

import { createVoiceMatcher, describeVoice, getTraits, removeAttributes } from './findVoices';
import { createLanguageError } from './languageError';
import { voiceList } from './voice';

const SWITCH_MODE = 'For a language, set Voice to Language; for a name, to By Name.';

export const voiceId: Field = {
	displayName: 'Voice',
	name: 'voiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'The voice that speaks the script. Its language should be that of the script. In the list, the icon beside a voice plays its sample, if it has one.',
	findBy: { id: checkVoiceId, name: findVoiceByName, language: findVoiceByLanguage },
	unknownValueHint: `Select a voice from the list. ${SWITCH_MODE}`,
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
			hint: 'The voiceId that Voice: Get Many returns. For a name or a language, switch to By Name or Language.',
			validation: [
				{
					type: 'regex',
					properties: {
						regex: '\\s*\\S+\\s*',
						errorMessage:
							'A voice ID has no spaces. For a name or a language, switch to By Name or Language.',
					},
				},
			],
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
			hint: 'A language code or name, with a gender or provider if you like. Uses the first neural voice by name, or the first voice if none is neural.',
		},
	],
};

const finder = new NameFinder({
	record: 'voice',
	label: 'Voice',
	describe: describeVoice,
	createRanking: () => {
		const match = createVoiceMatcher();
		return (voice, words) => {
			if (removeAttributes(words, voice) === '') return 0;
			const position = match(voice, words);
			// No language beside the main one comes before another.
			return position > 0 && position < Infinity ? 1 : position;
		};
	},
	hint: `Select a voice from the list. ${SWITCH_MODE}`,
});

/**
 * Finds the voice that a text names, such as "Ryan" or "Ryan, en-GB": see `NameFinder`.
 *
 * @returns its voiceId
 */
async function findVoiceByName(text: string, client: Client): Promise<string> {
	return await findInList(client, voiceList, text, (voices) => finder.find(voices, text));
}

/**
 * Finds a voice for a language, such as "en-GB" or "English (United Kingdom), female": of those that
 * match, the first neural one by name, whatever the order of the list. A voice whose main language
 * it is comes before one that speaks it as well.
 *
 * @returns its voiceId
 * @throws UserError that lists what there is if no voice matches
 */
async function findVoiceByLanguage(text: string, client: Client): Promise<string> {
	return await findInList(client, voiceList, text, (voices) => {
		const [first] = findSpeakers(voices, text);
		if (first === undefined) throw createLanguageError(voices, text);
		return first.id;
	});
}

/**
 * Refuses the name or language of a voice where an ID is wanted: dropping a field onto Voice makes
 * the editor switch to By ID. What contains a digit is not looked up, nor what has the observed form
 * of an ID (`service/openapi.yaml`, `Voice`).
 *
 * @returns the text, unless the list of voices shows that it is no ID
 */
async function checkVoiceId(text: string, client: Client): Promise<string> {
	if (/\d/.test(text) || (text.split('-').length > 2 && parseTag(text) === undefined)) return text;
	const mode = await findInList(client, voiceList, text, (voices) => {
		if (voices.some((voice) => toText(voice.voiceId) === text)) return undefined;
		if (finder.findAll(voices, text).length > 0) return 'Name';
		return findSpeakers(voices, text).length > 0 ? 'Language' : undefined;
	}).catch(() => undefined);
	if (mode === undefined) return text;
	throw new UserError(
		`Voice ${quote(text)} is the ${mode.toLowerCase()} of a voice, not an ID`,
		`Set Voice to ${mode === 'Name' ? 'By Name' : mode}.`,
	);
}

/** @returns the voices that a text like "en-GB, female" describes, in a fixed order */
function findSpeakers(voices: IDataObject[], text: string): Speaker[] {
	const words = toPhrase(text);
	const match = createVoiceMatcher();
	return voices
		.map((voice) => {
			const position = match(voice, words);
			return {
				position,
				precision: getTraits(voice).languages[position]?.subtags.length ?? 0,
				isNeural: voice.isNeural === true,
				name: normalize(toText(voice.name)),
				id: toText(voice.voiceId),
			};
		})
		.filter(({ position, id }) => position < Infinity && id !== '')
		.sort(compareSpeakers);
}

interface Speaker {
	/** Position of the language among those of the voice. */
	position: number;
	/** The number of its subtags: "zh-CN" comes before the dialect "zh-CN-liaoning". */
	precision: number;
	isNeural: boolean;
	name: string;
	id: string;
}

function compareSpeakers(one: Speaker, other: Speaker): number {
	return (
		one.position - other.position ||
		one.precision - other.precision ||
		Number(other.isNeural) - Number(one.isNeural) ||
		compareTexts(one.name, other.name) ||
		compareTexts(one.id, other.id)
	);
}
