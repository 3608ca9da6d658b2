import type { ErrorCode } from './errorCode';
import { UserError } from './userError';

/** What is known to have happened to a request, over all its attempts. */
export type Outcome =
	/** Nothing reached the service, or the request only reads. */
	| 'notSent'
	/** The service did not carry it out. */
	| 'refused'
	/** The service carried it out; what failed came later. */
	| 'done'
	/** The service may have carried it out. */
	| 'unknown';

/** What is known about a request that failed. */
export interface RequestErrorDetails {
	outcome: Outcome;
	/** Whether a later attempt of the same request may succeed. */
	isTransient: boolean;
	/** Whether the rate limiter has waited for as long as it may. */
	isGivenUp?: boolean;
	code: ErrorCode;
	/** HTTP status, if the service responded. */
	status?: number;
	/** The service's own explanation. */
	serviceMessage?: string;
	/** The error response: its JSON value, or its text if it is not JSON. */
	responseBody?: unknown;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
}

/**
 * A request that failed, described for the user. It never holds the request itself, and therefore
 * never the API key.
 */
export class RequestError extends UserError {
	override name = 'RequestError';

	readonly details: RequestErrorDetails;

	/** @param details a refusal that is not worth repeating, unless they say otherwise */
	constructor(summary: string, hint: string, details: Partial<RequestErrorDetails> = {}) {
		super(summary, hint, details.code ?? 'rejected');
		this.details = { outcome: 'refused', isTransient: false, ...details, code: this.code };
	}

	/** @returns a copy with the text or some details replaced */
	with({
		summary = this.summary,
		hint = this.hint,
		...changes
	}: Partial<RequestErrorDetails> & { summary?: string; hint?: string }): RequestError {
		return new RequestError(summary, hint, { ...this.details, ...changes });
	}
}

/** @returns whether the request may have had its effect */
export function mayHaveHappened(outcome: Outcome): boolean {
	return outcome === 'done' || outcome === 'unknown';
}

/** @returns what is known of a request after two attempts */
export function combineOutcomes(earlier: Outcome, later: Outcome): Outcome {
	return mayHaveHappened(earlier) && later !== 'done' ? 'unknown' : later;
}

/**
 * Describes an error that is neither the user's nor the network's: n8n's, or a defect of this node.
 *
 * @param outcome of the request it interrupted
 */
function createUnexpectedError(thrown: unknown, outcome: Outcome): RequestError {
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	return new RequestError(
		message,
		outcome === 'notSent' ? 'Nothing was sent to the service.' : '',
		{ outcome, code: 'unexpected' },
	);
}

/**
 * @param outcome of the request it interrupted
 * @returns the error itself, or the description of one that was not expected
 */
export function toUserError(thrown: unknown, outcome: Outcome = 'notSent'): UserError {
	return thrown instanceof UserError ? thrown : createUnexpectedError(thrown, outcome);
}

/** The error of a request or an item that is not sent because another one failed. */
export function createRunStoppedError(error: UserError): UserError {
	const summary = `Not sent, because another request failed: ${error.summary}`;
	return new UserError(summary, error.hint, 'runStopped');
}
