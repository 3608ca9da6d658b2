import type { IDataObject } from 'n8n-workflow';

/** A quote, what is escaped, and a large whole number; millions of digits would overflow the stack. */
const TOKEN = /"|\\.|(?<![\d.eE+-])-?\d{16,1000}(?![\d.eE])/g;
/** n8n copies some values recursively, and 8 MB of empty lists end the smallest n8n. */
const [MAX_DEPTH, MAX_VALUES] = [100, 500_000];

/** @returns the JSON value, or undefined if it is none that n8n can bear; large numbers become text */
export function tryParseJson(text: string): unknown {
	try {
		const value = JSON.parse(/\d{16}/.test(text) ? quoteLargeNumbers(text) : text) as unknown;
		return isTooComplex(value) ? undefined : value;
	} catch {
		return undefined;
	}
}

/** They may be IDs, which would be rounded. In JSON, a quote that is not escaped ends or begins a text. */
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
		if (++count > MAX_VALUES || depth > MAX_DEPTH) return true;
		if (typeof inner !== 'object' || inner === null) return false;
		return Object.values(inner).some((entry) => isBeyond(entry, depth + 1));
	};
	return isBeyond(value, 0);
}

/** @returns whether `value` is a JSON object: not null, not an array */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}
