import { RequestError, type ErrorText } from './requestError';

const TRY_LATER = 'Try again later; if it goes on, ask the support team of the service.';

/** Statuses that deserve a text of their own. */
const STATUS_TEXTS: Record<number, ErrorText> = {
	400: {
		message: 'The service did not accept the request',
		hint: 'Correct the value it names and run the node again.',
	},
	401: {
		message: 'The service refused the API key',
		hint: 'Check API Key and Base URL in the credential: a key belongs to one address, and the fast branch has a key of its own.',
	},
	402: {
		message: 'The service asks for payment',
		hint: 'Check the plan and the credits of the account in the studio application.',
	},
	403: {
		message: 'The account may not do this',
		hint: 'Check that its plan includes API access and that the record belongs to it.',
	},
	404: {
		message: 'The service found nothing there',
		hint: 'Check the ID: the record may have been deleted. If every operation says this, check Base URL in the credential.',
	},
	405: {
		message: 'The address does not offer this operation',
		hint: 'Check Base URL in the credential: it is the part of the address before /v1.',
	},
	409: {
		message: 'The request collides with the present state of the record',
		hint: 'Read the record again, then repeat the change if it is still wanted.',
	},
	413: {
		message: 'The request is larger than the service takes',
		hint: 'Shorten the script, or split it over several items.',
	},
	415: {
		message: 'The service does not take this kind of content',
		hint: 'Check Base URL in the credential: something other than the service may be answering.',
	},
	422: {
		message: 'The service understood the request but not a value in it',
		hint: 'Correct the value it names and run the node again.',
	},
	429: {
		message: 'The service is receiving too many requests',
		hint: 'Run fewer items at a time, or later.',
	},
	503: {
		message: 'The service is not available at present',
		hint: TRY_LATER,
	},
};

const STATUS_CLASS_TEXTS: Record<number, ErrorText> = {
	3: {
		message: 'The service sent the request elsewhere',
		hint: 'Set the address it names as Base URL in the credential, if you trust it.',
	},
	4: {
		message: 'The service did not accept the request',
		hint: 'Check the values of this item.',
	},
	5: { message: 'The service could not process the request', hint: TRY_LATER },
};

const RETRYABLE_STATUSES = new Set([502, 503, 504]);

/**
 * Describes an error response by its status. Which statuses the service uses is not documented
 * (docs/assumptions.md), so every status has a text.
 *
 * @param status HTTP status, 300 or above
 * @param retryAfter value of the Retry-After header
 */
export function errorFromStatus(status: number, retryAfter?: string): RequestError {
	const { message, hint } = STATUS_TEXTS[status] ??
		STATUS_CLASS_TEXTS[Math.floor(status / 100)] ?? {
			message: 'The service answered in a way that HTTP does not know',
			hint: TRY_LATER,
		};
	return new RequestError({
		message,
		hint,
		status,
		rateLimited: status === 429,
		retryable: status === 429 || RETRYABLE_STATUSES.has(status),
		outcomeUnknown: status >= 500,
		retryAfterMs: status === 429 || status === 503 ? parseRetryAfter(retryAfter) : undefined,
	});
}

/**
 * @param header Retry-After: whole seconds, or a date (RFC 9110, section 10.2.3)
 * @returns milliseconds from now, or undefined if the header is missing or malformed
 */
function parseRetryAfter(header: string | undefined): number | undefined {
	if (header === undefined || header.trim() === '') return undefined;
	const seconds = Number(header);
	const ms = Number.isNaN(seconds) ? Date.parse(header) - Date.now() : seconds * 1000;
	return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}
