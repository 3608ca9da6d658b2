import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { UserError } from '../../errors/userError';
import { quote } from '../../errors/values';
import type { Field } from '../../execution/parameters';
import { findInList, listRecords, type NamedRecords } from '../names';
import { assertShort, normalize, toText } from '../texts';

import { hasMainLanguage, parseTag, speaks } from './languages';
import { describeVoice, voiceList } from './voice';
import { assertMatches, isEqual } from './voiceFilters';

const ADVICE =
	'Enter a voiceId, a name such as "Ryan, en-GB" or a language such as "en-GB, female": the mode By ID takes all three. Voice: Get Many lists the voices.';

const KIND = { label: 'Voice', describe: describeVoice, hint: ADVICE };

/** @returns what commas separate, except those in the name of a language: "Serbian (Latin, Serbia)" */
function split(text: string): string[] {
	return text.match(/(?:[^,(]|\([^)]*\)?)+/g) ?? [];
}

function hasTraits(voice: IDataObject, traits: string[]): boolean {
	return traits.every(
		(text) =>
			text.trim() === '' ||
			isEqual(voice.gender, text) ||
			isEqual(voice.provider, text) ||
			(voice.isNeural === true && isEqual('neural', text)) ||
			speaks(voice, text),
	);
}

function listNamed(voices: NamedRecords, text: string): IDataObject[] {
	const named = voices.find(text);
	const [name = '', ...traits] = split(text);
	return named.length > 0 ? named : voices.find(name, (voice) => hasTraits(voice, traits));
}

/** Neural ones first, then those with that main language, then by name; the ID decides between equals. */
function listSpeakers({ records }: NamedRecords, text: string): IDataObject[] {
	const [language = '', ...traits] = split(text);
	const speakers = records.filter(
		(voice) => toText(voice.voiceId) !== '' && speaks(voice, language) && hasTraits(voice, traits),
	);
	const getOrder = (voice: IDataObject) => {
		const preference = [voice.isNeural !== true, !hasMainLanguage(voice, language)].map(Number);
		return [...preference, normalize(toText(voice.name)), toText(voice.voiceId)].join('\0');
	};
	const byOrder = new Map(speakers.map((voice) => [getOrder(voice), voice]));
	return [...byOrder.keys()].sort().map((order) => byOrder.get(order)!);
}

function findByLanguage(voices: NamedRecords, text: string): string {
	const [speaker] = listSpeakers(voices, text);
	if (speaker) return toText(speaker.voiceId);
	const [language = ''] = split(text);
	assertMatches(voices.records, { languageCode: language });
	const related = listSpeakers(voices, language).map(describeVoice);
	throw new UserError(
		`No voice matches ${quote(text)}`,
		`Voices with this language: ${listRecords(related)}.`,
	);
}

/** Only a text without spaces can be an ID that the list does not have. */
const isWord = (text: string) => !/[\s,]/.test(text);

/** The voice whose ID a text is, else its name, else its language. */
const findListed = findInList(voiceList, KIND, (voices, text) => {
	const named = listNamed(voices, text);
	if (toText(named[0]?.voiceId) === text) return text;
	const speakers = listSpeakers(voices, text);
	// What is a name and a language is never guessed.
	if (named.length > 0) return voices.getOnlyId([...named, ...speakers], text);
	if (speakers.length > 0) return toText(speakers[0]!.voiceId);
	return isWord(text) ? text : voices.getOnlyId([], text);
});

/** A field that is dropped onto Voice, and an agent, set this mode for any text. */
async function findById(text: string, client: Client): Promise<string> {
	assertShort(text);
	const looksLikeId = isWord(text) && /\d|-.*-/.test(text) && parseTag(text) === undefined;
	return looksLikeId ? text : await findListed(text, client);
}

export const voiceId: Field = {
	displayName: 'Voice',
	name: 'voiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'The voice that speaks the script. Its language should be that of the script. In the list, the icon beside a voice plays its sample, if it has a public one.',
	findBy: {
		id: findById,
		name: findInList(voiceList, KIND, (voices, text) =>
			voices.getOnlyId(listNamed(voices, text), text),
		),
		language: findInList(voiceList, KIND, findByLanguage),
	},
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
			hint: 'A name, with a language, gender or provider after a comma if several voices share it. If it does not match exactly one voice, the item fails.',
		},
		{
			displayName: 'Language',
			name: 'language',
			type: 'string',
			placeholder: 'e.g. en-GB, female',
			hint: 'A language code or name, with a gender or provider after a comma if you like. Uses the first neural voice by name, or the first voice if none is neural.',
		},
	],
};
