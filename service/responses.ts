import { STATUS_CODES } from 'node:http';
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Content generated while it is sent, so that its size costs no memory. */
export interface GeneratedContent {
	size: number;
	chunks(): Iterable<Buffer>;
}

/** A response before it is sent. A header set to null is omitted. */
export interface ServiceResponse {
	status: number;
	headers: Record<string, string | null>;
	body?: Buffer | GeneratedContent;
}

export function jsonResponse(value: unknown, status = 200): ServiceResponse {
	return createResponse(status, 'application/json; charset=utf-8', JSON.stringify(value));
}

function textResponse(value: string, status = 200): ServiceResponse {
	return createResponse(status, 'text/plain; charset=utf-8', value);
}

export function emptyResponse(status = 204): ServiceResponse {
	return { status, headers: {} };
}

/** Creates the response with a file that a browser saves under `name`. */
export function fileResponse(
	body: Buffer | GeneratedContent,
	contentType: string,
	name: string,
): ServiceResponse {
	const ascii = name.replace(/[^\x20-\x7e]|["\\]/g, '_');
	const disposition = `attachment; filename="${ascii}"; filename*=UTF-8''${encodeURIComponent(name)}`;
	return {
		status: 200,
		headers: { 'content-type': contentType, 'content-disposition': disposition },
		body,
	};
}

/** Cuts the part of a file that a Range header asks for, so that a browser can seek in a video. */
export function takeRange(response: ServiceResponse, range = ''): ServiceResponse {
	const { body } = response;
	const [, first, last] = /^bytes=(\d+)-(\d*)$/.exec(range) ?? [];
	if (!Buffer.isBuffer(body)) return response;
	if (first === undefined) return withHeaders(response, { 'accept-ranges': 'bytes' });
	const start = Number(first);
	const part = body.subarray(start, last ? Number(last) + 1 : undefined);
	const headers = { 'content-range': `bytes ${start}-${start + part.length - 1}/${body.length}` };
	return { ...withHeaders(response, headers), status: 206, body: part };
}

/** Creates an error as `{ title, status, detail }`: the service's errors are presumably such problems. */
export function problemResponse(
	status: number,
	detail: string,
	more: object = {},
): ServiceResponse {
	return jsonResponse({ title: STATUS_CODES[status] ?? 'Error', status, detail, ...more }, status);
}

/** Creates the error of ASP.NET Core for fields that are not valid, with the reasons by field. */
export function validationProblem(errors: Record<string, string[]>): ServiceResponse {
	const status = 400;
	const title = 'One or more validation errors occurred.';
	return createResponse(
		status,
		'application/problem+json; charset=utf-8',
		JSON.stringify({ type: 'about:blank', title, status, errors }),
	);
}

/** Creates the error of a storage host, which is XML. */
export function storageError(status: number, code: string, message: string): ServiceResponse {
	const body = `<?xml version='1.0' encoding='UTF-8'?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;
	return createResponse(status, 'application/xml; charset=UTF-8', body);
}

/** Creates the response of a fault: an object is sent as JSON, text as text, bytes unchanged. */
export function toResponse(status: number, body: string | Buffer | object): ServiceResponse {
	if (typeof body === 'string') return textResponse(body, status);
	if (Buffer.isBuffer(body)) return createResponse(status, 'application/octet-stream', body);
	return jsonResponse(body, status);
}

/** Adds headers to a response. They replace those of the same name, in upper or lower case. */
export function withHeaders(
	response: ServiceResponse,
	headers: Record<string, string> = {},
): ServiceResponse {
	const merged = { ...response.headers };
	for (const [name, value] of Object.entries(headers)) merged[name.toLowerCase()] = value;
	return { ...response, headers: merged };
}

/** Sends a response; with `cutHalfway` the connection is closed within the body. */
export async function sendResponse(
	target: ServerResponse,
	{ status, headers, body = Buffer.alloc(0) }: ServiceResponse,
	cutHalfway = false,
): Promise<void> {
	const size = Buffer.isBuffer(body) ? body.length : body.size;
	const length = status === 204 || status === 304 ? {} : { 'content-length': String(size) };
	const sent = Object.entries({ ...length, ...headers }).filter(([, value]) => value !== null);
	target.writeHead(status, Object.fromEntries(sent) as Record<string, string>);
	if (cutHalfway) {
		target.flushHeaders();
		const [chunk = Buffer.alloc(0)] = Buffer.isBuffer(body) ? [body] : body.chunks();
		await new Promise<void>((resolve) => {
			target.once('close', resolve);
			target.write(chunk.subarray(0, Math.ceil(chunk.length / 2)), () => resolve());
		});
		target.destroy();
	} else if (Buffer.isBuffer(body)) {
		target.end(body);
	} else {
		await pipeline(Readable.from(body.chunks()), target);
	}
}

function createResponse(
	status: number,
	contentType: string,
	body: string | Buffer,
): ServiceResponse {
	return { status, headers: { 'content-type': contentType }, body: Buffer.from(body) };
}
