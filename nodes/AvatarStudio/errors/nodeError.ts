import { NodeApiError, type INode } from 'n8n-workflow';

import { removeFullStop } from './extractErrorMessage';
import type { RequestError, RequestErrorDetails } from './requestError';

/**
 * Formats what happened: the message with the status and the service's own words. It ends without
 * a full stop, as n8n's own messages do.
 */
export function formatMessage({ details }: RequestError): string {
	const { message, status, serviceMessage } = details;
	const statusText = status === undefined ? '' : ` (${status})`;
	const serviceText = serviceMessage === undefined ? '' : `: ${removeFullStop(serviceMessage)}`;
	return message + statusText + serviceText;
}

/**
 * Formats an error as one text, what happened and what to do, for readers that get only one: AI
 * agents, lists and the credential test.
 */
export function formatErrorText(error: RequestError, itemIndex?: number): string {
	return `${addItemNumber(formatMessage(error), itemIndex)}. ${error.details.hint}`.trim();
}

/** @param itemIndex index of the input item, if there are several */
export function addItemNumber(message: string, itemIndex?: number): string {
	return itemIndex === undefined ? message : `${message} [item ${itemIndex}]`;
}

/**
 * Converts an error into the one n8n shows: what happened as its message, what to do as its
 * description, the error response under `context.data`. Nothing of n8n's own error is passed on:
 * it holds the request and with it the API key.
 *
 * @param message what the user reads first; n8n's notifications and error workflows show no more
 */
export function toNodeError(
	node: INode,
	{ details }: RequestError,
	message: string,
	itemIndex?: number,
): NodeApiError {
	const { hint, responseBody, status } = details;
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: hint || undefined,
			httpCode: status === undefined ? undefined : String(status),
			itemIndex,
			failure: toPollFailure(details),
		},
	);
	// n8n replaces messages that contain an error code such as EEXIST, even within "preexisting".
	error.message = message;
	if (responseBody !== undefined) error.context.data = responseBody;
	return error;
}

/** The reason n8n's durable polls back off for (n8n-workflow, `NodeApiError.failure`). */
function toPollFailure(details: RequestErrorDetails): NodeApiError['failure'] {
	const { rateLimited, retryable, status = 0, retryAfterMs } = details;
	if (rateLimited) return { cause: 'rate-limited', retryAfterMs };
	const isUnavailable = retryable === true || status >= 500;
	return isUnavailable ? { cause: 'temporarily-unavailable', retryAfterMs } : undefined;
}
