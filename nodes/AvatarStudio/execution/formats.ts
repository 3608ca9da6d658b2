import { parseUrl } from '../client/parseUrl';

export interface Format {
	/** Completes "Asset must be …". */
	expected: string;
	hint: string;
	/** @returns what is sent, or undefined if the text is not valid */
	parse: (text: string) => string | undefined;
}

/** White space, control characters, half of a character and what else nobody sees. */
const INVISIBLE = '[\\s\\p{Cc}\\p{Cs}\\xad\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800]';
/** A run is tried once only. */
const INVISIBLE_ENDS = new RegExp(`^${INVISIBLE}+|(?<!${INVISIBLE})${INVISIBLE}+$`, 'gu');

/** Removes what nobody sees from both ends of a text. */
export function trim(text: string): string {
	return text.replace(INVISIBLE_ENDS, '');
}

export const TEXT: Format = {
	expected: 'text',
	hint: 'Enter text, or an expression that returns text.',
	parse: (text) => text.replace(/\p{Cc}+/gu, ' '),
};

/** A segment of dots or with a slash would lead to another route. What exists, the service says. */
export const ID: Format = {
	expected: 'an ID without spaces and slashes',
	hint: 'Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
	parse: (text) => (/^(?!\.{1,2}$)[^\s/\\\p{Cc}\p{Cs}]+$/u.test(text) ? text : undefined),
};

/** One URL, since neither of two can be meant. Encoding a host takes the square of its length. */
const ONE_URL = /^https?:\/\/[^\s/\\?#]{1,500}([/\\?#](?!.*\shttps?:)\P{Cc}*)?$/iu;

export const HTTP_URL: Format = {
	expected: 'a URL',
	hint: 'Enter a URL that starts with https:// or http://.',
	// Users paste what the browser shows; on the wire a URL is ASCII only.
	parse: (text) => (ONE_URL.test(text) ? parseUrl(text)?.href : undefined),
};

/** @returns whether a value of a response is a URL that can be requested */
export function isHttpUrl(value: unknown): value is string {
	return typeof value === 'string' && !/\s/.test(value) && HTTP_URL.parse(value) !== undefined;
}
