import type { UserError } from '../errors/userError';

const GAVE_UP =
	'It is not sent again: the service refuses it too often, or for longer than a request waits (15 min in a run, unless Wait If Busy is set).';

/**
 * Whether a response says "not now". Web servers say 503 as well when there are too many requests,
 * but a creation may exist then.
 */
export function isRefusal(method: string, status: number | undefined): boolean {
	return status === 429 || (status === 503 && method !== 'POST');
}

/** @returns the error of a request that gives up waiting, in the words of a refusal */
export function giveUp<T extends UserError>(refusal: T): T {
	const hint = `${GAVE_UP} ${refusal.hint}`;
	return refusal.with({ outcome: 'notDone', isGivenUp: true, hint });
}

/**
 * @returns whether a connection broke, or could not be made, so that earlier refusals are out of date. A
 *   timeout does not count: the service may be overloaded, and its refusals still hold
 */
export function isDisconnection({ details }: UserError): boolean {
	if (!details?.isTransient) return false;
	return details.status === undefined && details.code !== 'timeout';
}
