import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CHECK_BASE_URL } from '../../errors/statusError';
import { RequestError } from '../../errors/userError';

import { concat, readChunks, type Chunks, type HttpResponse } from './body';
import { isObject, tryParseJson } from './json';
import { redactKey } from './redactKey';
import { describeFailure } from './serviceMessage';

/** Of what is not a file. Parsed, JSON takes up to 30 times as much memory. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const [MAX_EXPLANATION_LENGTH, MAX_EXPLANATION_MS] = [64 * 1024, 5_000];
/** n8n passes the items of one input item as arguments; the stack holds some 125,000. */
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

/** @returns what the response claims to be; a page comes from something other than the service */
export function getContentKind(response: HttpResponse): 'json' | 'page' | 'text' | 'file' {
	const type = getMediaType(response);
	if (/[/+]json$/.test(type)) return 'json';
	if (type === 'text/html' || type === 'application/xhtml+xml') return 'page';
	return type === '' || type.startsWith('text/') ? 'text' : 'file';
}

/** @returns the text that bytes encode, or undefined if they are not UTF-8 or contain a NUL */
export function tryDecode(bytes: Buffer): string | undefined {
	const text = bytes.toString();
	const isText = !bytes.includes(0) && bytes.equals(Buffer.from(text));
	return isText ? text.replace(/^\uFEFF/, '') : undefined;
}

/** @returns a body as far as the node reads it, and the rest of one that is larger */
async function readBytes(response: HttpResponse): Promise<{ bytes: Buffer; rest?: Chunks }> {
	const rest = readChunks(response);
	const chunks: Uint8Array[] = [];
	let length = 0;
	for (let next = await rest.next(); !next.done; next = await rest.next()) {
		chunks.push(next.value);
		length += next.value.length;
		if (length > MAX_BODY_BYTES) return { bytes: Buffer.concat(chunks), rest };
	}
	return { bytes: Buffer.concat(chunks) };
}

/** @returns the body as text, without the API key; throws if it is cut short, late or too large */
export async function readText(response: HttpResponse): Promise<string> {
	const { bytes, rest } = await readBytes(response);
	await rest?.return();
	if (rest) throw createResponseError(response, 'The response is larger than 8 MB');
	return redactKey(new TextDecoder().decode(bytes), response.apiKey);
}

/** @returns what the body of a failure says: its status has decided, so it is worth no long wait */
export async function readFailure(response: HttpResponse) {
	const timeout = Math.min(response.timeout, MAX_EXPLANATION_MS);
	const text = await readText({ ...response, timeout }).catch(() => '');
	return describeFailure(text.slice(0, MAX_EXPLANATION_LENGTH));
}

/**
 * @returns the JSON value of a body, null if it is empty, or its text if it need not be JSON
 * @throws RequestError for a web page, and for what is not the JSON it must be
 */
export function parseBody(
	response: HttpResponse,
	text: string,
	mustBeJson = getContentKind(response) === 'json',
): unknown {
	if (text.trim() === '') return null;
	if (getContentKind(response) === 'page') {
		throw createResponseError(response, 'The response is a web page instead of data', text);
	}
	const value = tryParseJson(text);
	if (value !== undefined || !mustBeJson) return value === undefined ? text : value;
	const problem = 'not valid JSON, nested too deeply, or has more than 500,000 values';
	throw createResponseError(response, `The response is ${problem}`, text);
}

/** @throws RequestError if the response is not the record that `service/openapi.yaml` documents */
export async function readRecord(response: HttpResponse): Promise<IDataObject> {
	const record = parseBody(response, await readText(response), true);
	assertSuccess(response, record);
	if (isObject(record) && Object.keys(record).length > 0) return record;
	throw createResponseError(response, 'The response contains no record');
}

/** @returns a JSON value as the `json` of an item, which must be an object */
export function toRecord(value: unknown): IDataObject {
	return isObject(value) ? value : { data: value as IDataObject[string] };
}

/**
 * Converts a response of any shape: an object becomes one item, a list one per entry, text
 * `{ data: text }`, and more than 8 MB a file: `content`, of which the beginning is read already.
 */
export async function toItems(
	response: HttpResponse,
	toFileItem: (content?: Chunks) => Promise<INodeExecutionData>,
): Promise<INodeExecutionData[]> {
	if (getContentKind(response) === 'file') return [await toFileItem()];
	const { bytes, rest } = await readBytes(response);
	const text = rest ? undefined : tryDecode(bytes);
	if (text === undefined) {
		return [await toFileItem(concat([bytes], rest)).finally(() => void rest?.return())];
	}
	const value = parseBody(response, redactKey(text, response.apiKey));
	assertSuccess(response, value);
	const values = Array.isArray(value) ? value : [value ?? {}];
	if (values.length > MAX_ITEMS) return [{ json: { data: values } }];
	return values.map((entry: unknown) => ({ json: toRecord(entry) }));
}

/** @throws RequestError if the JSON says that the request failed, which may have been done anyway */
export function assertSuccess({ status }: HttpResponse, value: unknown): void {
	const { error, success } = isObject(value) ? value : {};
	const words = typeof error === 'string' ? [error.trim()] : Object.values(error ?? {});
	if (success !== false && !words.some(Boolean)) return;
	throw new RequestError(
		'The service responded that the request failed',
		'Correct the values of this item and try again.',
		{ code: 'rejected', status, outcome: 'unknown', ...describeFailure('', value) },
	);
}

/** The error for a response that is not what the service sends; its `text` explains what it is. */
export function createResponseError({ status }: HttpResponse, summary: string, text = '') {
	const { serviceMessage } = describeFailure(text);
	const details = { code: 'unexpectedResponse', status, serviceMessage } as const;
	return new RequestError(summary, CHECK_BASE_URL, { ...details, outcome: 'unknown' });
}
