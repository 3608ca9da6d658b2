import type { ErrorCode } from './errorCode';
import { CORRECT_AND_TRY_AGAIN, TRY_LATER } from './repeatAdvice';
import type { Outcome } from './userError';

export const CHECK_BASE_URL =
	'Check Base URL in the credential: it is the part of the address before /v1.';

/**
 * When a request that got a status may succeed. Whatever it says, a creation is sent again only if its
 * outcome is `notDone`.
 *
 * | again    | what the request does                   | what the trigger does with a record that cannot be read |
 * | -------- | --------------------------------------- | ------------------------------------------------------- |
 * | `never`  | It fails                                | Emits it with the reason                                |
 * | `later`  | It fails                                | Leaves it to the next poll                              |
 * | `soon`   | Makes further attempts after a back-off | Leaves it to the next poll                              |
 * | `inTurn` | Waits for its turn, as all others do    | Leaves it to the next poll                              |
 *
 * `inTurn` makes the status a refusal (see `isRefusal` in client/refusal.ts). If its outcome is `notDone`, it
 * refuses creations too, and a poll that fails with it is left to the next one.
 */
type Again = 'never' | 'later' | 'soon' | 'inTurn';

/** What of a list a status may reject: any page, page 0 alone, the page size, or its route. */
type Rejectable = 'page' | 'pageZero' | 'pageSize' | 'route';

/** What the node tells the user of a status, and all that requests, lists and the trigger do because of it. */
interface StatusRule {
	code: ErrorCode;
	/** What happened, in one sentence without a full stop. */
	summary: string;
	/** What to do next. Advice to repeat the request is a sentence of repeatAdvice.ts. */
	hint: string;
	/** What is known of the effect of the request. */
	outcome: Outcome;
	again: Again;
	/**
	 * How long nothing further is sent after a status with `inTurn` that has no Retry-After, in milliseconds.
	 * Retry-After beside any other status, such as 202, means something else and is ignored.
	 */
	pauseMs: number;
	rejects: Rejectable[];
	/** Whether it may be from a proxy that does not pass a request on, so that it says nothing about the service. */
	mayBeOfProxy: boolean;
}

const DEFAULTS = { pauseMs: 0, rejects: [], mayBeOfProxy: false };

const REDIRECTED: StatusRule = {
	...DEFAULTS,
	code: 'redirected',
	summary: 'The service redirected the request',
	hint: 'The redirect was not followed, and the API key was not sent there. Check Base URL in the credential: part of the path may be missing. If you trust the new address, set it there.',
	outcome: 'unknown',
	again: 'later',
};
const REJECTED: StatusRule = {
	...DEFAULTS,
	code: 'rejected',
	summary: 'The service rejected the request',
	hint: CORRECT_AND_TRY_AGAIN,
	outcome: 'notDone',
	again: 'never',
};
const NOT_COMPLETED: StatusRule = {
	...DEFAULTS,
	code: 'unavailable',
	summary: 'The service did not complete the request',
	hint: `${TRY_LATER} If this keeps happening, contact the support team of the service.`,
	outcome: 'unknown',
	again: 'later',
};
/** A proxy such as Cloudflare waited in vain. */
const NO_RESPONSE: StatusRule = { ...NOT_COMPLETED, again: 'soon' };
/** A proxy such as Cloudflare could not connect to the service. */
const NOT_CONNECTED: StatusRule = { ...NO_RESPONSE, outcome: 'notDone' };

/**
 * One row for each status that means more than its class. Which statuses the service uses is not
 * documented.
 */
export const STATUS_RULES: Record<number, StatusRule> = {
	// A redirect that repeats the method, which was not followed.
	307: { ...REDIRECTED, outcome: 'notDone' },
	308: { ...REDIRECTED, outcome: 'notDone' },
	400: { ...REJECTED, rejects: ['page', 'pageSize'] },
	401: {
		...REJECTED,
		code: 'unauthorized',
		summary: 'The service rejected the API key',
		hint: 'Check API Key and Base URL in the credential. Each address has a key of its own, such as that of the fast branch.',
		// The key may be replaced.
		again: 'later',
	},
	402: {
		...REJECTED,
		code: 'noCredits',
		summary: 'Payment is required',
		hint: 'Check the plan and the credits of the account in the studio application.',
	},
	403: {
		...REJECTED,
		code: 'forbidden',
		summary: 'The account is not allowed to do this',
		hint: 'Check that its plan includes API access, that the record belongs to it, or that credits are left.',
		mayBeOfProxy: true,
	},
	404: {
		...REJECTED,
		code: 'notFound',
		summary: 'The service found nothing under this ID or address',
		hint: 'Check the ID, if there is one: the record may have been deleted. If every operation reports this, check Base URL in the credential.',
		// A record or a file may not be there yet.
		again: 'later',
		rejects: ['page', 'route'],
	},
	405: {
		...REJECTED,
		code: 'wrongAddress',
		summary: 'The address does not support this operation',
		hint: CHECK_BASE_URL,
		rejects: ['route'],
	},
	407: {
		...REJECTED,
		code: 'proxy',
		summary: 'The proxy requires a user name and a password',
		// `explainSender` says which proxy.
		hint: '',
	},
	// It may come from a proxy that has passed the request on.
	408: NO_RESPONSE,
	413: { ...REJECTED, rejects: ['page', 'pageSize'] },
	416: { ...REJECTED, rejects: ['page'] },
	422: { ...REJECTED, rejects: ['page', 'pageSize'] },
	429: {
		...REJECTED,
		code: 'rateLimited',
		summary: 'The service is receiving too many requests',
		hint: `The plan may allow only a few at a time, and other programs may be using the same account. ${TRY_LATER}`,
		again: 'inTurn',
	},
	// A service that counts from 1 may break at page 0, for which it computes a negative offset.
	500: { ...NOT_COMPLETED, rejects: ['pageZero'] },
	501: { ...NOT_COMPLETED, rejects: ['route'] },
	502: { ...NO_RESPONSE, mayBeOfProxy: true },
	// Web servers also send it when there are too many requests, but a creation may exist all the same.
	503: { ...NOT_COMPLETED, again: 'inTurn', mayBeOfProxy: true },
	504: { ...NO_RESPONSE, mayBeOfProxy: true },
	520: NO_RESPONSE,
	521: NOT_CONNECTED,
	522: NO_RESPONSE,
	523: NOT_CONNECTED,
	524: NO_RESPONSE,
	525: NOT_CONNECTED,
	526: NOT_CONNECTED,
};

/** @param status undefined if there was no response: that rejects and refuses nothing, like a redirect */
export function getStatusRule(status = 0): StatusRule {
	return STATUS_RULES[status] ?? getClassRule(status);
}

function getClassRule(status: number): StatusRule {
	if (status < 400) return REDIRECTED;
	return status < 500 ? REJECTED : NOT_COMPLETED;
}

/** Whether a request of a list may have failed for its page, page size or route alone. */
export function mayReject(what: Rejectable, status: number | undefined): boolean {
	return getStatusRule(status).rejects.includes(what);
}
