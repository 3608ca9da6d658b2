import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request as the stand-in received it, and what became of it. */
export interface RecordedRequest {
	host: 'api' | 'files';
	method: string;
	/** Path and query exactly as sent, including the base path. */
	url: string;
	/** Path without the base path and the query. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	rawHeaders: string[];
	rawBody: string;
	/** The body parsed from JSON; undefined if it is not JSON. */
	body: unknown;
	/** How the request violates `openapi.yaml`, one sentence each. */
	violations: string[];
	/** Undefined if no response was sent. */
	responseStatus?: number;
	/** Whether the stand-in closed the connection before the whole response was sent. */
	wasDisconnected?: boolean;
	/** Whether the client closed the connection before the whole response was sent. */
	clientAborted?: boolean;
	/** When its headers arrived, by Date.now(). */
	startedAt: number;
}

/** Selects requests; without a host, those to the API. */
interface RequestTarget {
	method?: string;
	path?: string | RegExp;
	host?: RecordedRequest['host'];
}

/** A target, or a function that is given the requests to both hosts. */
export type RequestFilter = ((request: RecordedRequest) => boolean) | RequestTarget;

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

export function matchesRequest(filter: RequestFilter, request: RecordedRequest): boolean {
	if (typeof filter === 'function') return filter(request);
	const { method, path, host = 'api' } = filter;
	return (
		host === request.host &&
		(method === undefined || method.toUpperCase() === request.method) &&
		(path === undefined ||
			(typeof path === 'string' ? path === request.path : path.test(request.path)))
	);
}

/** The requests received so far, and who waits for one. */
export class RequestLog {
	requests: RecordedRequest[] = [];
	/** The requests whose body has been read. */
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
