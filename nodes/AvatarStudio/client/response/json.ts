import type { IDataObject } from 'n8n-workflow';

/**
 * Finds what is needed to tell large whole numbers from digits in a text: quotes, escaped characters, and
 * such numbers. One of millions of digits is left alone, because it would overflow the stack.
 */
const TOKEN = /"|\\.|(?<![\d.eE+-])-?\d{16,1000}(?![\d.eE])/g;
/** n8n copies some values by a function that calls itself at each level (n8n-workflow 2.41.0, utils.js). */
const MAX_DEPTH = 100;
/** 8 MB of empty lists would take all the memory of the smallest n8n. */
const MAX_VALUES = 500_000;

/** @returns the JSON value, or undefined if it is none that n8n can bear; large numbers become text */
export function tryParseJson(text: string): unknown {
	try {
		const value = JSON.parse(/\d{16}/.test(text) ? quoteLargeNumbers(text) : text) as unknown;
		return isTooComplex(value) ? undefined : value;
	} catch {
		return undefined;
	}
}

/**
 * Turns whole numbers that JavaScript would round into texts, because they may be IDs. A quote that is
 * not escaped begins or ends a text, in which digits are no number.
 */
function quoteLargeNumbers(json: string): string {
	let isInText = false;
	return json.replace(TOKEN, (token) => {
		if (token === '"') isInText = !isInText;
		const isNumber = token !== '"' && !isInText;
		return isNumber && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token;
	});
}

function isTooComplex(value: unknown): boolean {
	let count = 0;
	const isBeyond = (inner: unknown, depth: number): boolean => {
		count++;
		if (count > MAX_VALUES || depth > MAX_DEPTH) return true;
		return isContainer(inner) && Object.values(inner).some((entry) => isBeyond(entry, depth + 1));
	};
	return isBeyond(value, 0);
}

/** @returns whether a value is a JSON object or list */
export function isContainer(value: unknown): value is object {
	return typeof value === 'object' && value !== null;
}

/** @returns whether a value is a JSON object: not null, not an array */
export function isObject(value: unknown): value is IDataObject {
	return isContainer(value) && !Array.isArray(value);
}

/** @returns a key by which services with other habits are understood: `errormessage` for `Error_Message` */
export function simplifyKey(key: string): string {
	return key.toLowerCase().replace(/[\s_-]/g, '');
}
