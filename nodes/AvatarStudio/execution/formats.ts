import { parseUrl } from '../client/parseUrl';

export interface Format {
	pattern: RegExp;
	/** Completes "Asset must be …". */
	expected: string;
	hint: string;
	/** Converts the text to what is sent, if that differs; undefined if it cannot be converted. */
	normalize?: (text: string) => string | undefined;
}

/** White space, control characters, half of a character and what else nobody sees. */
const INVISIBLE = '[\\s\\p{Cc}\\p{Cs}\\xad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800]';
/** A run is tried once only. */
const INVISIBLE_ENDS = new RegExp(`^${INVISIBLE}+|(?<!${INVISIBLE})${INVISIBLE}+$`, 'gu');
/** What JavaScript makes of a missing value, or of an object, in a text. */
const NOTHING = new Set(['undefined', 'null', 'NaN', '[object Object]']);

/** Removes what nobody sees from both ends of a text: nothing is left of one that counts as empty. */
export function trim(text: string): string {
	return text.replace(INVISIBLE_ENDS, '');
}

/** @returns whether a parameter has no value: nothing that anybody can see, or would have written */
export function isEmpty(given: unknown): given is undefined {
	if (Array.isArray(given)) return given.every((it) => !Array.isArray(it) && isEmpty(it));
	if (typeof given !== 'string') return (given ?? undefined) === undefined || Number.isNaN(given);
	const text = trim(given);
	return text === '' || NOTHING.has(text);
}

/**
 * IDs of assets and avatars are UUIDs (`service/openapi.yaml`). Only what cannot be an ID is refused,
 * because a path segment of dots or with a slash would lead to another route; whether an ID exists is
 * for the service to say.
 */
export const ID: Format = {
	pattern: /^(?!\.{1,2}$)[^\s/\\\p{Cc}\p{Cs}]+$/u,
	expected: 'an ID without spaces and slashes',
	hint: 'Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
};

export const HTTP_URL: Format = {
	// Of two URLs with a space between them, neither can be meant. Encoding a host takes the square of
	// its length, and wherever it ends for this pattern it ends for the URL parser.
	pattern: /^https?:\/\/[^\s/\\?#]{1,500}([/\\?#](?!.*\shttps?:)\P{Cc}*)?$/iu,
	expected: 'a URL',
	hint: 'Enter a URL that starts with https:// or http://.',
	// Users paste what the browser shows; on the wire a URL is ASCII only.
	normalize: (text) => {
		const url = parseUrl(text);
		return url && /^[!-~]+$/.test(text) ? text : url?.href;
	},
};

/** @returns whether a value of a response is a URL that can be requested */
export function isHttpUrl(value: unknown): value is string {
	if (typeof value !== 'string' || /\s/.test(value)) return false;
	return HTTP_URL.pattern.test(value) && parseUrl(value) !== undefined;
}
