import { NodeApiError, type INode } from 'n8n-workflow';

import type { UserError } from './userError';
import { removeFullStop } from './values';

/**
 * Formats what happened: the summary with the status and the service's own words. It ends without
 * a full stop, as n8n's own messages do.
 */
export function formatMessage(error: UserError): string {
	const { status, serviceMessage } = error.details;
	const statusText = status === undefined ? '' : ` (${status})`;
	const serviceText = serviceMessage === undefined ? '' : `: ${removeFullStop(serviceMessage)}`;
	return error.summary + statusText + serviceText;
}

/**
 * Formats an error as one text, what happened and what to do, for readers that get only one: AI
 * agents, lists and the credential test.
 */
export function formatErrorText(error: UserError, itemIndex?: number): string {
	return `${addItemNumber(formatMessage(error), itemIndex)}. ${error.hint}`.trim();
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
	error: UserError,
	message: string,
	itemIndex?: number,
): NodeApiError {
	const { responseBody, status } = error.details;
	const nodeError = new NodeApiError(
		node,
		{},
		{
			message,
			description: error.hint || undefined,
			httpCode: status === undefined ? undefined : String(status),
			itemIndex,
			failure: toPollFailure(error),
		},
	);
	// n8n replaces messages that contain an error code such as EEXIST, even within "preexisting".
	nodeError.message = message;
	if (responseBody !== undefined) nodeError.context.data = responseBody;
	return nodeError;
}

/** The reason n8n's durable polls back off for (n8n-workflow, `NodeApiError.failure`). */
function toPollFailure({ details }: UserError): NodeApiError['failure'] {
	const { code, isTransient, status = 0, retryAfterMs } = details;
	if (code === 'rateLimited') return { cause: 'rate-limited', retryAfterMs };
	const isUnavailable = isTransient || status >= 500;
	return isUnavailable ? { cause: 'temporarily-unavailable', retryAfterMs } : undefined;
}
