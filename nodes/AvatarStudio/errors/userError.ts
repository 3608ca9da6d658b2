import type { ErrorCode } from './errorCode';

/** What happened and what to do next. */
export type ErrorText = readonly [message: string, hint: string];

/**
 * An error described for the user: about a value, a record or n8n itself. Nothing was sent for it.
 */
export class UserError extends Error {
	override name = 'UserError';

	/** What happened, in one sentence without a full stop. */
	readonly summary: string;

	/**
	 * @param summary what happened, in one sentence without a full stop
	 * @param hint what to do next, in one or two sentences; empty if the summary says it
	 */
	constructor(
		summary: string,
		readonly hint: string,
		readonly code: ErrorCode = 'invalidValue',
	) {
		super(`${summary}. ${hint}`.trim());
		this.summary = summary;
	}
}
