import { parseRetryAfter } from '../request/rateLimitHeaders';

import { RequestError, type ErrorText } from './requestError';

const TRY_LATER =
	'Try again later. If the problem persists, contact the support team of the service.';

/** The hint if the address is probably not the service's. */
export const CHECK_BASE_URL =
	'Check Base URL in the credential: it is the part of the address before /v1.';

/** Statuses that deserve a text of their own. */
const STATUS_TEXTS: Record<number, ErrorText> = {
	400: {
		message: 'The service rejected the request',
		hint: 'Correct the values of this item and try again.',
	},
	401: {
		message: 'The service rejected the API key',
		hint: 'Check API Key and Base URL in the credential. Each address has its own key, and so does the fast branch.',
	},
	402: {
		message: 'Payment is required',
		hint: 'Check the plan and the credits of the account in the studio application.',
	},
	403: {
		message: 'The account is not allowed to do this',
		hint: 'Check that its plan includes API access and that the record belongs to it.',
	},
	404: {
		message: 'The service found nothing under this ID',
		hint: 'Check the ID: the record may have been deleted. If every operation reports this, check Base URL in the credential.',
	},
	405: {
		message: 'The address does not support this operation',
		hint: CHECK_BASE_URL,
	},
	409: {
		message: 'The request conflicts with the current state of the record',
		hint: 'Get the record again, then repeat the change if you still want it.',
	},
	413: {
		message: 'The request is too large for the service',
		hint: 'Shorten the script or split it into several items.',
	},
	415: {
		message: 'The service does not accept this type of content',
		hint: 'Check Base URL in the credential: another server may be responding.',
	},
	422: {
		message: 'The service rejected a value in the request',
		hint: 'Correct the values of this item and try again.',
	},
	429: {
		message: 'The service is receiving too many requests',
		hint: 'Other programs may be using the same account. Try again later.',
	},
	501: {
		message: 'The address does not support this operation',
		hint: CHECK_BASE_URL,
	},
	503: {
		message: 'The service is currently unavailable',
		hint: TRY_LATER,
	},
};

const STATUS_CLASS_TEXTS: Record<number, ErrorText> = {
	3: {
		message: 'The service redirected the request',
		hint: 'If you trust the address it names, set it as Base URL in the credential.',
	},
	4: {
		message: 'The service rejected the request',
		hint: 'Check the values of this item.',
	},
	5: { message: 'The service did not complete the request', hint: TRY_LATER },
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
			message: 'The service responded with a status that HTTP does not define',
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
