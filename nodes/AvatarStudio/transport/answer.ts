import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { chunksOf, type Body } from './body';
import { Failure, parsed, wordsOf } from './failure';

/** An answer whose status and headers are there, and whose body is still to be read. */
export interface Answer {
	status: number;
	/** By lower-case name. */
	headers: IDataObject;
	body: Body;
	/** How long the body may stand still, in milliseconds. */
	idleMs: number;
}

/** Stores a file and makes an item of it; `bytes` is the whole file where it was read already. */
export type FileToItem = (answer: Answer, bytes?: Buffer) => Promise<INodeExecutionData>;

/**
 * n8n passes all items of one input item to a function as arguments, and JavaScript's stack
 * takes about 125,000 of them (n8n-core, routing-node.js).
 */
export const MOST_ITEMS = 100_000;

/** @returns a header's value where it was sent once and is not empty */
export function header(answer: Answer, name: string): string | undefined {
	const value = answer.headers[name];
	return typeof value === 'string' && value !== '' ? value : undefined;
}

/** @returns the media type of the answer in lower case without parameters, or '' */
export function mediaType(answer: Answer): string {
	return header(answer, 'content-type')?.split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * Reads the body as bytes.
 *
 * @param limit bytes after which the rest is left unread
 * @throws the stream's own error where the body is cut short
 */
export async function bytesOf(answer: Answer, limit = Infinity): Promise<Buffer> {
	const chunks: Uint8Array[] = [];
	let length = 0;
	for await (const chunk of chunksOf(answer.body, answer.idleMs)) {
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
export async function jsonOf(answer: Answer): Promise<unknown> {
	const text = new TextDecoder().decode(await bytesOf(answer));
	if (text.trim() === '') return undefined;
	const value = parsed(text);
	if (value === undefined || mediaType(answer) === 'text/html') throw notUnderstood(answer, text);
	return value;
}

/**
 * Reads an answer whose content does not matter.
 *
 * @throws Failure where it is a web page, which no service answers with
 */
export async function taken(answer: Answer): Promise<void> {
	const text = (await bytesOf(answer)).toString();
	if (mediaType(answer) === 'text/html') throw notUnderstood(answer, text);
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
export async function itemsOf(answer: Answer, toItem: FileToItem): Promise<INodeExecutionData[]> {
	const type = mediaType(answer);
	const isJson = /[/+]json$/.test(type);
	const isFile = type !== '' && !isJson && !type.startsWith('text/');
	if (isFile && header(answer, 'content-length') !== '0') {
		return [await toItem(answer)];
	}
	const bytes = await bytesOf(answer);
	const text = decoded(bytes);
	if (text === undefined) return [await toItem(answer, bytes)];
	const value = parsed(text);
	if (type === 'text/html' || (isJson && value === undefined && text.trim() !== '')) {
		throw notUnderstood(answer, text);
	}
	// A number with more digits than JavaScript keeps is not one.
	const isExact = typeof value !== 'number' || String(value) === text.trim();
	if (value !== undefined && isExact) return itemsOfValue(value);
	return itemsOfValue(text.trim() === '' ? {} : text);
}

/** @returns the text the bytes are, or undefined where they are none */
function decoded(bytes: Buffer): string | undefined {
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
	} catch {
		return undefined;
	}
}

function itemsOfValue(value: unknown): INodeExecutionData[] {
	const values = Array.isArray(value) ? value : [value];
	if (values.length > MOST_ITEMS) return [{ json: { data: values } }];
	const isEmpty = values.length === 0 || (isObject(value) && Object.keys(value).length === 0);
	if (isEmpty) return [{ json: { success: true } }];
	return values.map((entry: unknown) => ({ json: recordOf(entry) }));
}

/** @returns one JSON value as the `json` of an item, which must be an object */
export function recordOf(value: unknown): IDataObject {
	return isObject(value) ? value : { data: value as IDataObject[string] };
}

function notUnderstood(answer: Answer, text: string): Failure {
	const isPage = mediaType(answer) === 'text/html';
	return new Failure({
		happened: isPage
			? 'A web page came back where the service answers with data'
			: 'The answer of the service is not the JSON it should be',
		next: 'Check Base URL in the credential: something other than the service may be answering.',
		status: answer.status,
		words: wordsOf(text),
		outcomeUnknown: true,
	});
}
