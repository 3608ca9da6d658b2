const MASK = '*****';

/** @returns the text with every occurrence of the key masked, also escaped for JSON or a URL */
export function redactKey(text: string, key: unknown): string {
	if (typeof key !== 'string' || key === '') return text;
	return text.replace(new RegExp(Array.from(key, matchEscaped).join(''), 'g'), MASK);
}

/** @returns a pattern for one character of a key: `/`, `\/`, `\u002F` or `%2f` */
function matchEscaped(character: string): string {
	const code = character.charCodeAt(0).toString(16).padStart(2, '0');
	const hex = code.replace(/[a-f]/, (digit) => `[${digit}${digit.toUpperCase()}]`);
	return `(?:\\\\?\\x${code}|\\\\u00${hex}|%${hex})`;
}
