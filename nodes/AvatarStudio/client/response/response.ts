import type { IDataObject } from 'n8n-workflow';

import { CHECK_BASE_URL } from '../../errors/statusError';
import { RequestError } from '../../errors/userError';

import { readChunks, type HttpResponse } from './body';
import { isObject, isTooComplex, tryParseJson } from './json';
import { redactKey } from './redactKey';
import { describeFailure, extractErrorMessage } from './serviceMessage';

export type { HttpResponse };

/**
 * The largest body that is not a file, decompressed: a page of assets takes some 50 kB. Parsed, JSON
 * takes up to 30 times its length, and the smallest n8n has 768 MB.
 */
const MAX_BODY_BYTES = 8 * 1024 * 1024;
const MAX_EXPLANATION_LENGTH = 64 * 1024;
/** The status has decided; its words are worth no longer wait. */
const MAX_EXPLANATION_MS = 5_000;

/** @returns the value of a header that was sent once and is not empty, without the API key */
export function getHeader(response: HttpResponse, name: string): string | undefined {
	const value = response.headers[name];
	return typeof value === 'string' && value !== '' ? redactKey(value, response.apiKey) : undefined;
}

/** @returns the media type in lower case without parameters, of several the first one, or '' */
export function getMediaType(response: HttpResponse): string {
	return getHeader(response, 'content-type')?.split(/[;,]/)[0]?.trim().toLowerCase() ?? '';
}

/** @returns whether the response claims to be JSON */
export function isJson(response: HttpResponse): boolean {
	return /[/+]json$/.test(getMediaType(response));
}

/** @returns whether something other than the service responded with a web page, or an empty one */
export function isWebPage(response: HttpResponse): boolean {
	return ['text/html', 'application/xhtml+xml'].includes(getMediaType(response));
}

/** @returns the text that bytes encode, or undefined if they are not UTF-8 */
export function tryDecode(bytes: Buffer): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function decode(response: HttpResponse, bytes: Buffer): string {
	return redactKey(new TextDecoder().decode(bytes), response.apiKey);
}

async function collect(
	body: AsyncGenerator<Uint8Array, void>,
	limit: number,
	chunks: Uint8Array[],
): Promise<void> {
	for (let length = 0; length <= limit; ) {
		const { value } = await body.next();
		if (!value) return;
		chunks.push(value);
		length += value.length;
	}
}

/** @returns the beginning of a response that is not what was asked for, without the API key */
export async function readExplanation(response: HttpResponse): Promise<string> {
	const timeout = Math.min(response.timeout, MAX_EXPLANATION_MS);
	const body = readChunks({ ...response, timeout });
	const chunks: Uint8Array[] = [];
	// Twice as much, so that the key is never cut in two where the text ends.
	await collect(body, 2 * MAX_EXPLANATION_LENGTH, chunks).catch(() => undefined);
	await body.return();
	return decode(response, Buffer.concat(chunks)).slice(0, MAX_EXPLANATION_LENGTH);
}

/**
 * Reads the body as bytes.
 *
 * @param storeLarge takes a body that needs too much memory; without it, that is an error
 * @throws RequestError if the body is cut short, late or too large
 */
export async function readBytes<T = never>(
	response: HttpResponse,
	storeLarge?: (body: AsyncGenerator<Uint8Array, void>) => Promise<T>,
): Promise<Buffer | T> {
	const body = readChunks(response);
	try {
		const chunks: Uint8Array[] = [];
		await collect(body, MAX_BODY_BYTES, chunks);
		const bytes = Buffer.concat(chunks);
		if (bytes.length <= MAX_BODY_BYTES) return bytes;
		if (storeLarge) return await storeLarge(prepend(bytes, body));
		throw createUnexpectedResponseError(response, 'The response is larger than 8 MB');
	} finally {
		await body.return();
	}
}

async function* prepend(bytes: Buffer, rest: AsyncGenerator<Uint8Array, void>) {
	yield bytes;
	yield* rest;
}

/**
 * Tells data from what something other than the service sends.
 *
 * @param text the body, without the API key
 * @param mustBeJson whether nothing but JSON will do; what claims to be JSON must be
 * @returns its JSON value, or undefined if it is empty or other text
 * @throws RequestError for a web page, and for what is not the JSON it must be
 */
export function parseText(
	response: HttpResponse,
	text: string,
	mustBeJson = isJson(response),
): unknown {
	if (text.trim() === '') return undefined;
	const isPage = isWebPage(response);
	const value = tryParseJson(text);
	if (!isPage && (value !== undefined || !mustBeJson)) return value;
	const problem = isPage ? 'a web page instead of data' : 'not valid JSON';
	const words = extractErrorMessage(text);
	throw createUnexpectedResponseError(response, `The response is ${problem}`, words);
}

/** @throws RequestError if a body that `service/openapi.yaml` documents as JSON is something else */
export function parseJson(response: HttpResponse, bytes: Buffer): unknown {
	const value = parseText(response, decode(response, bytes), true);
	if (!isTooComplex(value)) return value;
	const problem = 'is nested too deeply, or has more than 500,000 values';
	throw createUnexpectedResponseError(response, `The response ${problem}`);
}

/** @throws RequestError if the response is not the record that `service/openapi.yaml` documents */
export async function readRecord(response: HttpResponse): Promise<IDataObject> {
	const record = parseJson(response, await readBytes(response));
	assertSuccess(response, record);
	if (isObject(record) && Object.keys(record).length > 0) return record;
	throw createEmptyResponseError();
}

/**
 * Reads a response whose content does not matter.
 *
 * @throws RequestError if it is a web page, which the service never sends, or says that it failed
 */
export async function discardBody(response: HttpResponse): Promise<void> {
	assertSuccess(response, parseText(response, decode(response, await readBytes(response)), false));
}

/**
 * Services of this kind may respond to a failure with status 200 and say so in the body.
 *
 * @throws RequestError in the service's words if its JSON says `success: false` or has an `error`
 *   with something in it. Whether anything was done is not known, so nothing is sent again
 */
export function assertSuccess({ status }: HttpResponse, value: unknown): void {
	if (!isObject(value) || (value.success !== false && !isFilled(value.error))) return;
	throw new RequestError(
		'The service responded that the request failed',
		'Correct the values of this item and try again.',
		{ code: 'rejected', status, outcome: 'unknown', ...describeFailure(value) },
	);
}

function isFilled(error: unknown): boolean {
	if (typeof error === 'string') return error.trim() !== '';
	return typeof error === 'object' && error !== null && Object.values(error).some(Boolean);
}

/** The error for a request for a record that brought none, although its status says so. */
export function createEmptyResponseError(): RequestError {
	return new RequestError(
		'The response contains no record',
		'Try again later. If this keeps happening, check Base URL in the credential.',
		{ code: 'unexpectedResponse', outcome: 'done' },
	);
}

/** The error for a response that is not what the service sends. */
export function createUnexpectedResponseError(
	{ status }: HttpResponse,
	summary: string,
	serviceMessage?: string,
): RequestError {
	const details = { code: 'unexpectedResponse', status, serviceMessage } as const;
	return new RequestError(summary, CHECK_BASE_URL, { ...details, outcome: 'unknown' });
}
