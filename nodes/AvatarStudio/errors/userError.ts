import type { ErrorCode } from './errorCode';
import { removeFullStop } from './formatText';
import { NOTHING_CHANGED } from './repeatAdvice';

/**
 * What is known of the effect of a request, or of all requests of an item. Reading has no effect, so it
 * is always `notDone`. What follows from the outcome of a creation that failed:
 *
 * | outcome                                    | Retry On Fail sends it again          | the error says     | a stopped run counts it as |
 * | ------------------------------------------ | ------------------------------------- | ------------------ | -------------------------- |
 * | `notDone`                                  | yes                                   | what failed        | nothing                    |
 * | `unknown`                                  | only with Retry If Outcome Is Unknown | that it may exist  | what may exist             |
 * | `done`, but its file could not be stored   | no                                    | that it was created | created                   |
 * | `done`, but a step after it failed         | no, it makes the step again           | what was created   | created                    |
 *
 * A file that cannot be attached is no failure, because the item itself says so (attachFiles.ts). A
 * creation that is not sent again fails with the same error at each try of Retry On Fail. What
 * creates nothing is always sent again. A connection that breaks within a response leaves `unknown`.
 */
export type Outcome = 'notDone' | 'done' | 'unknown';

export interface ErrorDetails {
	code: ErrorCode;
	/** The outcome of the request that failed. */
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
	 * @param details by default those of an invalid value, for which nothing was sent
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

/** A request failed because of the network or the other side, and not of a value, n8n or this node. */
export class RequestError extends UserError {}

/**
 * @returns what is known after two attempts at a request, or two requests of an item: the later outcome,
 *   or the earlier one if the later is `notDone`
 */
export function combineOutcomes(earlier: Outcome, later: Outcome): Outcome {
	return later === 'notDone' ? earlier : later;
}

/**
 * @param outcome of the request, if what was thrown does not say it
 * @returns an error of this node as it is; a description of one of n8n, or of a defect
 */
export function toUserError(thrown: unknown, outcome: Outcome = 'notDone'): UserError {
	if (thrown instanceof UserError) return thrown;
	const message = removeFullStop(thrown instanceof Error ? thrown.message : String(thrown));
	const hint = outcome === 'notDone' ? NOTHING_CHANGED : '';
	return new UserError(message, hint, { code: 'unexpected', outcome });
}

/**
 * The error of a request that is not sent. Nobody reads it: n8n shows the one that stopped the run
 * (see `stop` in execution/nodeRun.ts; n8n-core 2.41.1, routing-node.js).
 */
export function createRunStoppedError(): UserError {
	return new UserError('Not sent, because another item failed', '', { code: 'runStopped' });
}
