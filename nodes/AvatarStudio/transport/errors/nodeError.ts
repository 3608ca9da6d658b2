import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import type { RequestError, RequestErrorDetails } from './requestError';

/** Keys whose content the message already shows. */
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
 * Formats an error as one text: what happened, what the service said, which item, what to do. An
 * AI agent reads nothing but the message.
 *
 * @param itemIndex index of the input item, if there are several
 */
export function formatErrorMessage({ details }: RequestError, itemIndex?: number): string {
	const status = details.status === undefined ? '' : ` (${details.status})`;
	const serviceMessage =
		details.serviceMessage === undefined
			? ''
			: `: ${details.serviceMessage.replace(/[.\s]+$/, '')}`;
	const item = itemIndex === undefined ? '' : ` [item ${itemIndex}]`;
	return `${details.message}${status}${serviceMessage}${item}. ${details.hint}`.trim();
}

/**
 * Converts an error into the one n8n shows. Nothing of n8n's own error is passed on: it holds the
 * request and with it the API key.
 *
 * @param message the formatted message
 */
export function toNodeError(
	node: INode,
	{ details }: RequestError,
	message: string,
	itemIndex?: number,
): NodeApiError {
	const { responseBody, status } = details;
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: hasFurtherDetails(responseBody)
				? JSON.stringify(responseBody, null, 2)
				: undefined,
			httpCode: status === undefined ? undefined : String(status),
			itemIndex,
			failure: toPollFailure(details),
		},
	);
	// n8n replaces messages that contain an error code such as EEXIST, even within "preexisting".
	error.message = message;
	return error;
}

/** Whether the response says more than the message shows. */
function hasFurtherDetails(responseBody: IDataObject = {}): boolean {
	return Object.keys(responseBody).some((key) => !KNOWN_KEYS.has(key));
}

/** The reason n8n's durable polls back off for (n8n-workflow, `NodeApiError.failure`). */
function toPollFailure(details: RequestErrorDetails): NodeApiError['failure'] {
	const { rateLimited, retryable, status = 0, retryAfterMs } = details;
	if (rateLimited) return { cause: 'rate-limited', retryAfterMs };
	const isUnavailable = retryable === true || status >= 500;
	return isUnavailable ? { cause: 'temporarily-unavailable', retryAfterMs } : undefined;
}
