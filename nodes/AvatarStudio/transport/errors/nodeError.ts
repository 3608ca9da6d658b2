import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import type { RequestError, RequestErrorDetails } from './requestError';

const KNOWN_KEYS = new Set([
	'detail',
	'error',
	'errors',
	'message',
	'status',
	'statusCode',
	'title',
]);

/**
 * A failure in one piece of text. An AI agent reads nothing else, so it holds what happened,
 * what the service said, which item, and what to do.
 *
 * @param item the number of the input item, where there are several
 */
export function formatErrorMessage({ details }: RequestError, item?: number): string {
	const status = details.status === undefined ? '' : ` (${details.status})`;
	const words =
		details.serviceMessage === undefined
			? ''
			: `: ${details.serviceMessage.replace(/[.\s]+$/, '')}`;
	const which = item === undefined ? '' : ` [item ${item}]`;
	return `${details.message}${status}${words}${which}. ${details.hint}`.trim();
}

/**
 * The failure as n8n shows it. Nothing of n8n's own error comes along: it holds the request and
 * with it the key.
 *
 * @param message what `failureText` made of it
 */
export function toNodeError(
	node: INode,
	{ details }: RequestError,
	message: string,
	itemIndex?: number,
): NodeApiError {
	const { responseBody: answer, status } = details;
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: hasFurtherDetails(answer) ? JSON.stringify(answer, null, 2) : undefined,
			httpCode: status === undefined ? undefined : String(status),
			itemIndex,
			failure: toPollFailure(details),
		},
	);
	// n8n swaps a message for one of its own where it holds a word like EEXIST, as "preexisting" does.
	error.message = message;
	return error;
}

/** Whether the service said more than the message tells anyway. */
function hasFurtherDetails(answer: IDataObject = {}): boolean {
	return Object.keys(answer).some((key) => !KNOWN_KEYS.has(key));
}

/** What n8n's durable polls hold back for. */
function toPollFailure(details: RequestErrorDetails): NodeApiError['failure'] {
	const { rateLimited: tooFast, retryable: passing, status = 0, retryAfterMs } = details;
	if (tooFast) return { cause: 'rate-limited', retryAfterMs };
	const isDown = passing === true || status >= 500;
	return isDown ? { cause: 'temporarily-unavailable', retryAfterMs } : undefined;
}
