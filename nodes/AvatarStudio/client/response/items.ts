import type { INodeExecutionData } from 'n8n-workflow';

import {
	concat,
	limitLength,
	peek,
	readChunks,
	toStream,
	type Chunks,
	type HttpResponse,
} from './body';
import { isContainer, tryParseJson } from './json';
import { redactChunks, redactKey } from './redactKey';
import {
	assertSuccess,
	createResponseError,
	getContentKind,
	getMediaType,
	isMediaType,
	MAX_ITEMS,
	parseBody,
	readBytes,
	readFailure,
	toRecord,
	tryDecode,
} from './response';
import { detectSyntax } from './syntax';

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
	const type = getMediaType(response);
	const isFile = getContentKind(response) === 'file';
	const { start, content } = await peek(readChunks(response, { isFile }));
	const syntax = isFile ? detectSyntax(start) : undefined;
	const isMislabeledPage = syntax === 'markup' && !type.includes('xml');
	if (isMislabeledPage) throw await createNoFileError(response, content, 'a web page or XML');
	const mayBeData = !isFile || syntax === 'json';
	if (!mayBeData) return [await toFileItem(content)];
	const { bytes, hasMore } = await readBytes(content);
	const text = hasMore ? undefined : tryDecode(bytes);
	// What is labelled as a file is data if it is JSON; what is labelled as JSON or text is data if it can
	// be decoded.
	const isData = isFile ? isContainer(tryParseJson(text ?? '')) : text !== undefined;
	if (isData) return splitItems(response, parseBody(response, redactKey(text!, response.apiKey)));
	const all = concat([bytes], content);
	// No audio, picture or video begins like JSON.
	if (!hasMore && isMediaType(type)) throw await createNoFileError(response, all, 'text');
	return [await toFileItem(hasMore ? limitData(response, all) : all)];
}

/** @returns the error of a response that is labelled as a file but is text, with what that says */
async function createNoFileError(response: HttpResponse, content: Chunks, what: string) {
	const body = toStream(response, content);
	const { serviceMessage } = await readFailure({ ...response, body });
	const error = createResponseError(response, `The response is ${what} instead of a file`);
	return error.with({ serviceMessage });
}

/** Passes on JSON or text that is too long to be parsed, without the API key. */
function limitData(response: HttpResponse, content: Chunks): Chunks {
	const createError = () =>
		createResponseError(response, 'The response is more than 64 MB of JSON or text');
	return limitLength(redactChunks(content, response.apiKey), MAX_DATA_BYTES, createError);
}

function splitItems(response: HttpResponse, value: unknown): INodeExecutionData[] {
	assertSuccess(response, value);
	// As an item, `null` would end the execution (findings/null-response-ends-the-run).
	const values = Array.isArray(value) ? value : [value ?? {}];
	if (values.length > MAX_ITEMS) return [{ json: { data: values } }];
	return values.map((entry: unknown) => ({ json: toRecord(entry) }));
}
