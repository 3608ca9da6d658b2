import { parseHttpUrl } from '../client/parseUrl';
import type { Format } from '../execution/parameters';

/** A segment of dots or with a slash would lead to another route. What exists, the service says. */
export const ID: Format = {
	expected: 'an ID without spaces and slashes',
	hint: 'Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
	parse: (text) => (/^(?!\.{1,2}$)[^\s/\\\p{Cc}\p{Cs}]+$/u.test(text) ? text : undefined),
};

export const HTTP_URL: Format = {
	expected: 'a URL',
	hint: 'Enter a URL that starts with https:// or http://.',
	// Users paste what the browser shows; on the wire a URL is ASCII only.
	parse: (text) => parseHttpUrl(text)?.href,
};
