import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import type { Field } from '../../execution/parameters';
import { findInList, findNamed, type NamedRecords } from '../names';
import { assertShort, filterTexts, normalize, toText } from '../texts';

import { parseTag, speaks } from './languages';
import { describeVoice, voiceList } from './voice';
import { assertMatches } from './voiceFilters';

const KIND = { label: 'Voice', describe: describeVoice };

/** @returns what commas separate, except those in the name of a language: "Serbian (Latin, Serbia)" */
function split(text: string): string[] {
	return text.match(/[^\s,](?:[^,(]|\([^)]*\)?)*/g) ?? [];
}

function hasTraits(voice: IDataObject, traits: string[]): boolean {
	const { gender, provider, isNeural } = voice;
	const words = filterTexts(gender, provider, isNeural === true && 'neural').map(normalize);
	return traits.every((trait) => words.includes(normalize(trait)) || speaks(voice, trait));
}

function listNamed(voices: NamedRecords, text: string): IDataObject[] {
	const named = findNamed(voices, text);
	const [name = '', ...traits] = split(text);
	return named.length > 0 ? named : findNamed(voices, name, (voice) => hasTraits(voice, traits));
}

/** Neural ones first, then those with that main language, then by name; the ID decides between equals. */
function listSpeakers({ all }: NamedRecords, text: string): IDataObject[] {
	const [language = '', ...traits] = split(text);
	const getOrder = (voice: IDataObject) => {
		const { isNeural, name, voiceId } = voice;
		const isForeign = !speaks({ ...voice, languageCodes: [] }, language);
		return [isNeural !== true, isForeign, normalize(toText(name)), toText(voiceId)].join('\0');
	};
	const speakers = all.filter((voice) => speaks(voice, language) && hasTraits(voice, traits));
	const byOrder = new Map(speakers.map((voice) => [getOrder(voice), voice]));
	return [...byOrder.keys()].sort().map((order) => byOrder.get(order)!);
}

/** The voice whose ID a text is, else its name, else its language. */
const findListed = findInList(voiceList, KIND, (voices, text) => {
	const named = listNamed(voices, text);
	if (toText(named[0]?.voiceId) === text) return named;
	const speakers = listSpeakers(voices, text);
	// What is a name and a language is never guessed.
	if (named.length > 0) return [...named, ...speakers];
	if (speakers.length > 0) return speakers.slice(0, 1);
	return /[\s,]/.test(text) ? [] : [{ voiceId: text }];
});

/** A field that is dropped onto Voice, and an agent, set this mode for any text. */
async function findById(text: string, client: Client): Promise<string> {
	assertShort(text);
	const looksLikeId = /^(?=.*(\d|-.*-))[^\s,]+$/.test(text) && parseTag(text) === undefined;
	return looksLikeId ? text : await findListed(text, client);
}

export const voiceId: Field = {
	displayName: 'Voice',
	name: 'voiceId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description:
		'The voice that speaks the script. Its ID or its name will do. Its language should be that of the script. In the list, the icon beside a voice plays its sample, if it has a public one.',
	findBy: {
		id: findById,
		name: findInList(voiceList, KIND, listNamed),
		language: findInList(voiceList, KIND, (voices, text) => {
			const speakers = listSpeakers(voices, text);
			if (speakers.length === 0) assertMatches(voices.all, { languageCode: split(text)[0] });
			return speakers.slice(0, 1);
		}),
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
