import type { ErrorCode } from './errorCode';
import { CORRECT_AND_TRY_AGAIN, TRY_LATER } from './repeatAdvice';
import { RequestError } from './userError';

type StatusText = readonly [code: ErrorCode, summary: string, hint: string];

export const CHECK_BASE_URL =
	'Check Base URL in the credential: it is the part of the address before /v1.';

/** Where the proxy is set that a request may have gone through. */
const NODE_PROXY = 'Proxy under Request Options, in the Settings tab';
const ENVIRONMENT_PROXY = 'HTTP_PROXY, HTTPS_PROXY or ALL_PROXY in the environment of n8n';

const NOT_COMPLETED: StatusText = [
	'unavailable',
	'The service did not complete the request',
	`${TRY_LATER} If this keeps happening, contact the support team of the service.`,
];
const REDIRECTED: StatusText = [
	'redirected',
	'The service redirected the request',
	'The redirect was not followed, and the API key was not sent there. Check Base URL in the credential: part of the path may be missing. If you trust the new address, set it there.',
];
const REJECTED: StatusText = [
	'rejected',
	'The service rejected the request',
	CORRECT_AND_TRY_AGAIN,
];
/** Its page says nothing about the account, its plan or its limits. */
const FIREWALL: StatusText = [
	'firewall',
	'A firewall or a proxy in front of the service blocked the request',
	'It blocks requests for their content, or for the address of this n8n. If other items succeed, change the values of this one. Otherwise ask the support team of the service, or whoever runs the proxy, to allow it.',
];

/** Statuses of a proxy that does not pass a request on, which say nothing about the service. */
const PROXY_STATUSES = [403, 502, 503, 504];

const STATUS_TEXTS: Record<number, StatusText> = {
	401: [
		'unauthorized',
		'The service rejected the API key',
		'Check API Key and Base URL in the credential. Each address has a key of its own, such as that of the fast branch.',
	],
	402: [
		'noCredits',
		'Payment is required',
		'Check the plan and the credits of the account in the studio application.',
	],
	403: [
		'forbidden',
		'The account is not allowed to do this',
		'Check that its plan includes API access, that the record belongs to it, or that credits are left.',
	],
	404: [
		'notFound',
		'The service found nothing under this ID or address',
		'Check the ID, if there is one: the record may have been deleted. If every operation reports this, check Base URL in the credential.',
	],
	405: ['wrongAddress', 'The address does not support this operation', CHECK_BASE_URL],
	407: ['proxy', 'The proxy requires a user name and a password', ''],
	408: NOT_COMPLETED,
	429: [
		'rateLimited',
		'The service is receiving too many requests',
		`The plan may allow only a few at a time, and other programs may be using the same account. ${TRY_LATER}`,
	],
};

/** From 520 on, a proxy such as Cloudflare could not connect to the service, or waited in vain. */
const TRANSIENT_STATUSES = [408, 429, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526];
/** Redirects that repeat the method, and statuses of Cloudflare if it could not connect to the service. */
const UNPROCESSED_STATUSES = [307, 308, 521, 523, 525, 526];

/** Creates the error for an error response. Which statuses the service uses is not documented. */
export function createStatusError(status: number): RequestError {
	const [code, summary, hint] = STATUS_TEXTS[status] ?? getClassText(status);
	// A 408 may come from a proxy that has passed the request on.
	const isClientError = status >= 400 && status < 500 && status !== 408;
	const isUnprocessed = isClientError || UNPROCESSED_STATUSES.includes(status);
	return new RequestError(summary, hint, {
		code,
		status,
		outcome: isUnprocessed ? 'notDone' : 'unknown',
		isTransient: TRANSIENT_STATUSES.includes(status),
	});
}

function getClassText(status: number): StatusText {
	if (status < 400) return REDIRECTED;
	return status < 500 ? REJECTED : NOT_COMPLETED;
}

/**
 * Says who may have responded, once the body is read: what a proxy or a firewall says is not about the
 * account. If the user set no proxy, the environment of n8n may, which this node cannot know.
 *
 * @param body what the response contains: JSON is from the service
 */
export function explainSender(
	error: RequestError,
	body: 'json' | 'page' | 'other',
	hasProxy: boolean,
): RequestError {
	const { status = 0 } = error.details;
	const proxy = hasProxy ? NODE_PROXY : ENVIRONMENT_PROXY;
	if (status === 407) return error.with({ hint: `Set them in ${proxy}.` });
	if (body === 'json' || !PROXY_STATUSES.includes(status)) return error;
	const [code, summary, firewallHint] = FIREWALL;
	const isFirewall = status === 403 && body === 'page';
	const explained = isFirewall ? error.with({ code, summary, hint: firewallHint }) : error;
	const origin = `The response is not JSON, so it may be from a proxy between n8n and the service (${proxy}).`;
	return explained.with({ hint: `${explained.hint} ${origin}` });
}
