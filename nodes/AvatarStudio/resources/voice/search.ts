import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { fetchRecords, fetchSharedRecords } from '../../client/list';
import type { Choice, Picker } from '../../execution/field';
import { toPublicLink } from '../../execution/link';
import { filterTexts, toWords } from '../texts';

import { isNameLikeCode, parseTag } from './languageTag';
import { speaks } from './languages';
import { describeVoice, voiceList } from './voice';

/**
 * Searches voices by a text: those that match it, and those that the service itself finds by it, which
 * its list may lack. An empty text finds all voices.
 */
export async function searchVoices(client: Client, text: string): Promise<IDataObject[]> {
	const [all, found] = await Promise.all([
		fetchSharedRecords(client, voiceList),
		text === '' ? [] : fetchRecords(client, voiceList, { query: text }),
	]);
	// A service that ignores the search responds with every voice, so its response says nothing.
	const foundByService = found.length < all.length ? found : [];
	const foundIds = new Set(foundByService.map(({ voiceId }) => voiceId));
	const listedIds = new Set(all.map(({ voiceId }) => voiceId));
	const unlisted = foundByService.filter(({ voiceId }) => !listedIds.has(voiceId));
	const matches = createSearch(text);
	return [...all.filter((voice) => foundIds.has(voice.voiceId) || matches(voice)), ...unlisted];
}

/** Each word of a text must begin a word of the voice, or be a language that it speaks. */
function createSearch(text: string): (voice: IDataObject) => boolean {
	// The parts of a tag are not searched for as words, because the "az" of "az-AZ" begins "Azure".
	const search = parseTag(text)?.region ? [text] : toWords(text);
	if (search.length === 0) return () => true;
	return (voice) => {
		const { id, label } = describeVoice(voice);
		const words = toWords(filterTexts(label, id, voice.languageCode, voice.provider).join(' '));
		return search.every(
			(part) =>
				words.some((word) => word.startsWith(part)) ||
				(!isNameLikeCode(part) && speaks(voice, part)),
		);
	};
}

/** Offers the voices by language and label. All are shown at once, because they come in one response. */
export const voicePicker: Picker = {
	pageLength: Infinity,
	search: async function* (text, client) {
		const voices = await searchVoices(client, text);
		voices.sort((one, other) => getOrder(one).localeCompare(getOrder(other)));
		yield voices.map(toChoice);
	},
};

function getOrder(voice: IDataObject): string {
	return filterTexts(voice.language, voice.languageCode, describeVoice(voice).label).join(' ');
}

function toChoice(voice: IDataObject): Choice {
	return { ...describeVoice(voice), url: toPublicLink(voice.audioSampleUrl) };
}
