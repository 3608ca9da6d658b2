import { getStatusRule } from '../errors/statuses';
import type { UserError } from '../errors/userError';

const GAVE_UP =
	'It is not sent again: the service refuses it too often, or for longer than a request waits (15 min in a run, unless Wait If Busy is set).';

/** Whether a response says "not now". That is no refusal of a creation if it may exist all the same. */
export function isRefusal(method: string, status: number | undefined): boolean {
	const { again, outcome } = getStatusRule(status);
	const mayBeCreated = method === 'POST' && outcome !== 'notDone';
	return again === 'inTurn' && !mayBeCreated;
}

/** Whether a response refuses whatever is requested, so that there are only too many requests. */
export function isRateLimit(status: number | undefined): boolean {
	return isRefusal('POST', status);
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
