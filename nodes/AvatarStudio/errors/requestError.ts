/** What is known about a request that failed or could not be sent. */
export interface RequestErrorDetails {
	/** What happened, in one sentence without a full stop. */
	message: string;
	/** What to do next, in one or two sentences; empty if `message` says it. */
	hint: string;
	/** HTTP status, if the service responded. */
	status?: number;
	/** The service's own explanation. */
	serviceMessage?: string;
	/** The error response: its JSON value, or its text if it is not JSON. */
	responseBody?: unknown;
	/** Whether the request may have taken effect despite the error. */
	outcomeUnknown?: boolean;
	/** Whether nothing may send the request again, not even n8n's Retry On Fail. */
	doNotRetry?: boolean;
	/** Whether an earlier attempt of the same request may have taken effect. */
	earlierAttemptUncertain?: boolean;
	/** Whether the service rejected the request for exceeding a rate limit. */
	rateLimited?: boolean;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	/** Whether n8n's own file storage failed. */
	isStorageError?: boolean;
	/** Whether a later attempt of the same request may succeed. */
	retryable?: boolean;
}

/** What happened and what to do next: see `RequestErrorDetails`. */
export type ErrorText = readonly [message: string, hint: string];

/**
 * A request that failed or could not be sent, described for the user. It never holds the request
 * itself, and therefore never the API key.
 */
export class RequestError extends Error {
	readonly details: RequestErrorDetails;

	constructor(message: string, hint: string, details: Partial<RequestErrorDetails> = {}) {
		super(`${message}. ${hint}`);
		this.name = 'RequestError';
		this.details = { ...details, message, hint };
	}

	/** @returns a copy with some details replaced or added */
	with(changes: Partial<RequestErrorDetails>): RequestError {
		const details = { ...this.details, ...changes };
		return new RequestError(details.message, details.hint, details);
	}
}

/** @returns the error itself, or one with the message of any other error */
export function toRequestError(error: unknown): RequestError {
	return error instanceof RequestError ? error : new RequestError((error as Error).message, '');
}
