import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request as it arrived, and what became of it. */
export interface RecordedRequest {
	host: 'api' | 'files';
	method: string;
	/** Path and query exactly as sent, with the base path. */
	url: string;
	/** Path without the query, relative to the base path where it lies below it. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	rawHeaders: string[];
	rawBody: string;
	/** The body read as JSON; undefined where it is none. */
	body: unknown;
	/** Sentences that say how the request violates the contract. */
	violations: string[];
	/** The operation of the contract it leads to. */
	operation?: string;
	/** Status of the answer; undefined as long as (or if ever) none went out. */
	responseStatus?: number;
	/** Whether a fault ended the connection. */
	wasDisconnected?: boolean;
	/** Whether the client went away before the whole answer had left. */
	clientAborted?: boolean;
	startedAt: number;
}

/** The record of a request whose body is yet to be read. */
export function createRecord(
	host: RecordedRequest['host'],
	request: IncomingMessage,
	basePath: string,
): RecordedRequest {
	const url = request.url ?? '/';
	const [sentPath = '', queryText] = splitOnce(url, '?');
	return {
		host,
		method: request.method ?? '',
		url,
		path: sentPath.startsWith(`${basePath}/`) ? sentPath.slice(basePath.length) : sentPath,
		query: Object.fromEntries(new URLSearchParams(queryText)),
		headers: request.headers,
		rawHeaders: request.rawHeaders,
		rawBody: '',
		body: undefined,
		violations: [],
		startedAt: Date.now(),
	};
}

/** Reads the whole body into the record, as text and as JSON where it is JSON. */
export async function readBody(record: RecordedRequest, request: IncomingMessage): Promise<void> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	record.rawBody = Buffer.concat(chunks).toString('utf8');
	try {
		record.body = JSON.parse(record.rawBody);
	} catch {
		record.body = undefined;
	}
}

function splitOnce(text: string, separator: string): [string, string | undefined] {
	const at = text.indexOf(separator);
	return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}
