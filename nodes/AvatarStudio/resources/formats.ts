import { parseHttpUrl } from '../client/parseUrl';
import type { Format } from '../execution/field';

/**
 * Dots alone, or a slash, would make the path of the request lead to another route. The service itself
 * says whether there is a record with the ID.
 */
export const ID: Format = {
	expected: 'an ID without spaces and slashes',
	hint: 'Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
	parse: (text) => (/^(?!\.{1,2}$)[^\s/\\\p{Cc}\p{Cs}]+$/u.test(text) ? text : undefined),
};

export const HTTP_URL: Format = {
	expected: 'a URL',
	hint: 'Enter a URL that starts with https:// or http://.',
	// Users paste what the browser shows, such as blanks and umlauts; a request needs a URL in ASCII.
	parse: (text) => parseHttpUrl(text)?.href,
};
