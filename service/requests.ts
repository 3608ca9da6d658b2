import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request as it arrived, and its outcome. */
export interface RecordedRequest {
	host: 'api' | 'files';
	method: string;
	/** Path and query exactly as sent, including the base path. */
	url: string;
	/** Path without query and base path. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	rawHeaders: string[];
	rawBody: string;
	/** The parsed JSON body; undefined if there is none. */
	body: unknown;
	/** How the request violates `openapi.yaml`, one sentence each. */
	violations: string[];
	/** operationId of the operation it addresses. */
	operation?: string;
	/** Status of the response; undefined until one is sent. */
	responseStatus?: number;
	/** Whether a fault closed the connection. */
	wasDisconnected?: boolean;
	/** Whether the client closed the connection before the whole response was sent. */
	clientAborted?: boolean;
	/** Arrival time in milliseconds since the epoch. */
	startedAt: number;
}

/** Selects requests; without a host, those to the API. */
export interface RequestTarget {
	method?: string;
	/** The whole path, or a pattern. */
	path?: string | RegExp;
	/** operationId in `openapi.yaml`. */
	operation?: string;
	host?: RecordedRequest['host'];
}

/** A target, or a function that is given the requests to both hosts. */
export type RequestFilter = ((request: RecordedRequest) => boolean) | RequestTarget;

/** Creates the record of a request whose body is still to be read. */
export function createRecord(
	host: RecordedRequest['host'],
	{ url = '/', method = '', headers, rawHeaders }: IncomingMessage,
	basePath: string,
): RecordedRequest {
	const [, fullPath = '', query] = /^([^?]*)\??(.*)$/s.exec(url)!;
	return {
		host,
		method,
		url,
		path: fullPath.startsWith(`${basePath}/`) ? fullPath.slice(basePath.length) : fullPath,
		query: Object.fromEntries(new URLSearchParams(query)),
		headers,
		rawHeaders,
		rawBody: '',
		body: undefined,
		violations: [],
		startedAt: Date.now(),
	};
}

/** Reads the whole body into the record. */
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

/** Whether a filter selects a request. */
export function matchesRequest(filter: RequestFilter, request: RecordedRequest): boolean {
	if (typeof filter === 'function') return filter(request);
	const { method, path, operation, host = 'api' } = filter;
	return (
		host === request.host &&
		(method === undefined || method.toUpperCase() === request.method) &&
		(operation === undefined || operation === request.operation) &&
		(path === undefined ||
			(typeof path === 'string' ? path === request.path : path.test(request.path)))
	);
}

/** Every request in order of arrival, and the callers waiting for one. */
export class RequestLog {
	requests: RecordedRequest[] = [];
	private readonly read = new WeakSet<RecordedRequest>();
	private waiting: { filter: RequestFilter; resolve: (record: RecordedRequest) => void }[] = [];

	/** Resolves the callers waiting for this request, whose body has been read. */
	markRead(record: RecordedRequest): void {
		this.read.add(record);
		const served = this.waiting.filter(({ filter }) => matchesRequest(filter, record));
		this.waiting = this.waiting.filter((entry) => !served.includes(entry));
		served.forEach(({ resolve }) => resolve(record));
	}

	/** The first matching request, body included: one already logged, or the next to arrive. */
	async waitForRequest(filter: RequestFilter): Promise<RecordedRequest> {
		const logged = this.requests.find(
			(record) => this.read.has(record) && matchesRequest(filter, record),
		);
		return logged ?? new Promise((resolve) => this.waiting.push({ filter, resolve }));
	}
}
