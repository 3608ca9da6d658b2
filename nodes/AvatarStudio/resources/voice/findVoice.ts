import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { RequestError, UserError } from '../../errors/userError';
import { quote } from '../../errors/values';
import { findInList, findRecords, getOnlyId, listRecords } from '../names';
import { assertShort, compareTexts, normalize, toText } from '../texts';

import { hasMainLanguage, parseTag, speaks } from './languages';
import { describeVoice, listFurtherLanguages, voiceList } from './voice';
import { findFilterError, isEqual } from './voiceFilters';

export const ADVICE =
	'Enter a voiceId, a name such as "Ryan, en-GB" or a language such as "en-GB, female": the mode By ID takes all three. Voice: Get Many lists the voices.';

const NAMED = { label: 'Voice', idField: 'voiceId', describe: describeVoice, hint: ADVICE };

/** Nobody gives more details of a voice. */
const MAX_DIVISIONS = 5;

/** @returns the text without its last parts and these: "Ryan, en-GB" and "", "Ryan" and "en-GB" */
function divide(text: string): [start: string, details: string][] {
	const parts = text.split(',');
	const ends = parts.map((_part, index) => parts.length - index).slice(0, MAX_DIVISIONS);
	return ends.map((end) => [parts.slice(0, end).join(','), parts.slice(end).join(',')]);
}

function isDescribedBy(voice: IDataObject, details: string): boolean {
	const isTrait = (text: string) =>
		isEqual(voice.gender, text) ||
		isEqual(voice.provider, text) ||
		(voice.isNeural === true && normalize(text) === 'neural') ||
		speaks(voice, text);
	return (
		details.trim() === '' ||
		divide(details).some(([text, others]) => isTrait(text) && isDescribedBy(voice, others))
	);
}

function listNamed(voices: IDataObject[], text: string): IDataObject[] {
	const matches = divide(text).map(([name, details]) =>
		findRecords(voices, name, NAMED, (voice) => isDescribedBy(voice, details)),
	);
	return matches.find(({ length }) => length > 0) ?? [];
}

const groups = new WeakMap<IDataObject[], IDataObject[][]>();

function groupByLanguages(voices: IDataObject[]): IDataObject[][] {
	const known = groups.get(voices);
	if (known) return known;
	const byLanguages = new Map<string, IDataObject[]>();
	for (const voice of voices) {
		const { language, languageCode } = voice;
		const key = JSON.stringify([language, languageCode, listFurtherLanguages(voice)]);
		byLanguages.set(key, byLanguages.get(key) ?? []);
		byLanguages.get(key)!.push(voice);
	}
	groups.set(voices, [...byLanguages.values()]);
	return groups.get(voices)!;
}

/** Neural ones first, of them those whose main language it is, by name; the ID decides between equals. */
function getOrder({ isNeural, name, voiceId }: IDataObject, isMain: boolean): string {
	const preference = `${isNeural === true ? 0 : 1}${isMain ? 0 : 1}`;
	return [preference, normalize(toText(name)), toText(voiceId)].join('\0');
}

function listSpeakers(voices: IDataObject[], text: string): IDataObject[] {
	const speakers = groupByLanguages(voices).flatMap((group) =>
		divide(text).flatMap(([language, details]) => {
			const speaking = speaks(group[0]!, language) ? group : [];
			const isMain = hasMainLanguage(group[0]!, language);
			return speaking
				.filter((voice) => toText(voice.voiceId) !== '' && isDescribedBy(voice, details))
				.map((voice) => ({ voice, order: getOrder(voice, isMain) }));
		}),
	);
	speakers.sort((one, other) => compareTexts(one.order, other.order));
	return speakers.map(({ voice }) => voice);
}

function findByLanguage(voices: IDataObject[], text: string): string {
	const [speaker] = listSpeakers(voices, text);
	if (speaker) return toText(speaker.voiceId);
	const others = divide(text).map(([start]) => voices.filter((voice) => speaks(voice, start)));
	const related = others.find(({ length }) => length > 0);
	if (!related) throw findFilterError(voices, { languageCode: text })!;
	throw new UserError(
		`No voice matches ${quote(text)}`,
		`Voices with this language: ${listRecords(related.map(describeVoice))}.`,
	);
}

/** Only a text without spaces can be an ID that the list does not have. */
const isWord = (text: string) => !/[\s,]/.test(text);

function findIdIfListed(voices: IDataObject[], text: string): string {
	const named = listNamed(voices, text);
	if (toText(named[0]?.voiceId) === text) return text;
	const speakers = listSpeakers(voices, text);
	if (named.length === 0 && speakers.length > 0) return toText(speakers[0]!.voiceId);
	if (named.length === 0 && isWord(text)) return text;
	// What is a name and a language is never guessed.
	return getOnlyId([...named, ...speakers], voices, text, NAMED);
}

const findListed = findInList(voiceList, 'id', findIdIfListed);

/**
 * Finds the voice that a text means where an ID is wanted, as a field that is dropped onto Voice and an
 * agent set it: an ID, else a name, else a language. What looks like an ID (`service/openapi.yaml`,
 * `Voice`) is sent without asking, and so is what cannot be looked up by a key that may not read voices.
 */
async function findVoiceById(text: string, client: Client): Promise<string> {
	assertShort(text);
	const looksLikeId = /\d|-.*-/.test(text) && parseTag(text) === undefined;
	if (isWord(text) && looksLikeId) return text;
	return await findListed(text, client).catch((error: unknown) => {
		if (error instanceof RequestError && error.details.status === 403 && isWord(text)) return text;
		throw error;
	});
}

export const findVoice = {
	id: findVoiceById,
	name: findInList(voiceList, 'name', (voices, text) =>
		getOnlyId(listNamed(voices, text), voices, text, NAMED),
	),
	language: findInList(voiceList, 'language', findByLanguage),
};
