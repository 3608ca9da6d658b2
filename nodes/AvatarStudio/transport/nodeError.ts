import { NodeApiError, type IDataObject, type INode } from 'n8n-workflow';

import type { Failure, FailureDetails } from './failure';

const TOLD = new Set(['detail', 'error', 'errors', 'message', 'status', 'statusCode', 'title']);

/**
 * A failure in one piece of text. An AI agent reads nothing else, so it holds what happened,
 * what the service said, which item, and what to do.
 *
 * @param item the number of the input item, where there are several
 */
export function failureText({ details }: Failure, item?: number): string {
	const status = details.status === undefined ? '' : ` (${details.status})`;
	const words = details.words === undefined ? '' : `: ${details.words.replace(/[.\s]+$/, '')}`;
	const which = item === undefined ? '' : ` [item ${item}]`;
	return `${details.happened}${status}${words}${which}. ${details.next}`.trim();
}

/**
 * The failure as n8n shows it. Nothing of n8n's own error comes along: it holds the request and
 * with it the key.
 *
 * @param message what `failureText` made of it
 */
export function nodeError(
	node: INode,
	{ details }: Failure,
	message: string,
	itemIndex?: number,
): NodeApiError {
	const { answer, status } = details;
	const error = new NodeApiError(
		node,
		{},
		{
			message,
			description: holdsMore(answer) ? JSON.stringify(answer, null, 2) : undefined,
			httpCode: status === undefined ? undefined : String(status),
			itemIndex,
			failure: backingOff(details),
		},
	);
	// n8n swaps a message for one of its own where it holds a word like EEXIST, as "preexisting" does.
	error.message = message;
	return error;
}

/** Whether the service said more than the message tells anyway. */
function holdsMore(answer: IDataObject = {}): boolean {
	return Object.keys(answer).some((key) => !TOLD.has(key));
}

/** What n8n's durable polls hold back for. */
function backingOff(details: FailureDetails): NodeApiError['failure'] {
	const { tooFast, passing, status = 0, retryAfterMs } = details;
	if (tooFast) return { cause: 'rate-limited', retryAfterMs };
	const isDown = passing === true || status >= 500;
	return isDown ? { cause: 'temporarily-unavailable', retryAfterMs } : undefined;
}
