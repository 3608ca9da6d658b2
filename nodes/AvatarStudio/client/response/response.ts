import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CHECK_BASE_URL } from '../../errors/statusError';
import { RequestError } from '../../errors/userError';

import { readChunks, type FileContent, type HttpResponse } from './body';
import { isObject, isTooComplex, tryParseJson } from './json';
import { redactKey } from './redactKey';
import { describeFailure } from './serviceMessage';

export type { HttpResponse };

/** Of what is not a file, decompressed. Parsed, JSON takes up to 30 times as much memory. */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const [MAX_EXPLANATION_LENGTH, MAX_EXPLANATION_MS] = [64 * 1024, 5_000];
/** n8n passes the items of one input item as arguments; the stack holds some 125,000. */
export const MAX_ITEMS = 100_000;

/** @returns the value of a header that was sent once and is not empty, without the API key */
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
	try {
		return bytes.includes(0) ? undefined : new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

/** @param storeLarge takes a body of more than 8 MB; without it, that is an error */
async function readBytes<T = never>(
	response: HttpResponse,
	storeLarge?: (body: AsyncGenerator<Uint8Array, void>) => Promise<T>,
): Promise<Buffer | T> {
	const body = readChunks(response);
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of body) {
		chunks.push(chunk);
		length += chunk.length;
		if (length <= MAX_BODY_BYTES) continue;
		if (storeLarge) return await storeLarge(concat(chunks, body));
		throw createResponseError(response, 'The response is larger than 8 MB');
	}
	return Buffer.concat(chunks);
}

async function* concat(start: Uint8Array[], rest: AsyncGenerator<Uint8Array, void>) {
	yield* start;
	yield* rest;
}

/** @returns the body as text, without the API key; throws if it is cut short, late or too large */
export async function readText(response: HttpResponse): Promise<string> {
	const text = new TextDecoder().decode(await readBytes(response));
	return redactKey(text, response.apiKey);
}

/** @returns what the body of a failure says: its status has decided, so it is worth no long wait */
export async function readFailure(response: HttpResponse) {
	const timeout = Math.min(response.timeout, MAX_EXPLANATION_MS);
	const text = await readText({ ...response, timeout }).catch(() => '');
	return describeFailure(text.slice(0, MAX_EXPLANATION_LENGTH));
}

/**
 * @param text the body, without the API key
 * @param mustBeJson what claims to be JSON must be
 * @returns its JSON value, null if it is empty, or the text itself if it is no JSON
 * @throws RequestError for a web page, and for what is not the JSON it must be
 */
function parseText(
	response: HttpResponse,
	text: string,
	mustBeJson = getContentKind(response) === 'json',
): unknown {
	const fail = (problem: string, words?: string) =>
		createResponseError(response, `The response is ${problem}`, words);
	if (text.trim() === '') return null;
	if (getContentKind(response) === 'page') throw fail('a web page instead of data', text);
	const value = tryParseJson(text);
	if (value === undefined && mustBeJson) throw fail('not valid JSON', text);
	return value === undefined ? text : value;
}

/** @throws RequestError also for more than n8n can bear */
export function parseJson(response: HttpResponse, text: string): unknown {
	const value = parseText(response, text, true);
	if (!isTooComplex(value)) return value;
	const problem = 'nested too deeply, or has more than 500,000 values';
	throw createResponseError(response, `The response is ${problem}`);
}

/** @throws RequestError if the response is not the record that `service/openapi.yaml` documents */
export async function readRecord(response: HttpResponse): Promise<IDataObject> {
	const record = parseJson(response, await readText(response));
	assertSuccess(response, record);
	if (isObject(record) && Object.keys(record).length > 0) return record;
	throw createResponseError(response, 'The response contains no record');
}

/** Reads a response whose content does not matter, unless it is a page or says that it failed. */
export async function discardBody(response: HttpResponse): Promise<void> {
	assertSuccess(response, parseText(response, await readText(response), false));
}

/** @returns a JSON value as the `json` of an item, which must be an object */
export function toRecord(value: unknown): IDataObject {
	return isObject(value) ? value : { data: value as IDataObject[string] };
}

/**
 * Converts a response of any shape: an object becomes one item, a list one per entry, text
 * `{ data: text }`, and nothing (no body, `null`, `{}` or `[]`) none.
 *
 * @param toFileItem stores a file, which is `content` if it was read already
 * @param keepsLarge whether a response of more than 8 MB becomes a file instead of an error
 */
export async function toItems(
	response: HttpResponse,
	toFileItem: (response: HttpResponse, content?: FileContent) => Promise<INodeExecutionData>,
	keepsLarge: boolean,
): Promise<INodeExecutionData[]> {
	if (getContentKind(response) === 'file' && getHeader(response, 'content-length') !== '0') {
		return [await toFileItem(response)];
	}
	const storeLarge = async (body: FileContent) => await toFileItem(response, body);
	const bytes = await readBytes(response, keepsLarge ? storeLarge : undefined);
	if (!Buffer.isBuffer(bytes)) return [bytes];
	const text = tryDecode(bytes);
	if (text === undefined) return [await toFileItem(response, bytes)];
	const redacted = redactKey(text, response.apiKey);
	const parsed = parseText(response, redacted);
	const value = isTooComplex(parsed) ? redacted : parsed;
	assertSuccess(response, value);
	if (value === null || (isObject(value) && Object.keys(value).length === 0)) return [];
	const values = Array.isArray(value) ? value : [value];
	if (values.length > MAX_ITEMS) return [{ json: { data: values } }];
	return values.map((entry: unknown) => ({ json: toRecord(entry) }));
}

/**
 * @throws RequestError in the service's words if its JSON says `success: false` or has an `error` with
 *   something in it. Nothing is sent again: it may have been done
 */
export function assertSuccess({ status }: HttpResponse, value: unknown): void {
	const { error, success } = isObject(value) ? value : {};
	const isFilled =
		typeof error === 'string' ? error.trim() !== '' : Object.values(error ?? {}).some(Boolean);
	if (success !== false && !isFilled) return;
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
