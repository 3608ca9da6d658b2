const MASK = '*****';
const BACKSLASH = '\\\\';

/**
 * @returns the text with every occurrence of the key masked: also escaped for JSON, a URL or HTML, or
 *   several of them, and in lower case, as the host of a URL is
 */
export function redactKey(text: string, key: unknown): string {
	if (typeof key !== 'string' || key === '') return text;
	// The look-behind keeps the search from starting again at each backslash of a long run.
	const pattern = `(?<!${BACKSLASH})${Array.from(key, matchEscaped).join('')}`;
	return text.replace(new RegExp(pattern, 'gi'), MASK);
}

/**
 * @returns a pattern for one character of a key: `/`, `\/`, `\\/`, `\u002F`, `%2F`, `%252F`, `&#47;`,
 *   `&#x2F;` or `&sol;`
 */
function matchEscaped(character: string): string {
	const code = character.charCodeAt(0);
	const hex = code.toString(16).padStart(2, '0');
	// A backslash of the key comes with one, two or four backslashes. It takes the first one or two, and
	// the run before the next character takes the rest.
	const run = character === '\\' ? '?' : '*';
	// Only characters that are no letters or digits have names.
	const name = /[a-z\d]/i.test(character) ? '' : '|[a-z]+';
	const entity = `&(?:amp;)*(?:#0*${code}|#x0*${hex}${name});`;
	return `${BACKSLASH}${run}(?:\\x${hex}|u00${hex}|%(?:25)*${hex}|${entity})`;
}
