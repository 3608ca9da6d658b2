import type { ErrorCode } from './errorCode';
import { removeFullStop } from './formatText';

/** Whether a request took effect. One that only reads has none; after `done`, something else failed. */
export type Outcome = 'notDone' | 'done' | 'unknown';

export interface ErrorDetails {
	code: ErrorCode;
	/** Of the request that failed, or that it interrupted. */
	outcome: Outcome;
	/** Whether a later attempt of the same request may succeed. */
	isTransient: boolean;
	/** Whether it was decided that it is not sent again. */
	isGivenUp?: boolean;
	status?: number;
	serviceMessage?: string;
	/** The error response: its JSON value, or its text if it is not JSON. */
	responseBody?: unknown;
}

/** An error described for the user. It never holds the request, and therefore never the API key. */
export class UserError extends Error {
	override name = 'UserError';

	readonly details: ErrorDetails;

	/**
	 * @param summary what happened, in one sentence without a full stop
	 * @param hint what to do next, in one or two sentences; empty if the summary says it
	 * @param details an invalid value for which nothing was sent, unless they say otherwise
	 */
	constructor(
		readonly summary: string,
		readonly hint: string,
		details: Partial<ErrorDetails> = {},
	) {
		super(`${summary}. ${hint}`.trim());
		this.details = { code: 'invalidValue', outcome: 'notDone', isTransient: false, ...details };
	}

	/** @returns a copy with the text or some details replaced */
	with({
		summary = this.summary,
		hint = this.hint,
		...changes
	}: Partial<ErrorDetails> & { summary?: string; hint?: string }): this {
		const SameError = this.constructor as typeof UserError;
		return new SameError(summary, hint, { ...this.details, ...changes }) as this;
	}
}

/** The network or the other side failed a request: it is neither a value, n8n nor this node. */
export class RequestError extends UserError {}

/** @returns what is known of a request after two attempts */
export function combineOutcomes(earlier: Outcome, later: Outcome): Outcome {
	return earlier !== 'notDone' && later !== 'done' ? 'unknown' : later;
}

/** @returns an error of this node as it is, or a description of n8n's own, or of a defect */
export function toUserError(thrown: unknown, outcome: Outcome = 'notDone'): UserError {
	if (thrown instanceof UserError) return thrown;
	const message = removeFullStop(thrown instanceof Error ? thrown.message : String(thrown));
	const hint = outcome === 'notDone' ? 'Nothing was sent to the service.' : '';
	return new UserError(message, hint, { code: 'unexpected', outcome });
}

/** The error of a request or an item that is not sent because another one failed. */
export function createRunStoppedError({ summary, hint }: UserError): UserError {
	const text = `Not sent, because another request failed: ${summary}`;
	return new UserError(text, hint, { code: 'runStopped' });
}
