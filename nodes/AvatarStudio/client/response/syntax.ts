/** So many characters tell text from what only begins like it. */
export const TESTED_LENGTH = 200;
const CONTROL_CHARACTER = /(?!\s)\p{Cc}/u;
/** How a web page or XML begins. */
const MARKUP = /^<(?:[a-z][\w.:-]*[\s/>]|!doctype\s|!--|\?xml\s)/i;
/** How a JSON object or list begins. */
const JSON_CONTAINER = /^(?:\{\s*(?:["}]|$)|\[\s*(?:["{[\]\d-]|true|false|null|$))/;

/** @returns whether a text begins without the control characters that a file has */
export function beginsAsText(text: string): boolean {
	return !CONTROL_CHARACTER.test(text.slice(0, TESTED_LENGTH));
}

/**
 * @param start the first bytes of a body
 * @returns what they are the beginning of, if it is text that another program is to read; undefined for
 *   any other text, and for bytes that are no text
 */
export function detectSyntax(start: Uint8Array): 'json' | 'markup' | undefined {
	// With this option, a character that is cut short at the end is left out.
	const text = new TextDecoder().decode(start.subarray(0, TESTED_LENGTH), { stream: true });
	if (!beginsAsText(text)) return undefined;
	const trimmed = text.trimStart();
	if (MARKUP.test(trimmed)) return 'markup';
	return JSON_CONTAINER.test(trimmed) ? 'json' : undefined;
}
