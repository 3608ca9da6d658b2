import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { FileContent } from './body';
import { isObject, isTooComplex } from './json';
import { redactKey } from './redactKey';
import {
	assertSuccess,
	getHeader,
	getMediaType,
	isJson,
	parseText,
	readBytes,
	tryDecode,
	type HttpResponse,
} from './response';

/** Stores a file and returns an item for it; `content` is the file if it was read already. */
type ToFileItem = (response: HttpResponse, content?: FileContent) => Promise<INodeExecutionData>;

/**
 * n8n passes all items of one input item to a function as arguments, and JavaScript's stack holds
 * about 125,000 of them (n8n-core, routing-node.js).
 */
export const MAX_ITEMS = 100_000;

/**
 * Converts a response of any shape into items: an object becomes one item, a list one item per
 * entry, text `{ data: text }`, and a file whatever `toFileItem` returns. What speech and video
 * creation respond is not documented, so nothing may be lost (docs/assumptions.md).
 *
 * @param keepsLarge whether a response that needs too much memory becomes a file instead of an error
 * @returns no item if there is nothing in the response: no body, `null`, `{}` or `[]`
 * @throws RequestError if the response claims to be JSON and is not, is a web page, or says that the
 *   request failed
 */
export async function toItems(
	response: HttpResponse,
	toFileItem: ToFileItem,
	keepsLarge: boolean,
): Promise<INodeExecutionData[]> {
	const type = getMediaType(response);
	const isFile = type !== '' && !isJson(response) && !type.startsWith('text/');
	if (isFile && getHeader(response, 'content-length') !== '0') {
		return [await toFileItem(response)];
	}
	const storeLarge = async (body: FileContent) => [await toFileItem(response, body)];
	const bytes = await readBytes(response, keepsLarge ? storeLarge : undefined);
	if (Array.isArray(bytes)) return bytes;
	// No text contains a NUL.
	const decoded = bytes.includes(0) ? undefined : tryDecode(bytes);
	if (decoded === undefined) return [await toFileItem(response, bytes)];
	const text = redactKey(decoded, response.apiKey);
	const value = parseText(response, text);
	if (text.trim() === '') return [];
	assertSuccess(response, value);
	return valueToItems(value === undefined || isTooComplex(value) ? text : value);
}

/** @returns a JSON value as the `json` of an item, which must be an object */
export function toRecord(value: unknown): IDataObject {
	return isObject(value) ? value : { data: value as IDataObject[string] };
}

function valueToItems(value: unknown): INodeExecutionData[] {
	if (value === null || (isObject(value) && Object.keys(value).length === 0)) return [];
	const values = Array.isArray(value) ? value : [value];
	if (values.length > MAX_ITEMS) return [{ json: { data: values } }];
	return values.map((entry: unknown) => ({ json: toRecord(entry) }));
}
