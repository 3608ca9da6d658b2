import type { IDataObject } from 'n8n-workflow';

/** @returns the JSON value in `text`, or undefined if it is not JSON */
export function tryParseJson(text: string): unknown {
	try {
		return JSON.parse(text) as unknown;
	} catch {
		return undefined;
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
