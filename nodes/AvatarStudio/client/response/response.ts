import type { IDataObject } from 'n8n-workflow';

import { extractErrorMessage } from '../../errors/extractErrorMessage';
import { RequestError } from '../../errors/requestError';
import { CHECK_BASE_URL } from '../../errors/statusErrors';
import { redactKey } from '../authenticate';

import { readChunks, type ResponseBody } from './body';
import { isObject, tryParseJson } from './json';

/** A response whose status and headers have arrived and whose body is still to be read. */
export interface HttpResponse {
	/** The absolute URL it came from. */
	url: string;
	status: number;
	/** By lower-case name. */
	headers: IDataObject;
	body: ResponseBody;
	/** How long the body may stall, in milliseconds. */
	bodyTimeoutMs: number;
	/** The API key that was sent, to be redacted: some services repeat what they reject. */
	apiKey?: unknown;
}

/** @returns the value of a header that was sent once and is not empty */
export function getHeader(response: HttpResponse, name: string): string | undefined {
	const value = response.headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** @returns the media type in lower case without parameters, or '' */
export function getMediaType(response: HttpResponse): string {
	return getHeader(response, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * Reads the body as bytes.
 *
 * @param limit number of bytes after which the rest is left unread
 * @throws the stream's own error if the body is cut short
 */
export async function readBytes(response: HttpResponse, limit = Infinity): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of readChunks(response.body, response.bodyTimeoutMs)) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > limit) break;
	}
	return Buffer.concat(chunks);
}

/**
 * Reads a response that `service/openapi.yaml` documents as JSON.
 *
 * @returns undefined for an empty body
 * @throws RequestError if it is something else, such as a web page
 */
export async function readJson(response: HttpResponse): Promise<unknown> {
	const text = new TextDecoder().decode(await readBytes(response));
	if (text.trim() === '') return undefined;
	const value = tryParseJson(text);
	if (value === undefined || isWebPage(response)) throw describeUnexpectedResponse(response, text);
	return value;
}

/**
 * Reads a response that `service/openapi.yaml` documents as one record.
 *
 * @throws RequestError if it is something else
 */
export async function readRecord(response: HttpResponse): Promise<IDataObject> {
	const record = await readJson(response);
	if (isObject(record)) return record;
	throw describeEmptyResponse();
}

/**
 * Reads a response whose content does not matter.
 *
 * @throws RequestError if it is a web page, which the service never sends
 */
export async function discardBody(response: HttpResponse): Promise<void> {
	const text = (await readBytes(response)).toString();
	if (text.trim() !== '' && isWebPage(response)) throw describeUnexpectedResponse(response, text);
}

/**
 * @returns whether the response is a web page: something other than the service responded. It may be
 *   empty: some frameworks give that type to a response without a body
 */
export function isWebPage(response: HttpResponse): boolean {
	return getMediaType(response) === 'text/html';
}

/** @returns whether the response claims to be JSON */
export function isJson(response: HttpResponse): boolean {
	return /[/+]json$/.test(getMediaType(response));
}

/** The error for a request for a record that brought none, although its status says so. */
export function describeEmptyResponse(): RequestError {
	return new RequestError(
		'The response contains no record',
		'Try again later. If this keeps happening, check Base URL in the credential.',
	);
}

/** The error for a response that is not what the service sends. */
export function describeUnexpectedResponse(response: HttpResponse, text: string): RequestError {
	return new RequestError(
		isWebPage(response)
			? 'The response is a web page instead of data'
			: 'The response is not valid JSON',
		CHECK_BASE_URL,
		{
			status: response.status,
			serviceMessage: extractErrorMessage(redactKey(text, response.apiKey)),
			outcomeUnknown: true,
		},
	);
}
