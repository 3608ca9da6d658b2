import type { IDataObject } from 'n8n-workflow';

/**
 * A quote, what is escaped, and a whole number that may be larger than JavaScript can hold; one of
 * millions of digits would take more stack than there is.
 */
const TOKEN = /"|\\.|(?<![\d.eE+-])-?\d{16,1000}(?![\d.eE])/g;

/**
 * @returns the JSON value in `text`, or undefined if it is not JSON. A whole number that JavaScript
 *   would round becomes text, because rounded it would be another ID
 */
export function tryParseJson(text: string): unknown {
	try {
		const value = JSON.parse(text) as unknown;
		return /\d{16}/.test(text) ? (JSON.parse(quoteLargeNumbers(text)) as unknown) : value;
	} catch {
		return undefined;
	}
}

/** @param json must be valid, so that every quote that is not escaped begins or ends a text */
function quoteLargeNumbers(json: string): string {
	let isInText = false;
	return json.replace(TOKEN, (token) => {
		if (token === '"') isInText = !isInText;
		const isNumber = token !== '"' && !isInText;
		return isNumber && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
	});
}

/** Beyond some 5,000 levels JSON.stringify fails, in n8n too. */
export const MAX_DEPTH = 1_000;

/** @returns whether objects and lists are nested in `value` more than `levels` deep */
export function isDeeperThan(value: unknown, levels: number): boolean {
	if (typeof value !== 'object' || value === null) return false;
	return levels === 0 || Object.values(value).some((entry) => isDeeperThan(entry, levels - 1));
}

/** @returns whether `value` is a JSON object: not null, not an array */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
