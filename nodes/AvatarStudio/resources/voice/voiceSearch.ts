import type { IDataObject } from 'n8n-workflow';

import { memoize } from '../memoize';
import { parseSearch, scoreWord, toSearchWords } from '../search';

import { describeVoice } from './voice';
import { findLanguage } from './voiceLanguage';

const getSearchWords = memoize((voice: IDataObject) => {
	const { name, details } = describeVoice(voice);
	return toSearchWords(name, ...details);
});

/**
 * Searches voices. What the service's own search matches is not documented (docs/assumptions.md),
 * so the result contains every voice that the service or this node matches: those of which whole
 * words match come first, then in the order of the list. A word may be a language in any spelling.
 *
 * @param found the service's response to the search
 */
export function selectVoices(
	all: IDataObject[],
	found: IDataObject[],
	text: string,
): IDataObject[] {
	const search = parseSearch(text);
	const scores = new Map<IDataObject, number>();
	for (const voice of all) {
		const words = getSearchWords(voice);
		const score = search.map((word) => (findLanguage(voice, word) ? 2 : scoreWord(words, word)));
		if (!score.includes(0))
			scores.set(
				voice,
				score.reduce((sum, one) => sum + one, 0),
			);
	}
	// A service that ignores the search responds with every voice, which matches nothing.
	const others = found.length < all.length ? found : [];
	const ids = new Set([...scores.keys()].map(({ voiceId }) => voiceId));
	for (const voice of others) if (!ids.has(voice.voiceId)) scores.set(voice, 0);
	return [...scores].sort(([, one], [, other]) => other - one).map(([voice]) => voice);
}
