const MASK = '*****';
const HTML_ENTITIES: Record<string, string> = {
	'"': '&quot;',
	'&': '&amp;',
	"'": '&apos;',
	'<': '&lt;',
	'>': '&gt;',
};

/**
 * Masks the key in a text from the service, even if it is escaped for JSON (`a/b+c` as `a\/b\u002Bc`,
 * within nested JSON with more backslashes), percent-encoded or escaped for HTML.
 *
 * Each repetition in the pattern is bounded, so the time it takes grows with the text alone.
 *
 * @returns the text with every occurrence of the key masked
 */
export function redactKey(text: string, key: unknown): string {
	if (typeof key !== 'string' || key === '') return text;
	const escaped = new RegExp(Array.from(key, matchEscaped).join(''), 'g');
	return text.replace(escaped, MASK).replaceAll(key, MASK);
}

/** @returns a pattern for one character of a key, as it is and escaped */
function matchEscaped(character: string): string {
	const code = character.charCodeAt(0);
	const codeHex = code.toString(16);
	const hex = codeHex.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
	const forms = [
		character === '\\' ? '\\\\\\\\' : `\\\\{0,3}\\x${codeHex}`,
		`\\\\{1,3}u00${hex}`,
		`%(?:25){0,3}${hex}`,
		`&#0{0,4}${code};`,
		`&#x0{0,4}${hex};`,
		HTML_ENTITIES[character] ?? [],
	];
	return `(?:${forms.flat().join('|')})`;
}
