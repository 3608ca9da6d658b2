import { parseHttpUrl } from '../client/parseUrl';

import { getMediaKind } from './mediaTypes';

/** The extension of a file, where its name, the value of a parameter or the whole link ends. */
const EXTENSION = /\.(?=\d*[a-z])[a-z\d]{1,8}(?:["',;:&?#]|$)/i;
/** The extension at the end of a word, perhaps before a punctuation mark. */
const LAST_EXTENSION = /\.([a-z\d]{2,5})["',;:]?$/i;
const PARAMETER = /[?&][\w.~%-]{1,100}=/;

/**
 * Reads what must be a link: the `url` of an asset, or what the user chose. Storage services put file
 * names into links as they are, so a link may contain blanks, as in "https://a.example/My Photo".
 *
 * @returns the link as it is requested, encoded as n8n's HTTP helper does it; undefined if there is none
 */
export function toLink(value: unknown): string | undefined {
	return typeof value === 'string' ? parseHttpUrl(value.trim())?.href : undefined;
}

/** @returns a link that an editor may keep with a workflow: one that is not signed; undefined otherwise */
export function toPublicLink(value: unknown): string | undefined {
	const link = toLink(value);
	return link === undefined || /[?@]/.test(link) ? undefined : link;
}

/**
 * Like `toLink`, but for any text, and returns undefined for a sentence that only begins with a link. A
 * text with blanks is a link if its last word has a file extension or a query parameter. But if its
 * first word already ends with the extension of audio, a picture or the like, it is a sentence.
 */
export function findLink(text: string): string | undefined {
	return isSentenceWithLink(text.trim().split(/\s+/)) ? undefined : toLink(text);
}

function isSentenceWithLink(words: string[]): boolean {
	const [first = ''] = words;
	const last = words.at(-1)!;
	if (words.length === 1) return false;
	// An e-mail address ends like the name of a file.
	const hasExtension = EXTENSION.test(last) && (!last.includes('@') || isMediaFile(last));
	const endsLikeLink = hasExtension || PARAMETER.test(last);
	return isMediaFile(first) || !endsLikeLink;
}

function isMediaFile(word: string): boolean {
	return getMediaKind(LAST_EXTENSION.exec(word)?.[1]) !== undefined;
}
