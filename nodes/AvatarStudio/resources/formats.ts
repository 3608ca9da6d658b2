import { parseHttpUrl } from '../client/parseUrl';
import type { Format } from '../execution/field';

/** What stands where an ID belongs: "<avatarId>", "YOUR_AVATAR_ID", "avatar-id". */
export const PLACEHOLDER =
	/^[<{[].*[>}\]]$|(^|[\s_-])(your|Your|YOUR)[\s_-]|^[A-Za-z]+(Id|[_-](id|Id|ID))$/s;

/** What an ID must not be, because the path of the request would lead elsewhere or nowhere. */
const ID_PROBLEMS: [pattern: RegExp, problem: string][] = [
	[PLACEHOLDER, 'is a placeholder'],
	[/\s/, 'contains a space'],
	[/[/\\]/, 'contains a slash'],
	[/^\.{1,2}$/, 'consists of dots'],
	[/[\p{Cc}\p{Cs}]/u, 'contains a control character, or a half of a character'],
];

function findIdProblem(text: string): string | undefined {
	return ID_PROBLEMS.find(([pattern]) => pattern.test(text))?.[1];
}

/** The service itself says whether there is a record with the ID. */
export const ID: Format = {
	expected: 'an ID without spaces and slashes',
	hint: 'Enter an ID like 123e4567-e89b-12d3-a456-426614174000.',
	findProblem: findIdProblem,
	parse: (text) => (findIdProblem(text) === undefined ? text : undefined),
};

export const HTTP_URL: Format = {
	expected: 'a URL',
	hint: 'Enter a URL that starts with https:// or http://.',
	// Users paste what the browser shows, such as blanks and umlauts; a request needs a URL in ASCII.
	parse: (text) => parseHttpUrl(text)?.href,
};
