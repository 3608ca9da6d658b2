import { parseHttpUrl } from '../client/parseUrl';

import { getMediaKind } from './mediaTypes';

/** The extension of a file, where the name, the value of a parameter or the whole link ends. */
const EXTENSION = /\.([a-z\d]{2,5})(?:["',;:&?#]|$)/i;
const PARAMETER = /[?&][\w.~%-]{1,100}=/;
const FOLDER = /\/[^/]/;
const DATE = /^[\d/.:]+$/;

/**
 * Reads a link to a file or a page. Storage services put file names into links as they are, so a link
 * may contain blanks and what else a URL has to encode.
 *
 * @returns the link as it is requested, encoded as n8n's HTTP helper does it; undefined if the value
 *   is none, or is a sentence that begins with one
 */
export function toLink(value: unknown): string | undefined {
	if (typeof value !== 'string') return undefined;
	const text = value.trim();
	const url = parseHttpUrl(text);
	return url && !isSentence(text) ? url.href : undefined;
}

/**
 * Whether a text that begins with a link and contains blanks is a sentence. In a link, what follows the
 * last blank continues as links do, as in "/My Photo 1.png", "/My Folder/1" or "?name=My Photo&size=1".
 */
function isSentence(text: string): boolean {
	const words = text.split(/\s+/);
	const [first = ''] = words;
	const last = words.at(-1)!;
	if (words.length === 1) return false;
	const isFirstComplete = hasKnownExtension(first);
	const hasFolder = FOLDER.test(last) && !DATE.test(last);
	const continuesLink = hasKnownExtension(last) || PARAMETER.test(last) || hasFolder;
	return isFirstComplete || !continuesLink;
}

function hasKnownExtension(text: string): boolean {
	return getMediaKind(EXTENSION.exec(text)?.[1]) !== undefined;
}
