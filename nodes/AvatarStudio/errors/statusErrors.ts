import { parseRetryAfter } from '../client/limiter/rateLimitHeaders';

import { RequestError, type ErrorText } from './requestError';

const TRY_LATER =
	'Try again later. If this keeps happening, contact the support team of the service.';

/** The hint if something other than the service probably responded. */
export const CHECK_BASE_URL =
	'Check Base URL in the credential: it is the part of the address before /v1.';

/** Statuses that deserve a text of their own. */
const STATUS_TEXTS: Record<number, ErrorText> = {
	401: [
		'The service rejected the API key',
		'Check API Key and Base URL in the credential. Each address has its own key, and so does the fast branch.',
	],
	402: [
		'Payment is required',
		'Check the plan and the credits of the account in the studio application.',
	],
	403: [
		'The account is not allowed to do this',
		'Check that its plan includes API access and that the record belongs to it.',
	],
	404: [
		'The service found nothing under this ID',
		'Check the ID: the record may have been deleted. If every operation reports this, check Base URL in the credential.',
	],
	405: ['The address does not support this operation', CHECK_BASE_URL],
	409: [
		'The request conflicts with the current state of the record',
		'Get the record again, then repeat the change if you still want it.',
	],
	413: [
		'The request is too large for the service',
		'Shorten the script or split it into several items.',
	],
	415: ['The service does not accept this type of content', CHECK_BASE_URL],
	429: [
		'The service is receiving too many requests',
		'Other programs may be using the same account. Try again later.',
	],
	501: ['The address does not support this operation', CHECK_BASE_URL],
	503: ['The service is currently unavailable', TRY_LATER],
};

const STATUS_CLASS_TEXTS: Record<number, ErrorText> = {
	3: [
		'The service redirected the request',
		'If you trust the address it names, set it as Base URL in the credential.',
	],
	4: ['The service rejected the request', 'Correct the values of this item and try again.'],
	5: ['The service did not complete the request', TRY_LATER],
};

const UNDEFINED_STATUS: ErrorText = [
	'The service responded with a status that HTTP does not define',
	TRY_LATER,
];

const RETRYABLE_STATUSES = new Set([429, 502, 503, 504]);
/** Redirects of a request that was not processed. */
const UNPROCESSED_REDIRECTS = new Set([307, 308]);

/** Changes the text for status 404 to that of a request without the ID of a record. */
export function describeUnknownAddress(error: RequestError, hints: string[] = []): RequestError {
	return error.with({
		message: 'The service found nothing at this address',
		hint: [...hints, CHECK_BASE_URL].join(' '),
	});
}

/**
 * Describes an error response by its status. Which statuses the service uses is not documented
 * (docs/assumptions.md), so every status has a text.
 *
 * @param status HTTP status, 300 or above
 * @param retryAfter value of the Retry-After header
 */
export function describeStatus(status: number, retryAfter?: string): RequestError {
	const text =
		STATUS_TEXTS[status] ?? STATUS_CLASS_TEXTS[Math.floor(status / 100)] ?? UNDEFINED_STATUS;
	const isUnprocessed = UNPROCESSED_REDIRECTS.has(status) || (status >= 400 && status < 500);
	return new RequestError(...text, {
		status,
		rateLimited: status === 429,
		retryable: RETRYABLE_STATUSES.has(status),
		outcomeUnknown: !isUnprocessed,
		retryAfterMs: status === 429 || status === 503 ? parseRetryAfter(retryAfter) : undefined,
	});
}
