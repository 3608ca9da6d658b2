import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Content that is produced while it is sent, so that its size costs no memory. */
export interface SizedContent {
	size: number;
	chunks(): Iterable<Buffer>;
}

/** An answer before it is sent. A header set to null is left out. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, string | null>;
	body?: Buffer | SizedContent;
}

/** An answer in JSON. */
export function jsonResponse(value: unknown, status = 200): ServiceResponse {
	return {
		status,
		headers: { 'content-type': 'application/json; charset=utf-8' },
		body: Buffer.from(JSON.stringify(value)),
	};
}

/** An answer in plain text. */
export function textResponse(value: string, status = 200): ServiceResponse {
	return {
		status,
		headers: { 'content-type': 'text/plain; charset=utf-8' },
		body: Buffer.from(value),
	};
}

/** An answer without a body. */
export function emptyResponse(status = 204): ServiceResponse {
	return { status, headers: {} };
}

/** An answer that is a file, saved under the name when a browser opens it. */
export function fileResponse(
	content: Buffer | SizedContent,
	contentType: string,
	name: string,
): ServiceResponse {
	return {
		status: 200,
		headers: {
			'content-type': contentType,
			'content-disposition': contentDisposition(name),
		},
		body: content,
	};
}

/** A refusal in the shape { title, status, detail }. */
export function problemResponse(
	status: number,
	detail: string,
	more: object = {},
): ServiceResponse {
	return jsonResponse({ title: STATUS_CODES[status] ?? 'Error', status, detail, ...more }, status);
}

/** An answer with more headers; a name in another case replaces too. */
export function withHeaders(
	answer: ServiceResponse,
	headers: Record<string, string> = {},
): ServiceResponse {
	const added = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
	const merged = { ...answer.headers, ...Object.fromEntries(added) } as ServiceResponse['headers'];
	return { ...answer, headers: merged };
}

/** Sends an answer. With `cutHalfway` the connection ends after half of the body. */
export async function sendResponse(
	response: ServerResponse,
	{ status, headers, body }: ServiceResponse,
	cutHalfway = false,
): Promise<void> {
	const size = Buffer.isBuffer(body) ? body.length : (body?.size ?? 0);
	const length = status === 204 || status === 304 ? {} : { 'content-length': String(size) };
	const kept = Object.entries({ ...length, ...headers }).filter(([, value]) => value !== null);
	response.writeHead(status, Object.fromEntries(kept) as Record<string, string>);
	if (response.req.method === 'HEAD') {
		response.end();
	} else if (cutHalfway) {
		await writeAndFlush(response, firstHalf(body));
		response.destroy();
	} else if (body === undefined || Buffer.isBuffer(body)) {
		response.end(body);
	} else {
		await pipeline(Readable.from(body.chunks()), response);
	}
}

/** Body of a fault: an object goes out as JSON, text as text, bytes as they are. */
export function toResponse(status: number, body: string | Buffer | object): ServiceResponse {
	if (typeof body === 'string') return textResponse(body, status);
	if (Buffer.isBuffer(body)) {
		return { status, headers: { 'content-type': 'application/octet-stream' }, body };
	}
	return jsonResponse(body, status);
}

function contentDisposition(name: string): string {
	const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
	return `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`;
}

function* firstHalf(body: ServiceResponse['body']): Iterable<Buffer> {
	if (body === undefined) return;
	if (Buffer.isBuffer(body)) {
		yield body.subarray(0, body.length / 2);
		return;
	}
	let left = Math.floor(body.size / 2);
	for (const chunk of body.chunks()) {
		yield chunk.subarray(0, left);
		left -= chunk.length;
		if (left <= 0) return;
	}
}

async function writeAndFlush(response: ServerResponse, chunks: Iterable<Buffer>): Promise<void> {
	response.flushHeaders();
	await pipeline(Readable.from(chunks), response, { end: false });
	await new Promise<void>((resolve) => {
		response.once('close', resolve);
		response.write('', () => resolve());
	});
}
