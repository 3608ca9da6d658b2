import type { INodeExecutionData } from 'n8n-workflow';

import { concat, limitLength, readChunks, type Chunks, type HttpResponse } from './body';
import { isContainer, tryParseJson } from './json';
import { redactKey } from './redactKey';
import {
	assertSuccess,
	createResponseError,
	getContentKind,
	MAX_ITEMS,
	parseBody,
	readBytes,
	toRecord,
	tryDecode,
} from './response';

/** How much JSON or text is stored as a file: some never ends, and would fill the disk. */
const MAX_DATA_BYTES = 64 * 1024 * 1024;

/**
 * Turns the response to a request that changes something, whatever its shape, into items: an object
 * into one, a list into one per entry, text into `{ data: text }`. A file, and JSON or text of 8 to 64 MB, is stored.
 *
 * @param toFileItem stores a file, whose chunks it closes
 * @throws RequestError if the JSON says that the request failed, or for JSON or text of more than 64 MB
 */
export async function toItems(
	response: HttpResponse,
	toFileItem: (content: Chunks) => Promise<INodeExecutionData>,
): Promise<INodeExecutionData[]> {
	const isFile = getContentKind(response) === 'file';
	const chunks = readChunks(response, { isFile });
	const { value: start } = await chunks.next();
	const content = concat(start ? [start] : [], chunks);
	const mayBeData = !isFile || (start !== undefined && beginsLikeJson(start));
	if (!mayBeData) return [await toFileItem(content)];
	const { bytes, hasMore } = await readBytes(content);
	if (hasMore) {
		const createError = () =>
			createResponseError(response, 'The response is more than 64 MB of JSON or text');
		const all = concat([bytes], content);
		return [await toFileItem(limitLength(all, MAX_DATA_BYTES, createError))];
	}
	const text = tryDecode(bytes);
	// What is labelled as a file is data if it is JSON; what is labelled as JSON or text is data if it can
	// be decoded.
	const isData = isFile ? isContainer(tryParseJson(text ?? '')) : text !== undefined;
	if (!isData) return [await toFileItem(concat([bytes]))];
	return splitItems(response, parseBody(response, redactKey(text!, response.apiKey)));
}

/** @returns whether what is labelled as a file begins like a JSON object or list */
function beginsLikeJson(start: Uint8Array): boolean {
	return /^\s*[[{]/.test(new TextDecoder().decode(start.subarray(0, 100)));
}

function splitItems(response: HttpResponse, value: unknown): INodeExecutionData[] {
	assertSuccess(response, value);
	// As an item, `null` would end the execution (findings/null-response-ends-the-run).
	const values = Array.isArray(value) ? value : [value ?? {}];
	if (values.length > MAX_ITEMS) return [{ json: { data: values } }];
	return values.map((entry: unknown) => ({ json: toRecord(entry) }));
}
