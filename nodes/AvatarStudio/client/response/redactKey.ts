import type { Chunks } from './body';

const MASK = '*****';
/** How many characters stand for one of a key at most, in a text that is escaped several times. */
const MAX_ESCAPED_LENGTH = 50;
const BACKSLASH = '\\\\';

/**
 * @returns the text with every occurrence of the key masked: also escaped for JSON, a URL or HTML, or
 *   several of them, and in lower case, as the host of a URL is
 */
export function redactKey(text: string, key: unknown): string {
	return hasKey(key) ? text.replace(buildPattern(key), MASK) : text;
}

/** Passes on the bytes of a text in any encoding of ASCII, with every occurrence of the key masked. */
export async function* redactChunks(chunks: Chunks, key: unknown): Chunks {
	if (!hasKey(key)) return yield* chunks;
	const pattern = buildPattern(key);
	const keptLength = key.length * MAX_ESCAPED_LENGTH;
	// What may be the beginning of the key is kept until the next chunk has come.
	let kept = '';
	for await (const chunk of chunks) {
		const text = (kept + Buffer.from(chunk).toString('latin1')).replace(pattern, MASK);
		const end = Math.max(0, text.length - keptLength);
		kept = text.slice(end);
		if (end > 0) yield Buffer.from(text.slice(0, end), 'latin1');
	}
	yield Buffer.from(kept, 'latin1');
}

function hasKey(key: unknown): key is string {
	return typeof key === 'string' && key !== '';
}

function buildPattern(key: string): RegExp {
	// The look-behind keeps the search from starting again at each backslash of a long run.
	return new RegExp(`(?<!${BACKSLASH})${Array.from(key, matchEscaped).join('')}`, 'gi');
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
