import type { RecordedRequest } from './recordedRequest';

/** Which requests are meant. Without a host: those of the API. */
export interface RequestTarget {
	method?: string;
	/** The whole path as text, or a pattern. */
	path?: string | RegExp;
	/** The operationId of the contract. */
	operation?: string;
	host?: RecordedRequest['host'];
}

/** A function sees the requests of both hosts. */
export type RequestFilter = ((request: RecordedRequest) => boolean) | RequestTarget;

/** Whether a request is among those that are meant. */
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
