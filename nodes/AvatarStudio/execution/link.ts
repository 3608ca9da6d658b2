import { parseHttpUrl } from '../client/parseUrl';

import { getMediaKind } from './mediaTypes';

/** The extension of a file, where its name, the value of a parameter or the whole link ends. */
const EXTENSION = /\.([a-z\d]{2,5})(?:["',;:&?#]|$)/i;
const PARAMETER = /[?&][\w.~%-]{1,100}=/;

/**
 * Reads a link to a file or a page. Storage services put file names into links as they are, so a link
 * may contain blanks, as in "https://a.example/My Photo 1.png" or "https://a.example/Part 1?id=7". A
 * text with blanks is a link only if its last word has the extension of a file or a parameter. If its
 * first word has the extension of a file, that was the link, and the rest is a sentence about it.
 *
 * @returns the link as it is requested, encoded as n8n's HTTP helper does it; undefined if there is none
 */
export function toLink(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const url = parseHttpUrl(text);
	return url && !isSentence(text.split(/\s+/)) ? url.href : undefined;
}

function isSentence(words: string[]): boolean {
	const [first = ''] = words;
	const last = words.at(-1)!;
	if (words.length === 1) return false;
	const endsLikeLink = hasExtension(last) || PARAMETER.test(last);
	return hasExtension(first) || !endsLikeLink;
}

function hasExtension(word: string): boolean {
	return getMediaKind(EXTENSION.exec(word)?.[1]) !== undefined;
}
