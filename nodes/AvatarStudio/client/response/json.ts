import type { IDataObject } from 'n8n-workflow';

/** A string or a number in JSON. */
const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:e[+-]?\d+)?/gi;

/**
 * @returns the JSON value in `text`, or undefined if it is not JSON. A whole number with more digits
 *   than JavaScript can hold becomes text, because rounded it would be another ID
 */
export function tryParseJson(text: string): unknown {
	const exact = /\d{16}/.test(text) ? text.replace(TOKEN, quoteLargeNumber) : text;
	try {
		return JSON.parse(exact) as unknown;
	} catch {
		return undefined;
	}
}

function quoteLargeNumber(token: string): string {
	const isLarge = /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token));
	return isLarge ? `"${token}"` : token;
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
