import type { IDataObject } from 'n8n-workflow';

/** A whole number that may be larger than JavaScript can hold. */
const LARGE_NUMBER = /(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g;

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

/**
 * Goes from quote to quote, so the time it takes grows with the text alone.
 *
 * @param json must be valid
 */
function quoteLargeNumbers(json: string): string {
	let [exact, at] = ['', 0];
	for (;;) {
		const start = json.indexOf('"', at);
		const outside = json.slice(at, start < 0 ? undefined : start);
		exact += outside.replace(LARGE_NUMBER, (number) =>
			Number.isSafeInteger(Number(number)) ? number : `"${number}"`,
		);
		if (start < 0) return exact;
		at = findEndOfString(json, start);
		exact += json.slice(start, at);
	}
}

function findEndOfString(json: string, start: number): number {
	for (let end = json.indexOf('"', start + 1); ; end = json.indexOf('"', end + 1)) {
		let backslashes = 0;
		while (json[end - 1 - backslashes] === '\\') backslashes++;
		if (backslashes % 2 === 0) return end + 1;
	}
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
