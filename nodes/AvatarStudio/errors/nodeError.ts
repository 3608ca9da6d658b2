import { NodeApiError, type INode } from 'n8n-workflow';

import { removeFullStop } from './formatText';
import type { UserError } from './userError';

/** Formats what happened, with the status and the service's words. Like n8n's, it has no full stop. */
export function formatMessage({ summary, details }: UserError): string {
	const { status, serviceMessage } = details;
	const statusText = status === undefined ? '' : ` (${status})`;
	const serviceText = serviceMessage === undefined ? '' : `: ${removeFullStop(serviceMessage)}`;
	return summary + statusText + serviceText;
}

/** Formats what happened and what to do, for readers of one text: agents, lists, the credential test. */
export function formatErrorText(error: UserError, itemIndex?: number): string {
	return `${addItemNumber(formatMessage(error), itemIndex)}. ${error.hint}`.trim();
}

/** @param itemIndex index of the input item, if there are several */
export function addItemNumber(message: string, itemIndex?: number): string {
	return itemIndex === undefined ? message : `${message} [item ${itemIndex}]`;
}

/**
 * Converts an error into the one n8n shows: what to do as its description, the error response under
 * `context.data`. Nothing of n8n's own error is passed on: it holds the API key.
 *
 * @param message what the user reads first; n8n's notifications and error workflows show no more
 */
export function toNodeError(
	node: INode,
	{ hint, details: { responseBody, status } }: UserError,
	message: string,
	itemIndex?: number,
): NodeApiError {
	const description = hint || undefined;
	const httpCode = status === undefined ? undefined : String(status);
	const nodeError = new NodeApiError(node, {}, { message, description, httpCode, itemIndex });
	// n8n replaces messages that contain an error code such as EEXIST, even within "preexisting"
	// (findings/code-in-a-word-replaces-the-message).
	nodeError.message = message;
	if (responseBody !== undefined) nodeError.context.data = responseBody;
	return status === undefined ? nodeError : showStatus(nodeError, status);
}

/**
 * Beside another n8n-workflow, which a further community package may bring, this error is of a class that
 * n8n does not know. n8n then makes a new one, and takes the status only from where axios has it (n8n-core,
 * routing-node.js). These properties are hidden, so that they are not saved.
 */
function showStatus(error: NodeApiError, status: number): NodeApiError {
	return Object.defineProperties(error, {
		isAxiosError: { value: true },
		response: { value: { status } },
	});
}
