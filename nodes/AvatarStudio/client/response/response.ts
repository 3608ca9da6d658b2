import type { IDataObject } from 'n8n-workflow';

import { CORRECT_AND_TRY_AGAIN } from '../../errors/repeatAdvice';
import { CHECK_BASE_URL } from '../../errors/statuses';
import { RequestError } from '../../errors/userError';

import { readChunks, type Chunks, type HttpResponse } from './body';
import { isContainer, isObject, tryParseJson } from './json';
import { redactKey } from './redactKey';
import { isMessage, reportsFailure } from './reportedFailure';
import { describeFailure, describeValue } from './serviceMessage';
import { beginsAsText } from './syntax';

/** How many bytes of a body the node reads, unless it is a file: parsed, JSON takes up to 30 times that. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
/** How many characters of a failure's body are searched for the service's words. */
const MAX_EXPLANATION_LENGTH = 64 * 1024;
/** How long to wait for the body of a failure. */
const MAX_EXPLANATION_MS = 5_000;
/**
 * n8n passes the items of one input item as arguments (n8n-core 2.41.1, routing-node.js); the stack holds
 * some 125,000.
 */
export const MAX_ITEMS = 100_000;

/** @returns a header that was sent once and is not empty, without the API key */
export function getHeader(response: HttpResponse, name: string): string | undefined {
	const value = response.headers[name];
	return typeof value === 'string' && value !== '' ? redactKey(value, response.apiKey) : undefined;
}

/** @returns the media type in lower case without parameters, of several the first one, or '' */
export function getMediaType(response: HttpResponse): string {
	return getHeader(response, 'content-type')?.split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
}

/** @returns whether a media type is of audio, a video or a picture that is no text, as SVG is */
export function isMediaType(type: string): boolean {
	return /^(audio|image|video)\/(?!svg)/.test(type);
}

/** @returns what the response claims to be; a page comes from something other than the service */
export function getContentKind(response: HttpResponse): 'json' | 'page' | 'text' | 'file' {
	const type = getMediaType(response);
	if (/[/+]json$/.test(type)) return 'json';
	if (type === 'text/html' || type === 'application/xhtml+xml') return 'page';
	return type === '' || type.startsWith('text/') ? 'text' : 'file';
}

/** @returns the text that bytes encode, or undefined if they are not UTF-8, contain a NUL or begin like a file */
export function tryDecode(bytes: Buffer): string | undefined {
	const text = bytes.toString();
	const isText = !bytes.includes(0) && beginsAsText(text) && bytes.equals(Buffer.from(text));
	return isText ? text.replace(/^\uFEFF/, '') : undefined;
}

/** @returns chunks up to 8 MB, and whether the body has more */
export async function readBytes(chunks: Chunks): Promise<{ bytes: Buffer; hasMore: boolean }> {
	const start: Uint8Array[] = [];
	let length = 0;
	for (let next = await chunks.next(); !next.done; next = await chunks.next()) {
		start.push(next.value);
		length += next.value.length;
		if (length > MAX_BODY_BYTES) return { bytes: Buffer.concat(start), hasMore: true };
	}
	return { bytes: Buffer.concat(start), hasMore: false };
}

/** @returns the body as text, without the API key; throws if it is cut short, late or too large */
export async function readText(response: HttpResponse): Promise<string> {
	const chunks = readChunks(response);
	const { bytes, hasMore } = await readBytes(chunks);
	await chunks.return();
	if (hasMore) throw createResponseError(response, 'The response is larger than 8 MB');
	return redactKey(new TextDecoder().decode(bytes), response.apiKey);
}

/**
 * @returns what the body of a failure says. The status of the response has decided already, so a body
 *   that is late, too large or cut short counts as empty.
 */
export async function readFailure(response: HttpResponse) {
	const timeout = Math.min(response.timeout, MAX_EXPLANATION_MS);
	const text = await readText({ ...response, timeout }).catch(() => '');
	return describeFailure(text.slice(0, MAX_EXPLANATION_LENGTH));
}

/**
 * Parses a body. JSON is data whatever its label, because some servers label all they send as a page.
 *
 * @returns its JSON value, null if it is empty, or its text if it need not be JSON
 * @throws RequestError for a web page, and for what is not the JSON it must be
 */
export function parseBody(
	response: HttpResponse,
	text: string,
	mustBeJson = getContentKind(response) === 'json',
): unknown {
	if (text.trim() === '') return null;
	const value = tryParseJson(text);
	if (getContentKind(response) === 'page' && !isContainer(value)) {
		throw createResponseError(response, 'The response is a web page instead of data', text);
	}
	if (value !== undefined) return value;
	if (!mustBeJson) return text;
	const problem = 'not valid JSON, nested too deeply, or has more than 500,000 values';
	throw createResponseError(response, `The response is ${problem}`, text);
}

/**
 * Reads a record that was requested by its ID. It is the answer whatever its fields are called: an
 * `error` in it is that of the record, such as of a video that could not be rendered.
 *
 * @throws RequestError if the response is not the record that `service/openapi.yaml` documents
 */
export async function readRecord(response: HttpResponse): Promise<IDataObject> {
	const text = await readText(response);
	const record = parseBody(response, text, true);
	if (isObject(record) && Object.keys(record).length > 0) return record;
	throw createResponseError(response, 'The response contains no record', text);
}

/** @returns a JSON value as the `json` of an item, which must be an object */
export function toRecord(value: unknown): IDataObject {
	return isObject(value) ? value : { data: value as IDataObject[string] };
}

/** @throws RequestError if JSON says that the request failed, which may have been done anyway */
export function assertSuccess(response: HttpResponse, value: unknown): void {
	const isMessageAsFile = isMediaType(getMediaType(response)) && isMessage(value);
	if (!reportsFailure(value) && !isMessageAsFile) return;
	const { status } = response;
	throw new RequestError('The service responded that the request failed', CORRECT_AND_TRY_AGAIN, {
		code: 'rejected',
		status,
		outcome: 'unknown',
		...describeValue(value),
	});
}

/**
 * Creates the error for a response that is not what the service sends.
 *
 * @param text the body, if it may explain what it is; without the API key
 */
export function createResponseError({ status }: HttpResponse, summary: string, text = '') {
	const { serviceMessage } = describeFailure(text);
	const details = { code: 'unexpectedResponse', status, serviceMessage } as const;
	return new RequestError(summary, CHECK_BASE_URL, { ...details, outcome: 'unknown' });
}
