import type { IDataObject } from 'n8n-workflow';

import { filterTexts, toWords } from '../texts';

import { parseTag, speaks } from './languages';
import { describeVoice } from './voice';

/**
 * Searches voices by the words of a text, each of which must begin a word of a voice or be a language
 * that the voice speaks.
 *
 * @param all the voices of the service
 * @param found those that the service itself finds by the text, which are selected as well
 */
export function selectVoices(
	all: IDataObject[],
	found: IDataObject[],
	text: string,
): IDataObject[] {
	// The parts of a tag are not searched for as words, because the "az" of "az-AZ" begins "Azure".
	const search = parseTag(text)?.region ? [text] : toWords(text);
	if (search.length === 0) return all;
	// A service that ignores the search responds with every voice, so its response says nothing.
	const others = found.length < all.length ? found : [];
	const ids = new Set(others.map(({ voiceId }) => voiceId));
	const known = new Set(all.map(({ voiceId }) => voiceId));
	const hidden = others.filter(({ voiceId }) => !known.has(voiceId));
	return [...all, ...hidden].filter((voice) => {
		const { id, label } = describeVoice(voice);
		const words = toWords(filterTexts(label, id, voice.languageCode, voice.provider).join(' '));
		const matches = (part: string) =>
			words.some((word) => word.startsWith(part)) || speaks(voice, part);
		return ids.has(voice.voiceId) || search.every(matches);
	});
}
