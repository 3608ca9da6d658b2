import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { RequestError, tryParseJson, extractErrorMessage } from '../errors/requestError';

import { readChunks, type ResponseBody } from './body';

/** An answer whose status and headers are there, and whose body is still to be read. */
export interface HttpResponse {
	status: number;
	/** By lower-case name. */
	headers: IDataObject;
	body: ResponseBody;
	/** How long the body may stand still, in milliseconds. */
	bodyTimeoutMs: number;
}

/** Stores a file and makes an item of it; `bytes` is the whole file where it was read already. */
export type ToFileItem = (answer: HttpResponse, bytes?: Buffer) => Promise<INodeExecutionData>;

/**
 * n8n passes all items of one input item to a function as arguments, and JavaScript's stack
 * takes about 125,000 of them (n8n-core, routing-node.js).
 */
export const MAX_ITEMS = 100_000;

/** @returns a header's value where it was sent once and is not empty */
export function getHeader(answer: HttpResponse, name: string): string | undefined {
	const value = answer.headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** @returns the media type of the answer in lower case without parameters, or '' */
export function getMediaType(answer: HttpResponse): string {
	return getHeader(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * Reads the body as bytes.
 *
 * @param limit bytes after which the rest is left unread
 * @throws the stream's own error where the body is cut short
 */
export async function readBytes(answer: HttpResponse, limit = Infinity): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of readChunks(answer.body, answer.bodyTimeoutMs)) {
		chunks.push(chunk);
		length += chunk.length;
		if (length > limit) break;
	}
	return Buffer.concat(chunks);
}

/** @returns whether `value` is what JSON calls an object */
export function isObject(value: unknown): value is IDataObject {
	return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * The JSON value of an answer that the specification shows as JSON.
 *
 * @returns undefined for an empty body
 * @throws Failure where it is something else, a web page for instance
 */
export async function readJson(answer: HttpResponse): Promise<unknown> {
	const text = new TextDecoder().decode(await readBytes(answer));
	if (text.trim() === '') return undefined;
	const value = tryParseJson(text);
	if (value === undefined || getMediaType(answer) === 'text/html')
		throw unexpectedResponse(answer, text);
	return value;
}

/**
 * Reads an answer whose content does not matter.
 *
 * @throws Failure where it is a web page, which no service answers with
 */
export async function discardBody(answer: HttpResponse): Promise<void> {
	const text = (await readBytes(answer)).toString();
	if (getMediaType(answer) === 'text/html') throw unexpectedResponse(answer, text);
}

/**
 * The items of an answer of any shape: an object is one item, a list one item an entry, text is
 * `{ data: text }`, nothing at all or `{}` is `{ success: true }`, a file becomes what `toItem`
 * makes of it. The specification leaves these answers open, so none of them may be lost
 * (sections 4.2 and 4.3).
 *
 * @param toItem stores a file and describes it
 * @throws Failure where the answer says it is JSON and is not, or is a web page
 */
export async function toItems(
	answer: HttpResponse,
	toItem: ToFileItem,
): Promise<INodeExecutionData[]> {
	const type = getMediaType(answer);
	const isJson = /[/+]json$/.test(type);
	const isFile = type !== '' && !isJson && !type.startsWith('text/');
	if (isFile && getHeader(answer, 'content-length') !== '0') {
		return [await toItem(answer)];
	}
	const bytes = await readBytes(answer);
	const text = tryDecode(bytes);
	if (text === undefined) return [await toItem(answer, bytes)];
	const value = tryParseJson(text);
	if (type === 'text/html' || (isJson && value === undefined && text.trim() !== '')) {
		throw unexpectedResponse(answer, text);
	}
	// A number with more digits than JavaScript keeps is not one.
	const isExact = typeof value !== 'number' || String(value) === text.trim();
	if (value !== undefined && isExact) return valueToItems(value);
	return valueToItems(text.trim() === '' ? {} : text);
}

/** @returns the text the bytes are, or undefined where they are none */
function tryDecode(bytes: Buffer): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function valueToItems(value: unknown): INodeExecutionData[] {
	const values = Array.isArray(value) ? value : [value];
	if (values.length > MAX_ITEMS) return [{ json: { data: values } }];
	const isEmpty = values.length === 0 || (isObject(value) && Object.keys(value).length === 0);
	if (isEmpty) return [{ json: { success: true } }];
	return values.map((entry: unknown) => ({ json: toRecord(entry) }));
}

/** @returns one JSON value as the `json` of an item, which must be an object */
export function toRecord(value: unknown): IDataObject {
	return isObject(value) ? value : { data: value as IDataObject[string] };
}

function unexpectedResponse(answer: HttpResponse, text: string): RequestError {
	const isPage = getMediaType(answer) === 'text/html';
	return new RequestError({
		message: isPage
			? 'A web page came back where the service answers with data'
			: 'The answer of the service is not the JSON it should be',
		hint: 'Check Base URL in the credential: something other than the service may be answering.',
		status: answer.status,
		serviceMessage: extractErrorMessage(text),
		outcomeUnknown: true,
	});
}
