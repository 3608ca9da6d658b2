import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { RequestError } from '../../errors/requestError';
import type { Field } from '../../execution/parameters';
import { parseTag } from '../languages';
import { assertShort, findInList, NameFinder } from '../names';
import { normalize, toPhrase, toText } from '../phrase';

import { createVoiceMatcher, describeVoice, getTraits, removeAttributes } from './findVoices';
import { voiceList } from './voice';
import { createLanguageError } from './voiceFilters';

export const voiceId: Field = {
	displayName: 'Voice',
	name: 'voiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'The voice that speaks the script. Its language should be that of the script. In the list, the icon beside a voice plays its sample, if it has a public one.',
	findBy: { id: findVoiceById, name: findVoiceByName, language: findVoiceByLanguage },
	unknownValueHint:
		'Select a voice from the list. For a language, set Voice to Language; for a name, to By Name.',
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

const finder = new NameFinder({
	record: 'voice',
	label: 'Voice',
	idField: 'voiceId',
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
	hint: 'Select a voice from the list. For a language, set Voice to Language.',
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
 * match, the first neural one of the likely region by name, whatever the order of the list. A voice
 * whose main language it is comes before one that speaks it as well.
 *
 * @returns its voiceId
 * @throws UserError that lists what there is if no voice matches
 */
async function findVoiceByLanguage(text: string, client: Client): Promise<string> {
	return await findInList(client, voiceList, text, (voices) => {
		const [first] = findSpeakers(voices, text);
		if (first === undefined) throw createLanguageError(voices, text);
		return first;
	});
}

/**
 * Finds the voice that a text means where an ID is wanted: dropping a field onto Voice makes the
 * editor switch to By ID, and so does an AI agent. What is no ID of the list is a name or a language,
 * as in the other modes. A word with a digit is not looked up, nor one of the observed form of an ID
 * (`service/openapi.yaml`, `Voice`).
 *
 * @returns its voiceId, or the text if it is none of them: whether that exists is for the service to say
 * @throws UserError that lists the voices if it is the name of several
 */
async function findVoiceById(text: string, client: Client): Promise<string> {
	assertShort(text);
	const isWord = !/\s/.test(text) && parseTag(text) === undefined;
	if (isWord && (/\d/.test(text) || text.split('-').length > 2)) return text;
	return await findInList(client, voiceList, text, (voices) => {
		if (finder.hasId(voices, text)) return text;
		if (finder.findAll(voices, text).length > 0) return finder.find(voices, text);
		return findSpeakers(voices, text)[0] ?? text;
	}).catch((error: unknown) => {
		if (error instanceof RequestError) return text;
		throw error;
	});
}

/** @returns the IDs of the voices that a text like "en-GB, female" describes, in a fixed order */
function findSpeakers(voices: IDataObject[], text: string): string[] {
	const words = toPhrase(text);
	const match = createVoiceMatcher();
	return voices
		.map((voice) => {
			const id = toText(voice.voiceId);
			const position = id === '' ? Infinity : match(voice, words);
			// "zh-CN" comes before "zh-HK" and "zh-CN-liaoning".
			const distance = getTraits(voice).languages[position]?.tag?.distance ?? Infinity;
			const isNeural = voice.isNeural === true;
			return [position, distance, !isNeural, normalize(toText(voice.name)), id] as const;
		})
		.filter(([position]) => position < Infinity)
		.sort((one, other) => {
			const at = one.findIndex((value, index) => value !== other[index]);
			return at >= 0 && one[at]! < other[at]! ? -1 : Number(at >= 0);
		})
		.map(([, , , , id]) => id);
}
