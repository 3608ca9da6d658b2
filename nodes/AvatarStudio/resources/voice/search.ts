import type { IDataObject } from 'n8n-workflow';

import { filterTexts, toWords } from '../texts';

import { parseTag, speaks } from './languages';
import { describeVoice } from './voice';

/** Lists the voices that the service's own search found, and those with words that begin so. */
export function selectVoices(all: IDataObject[], found: IDataObject[], text: string) {
	// The parts of a tag are no words: "az-AZ" is not "Azure".
	const search = parseTag(text)?.region ? [text] : toWords(text);
	if (search.length === 0) return all;
	// A service that ignores the search responds with every voice, which matches nothing.
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
