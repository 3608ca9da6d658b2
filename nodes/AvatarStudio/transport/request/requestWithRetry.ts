import { errorFromException } from '../errors/connectionErrors';
import { RequestError } from '../errors/requestError';
import type { HttpResponse } from '../response/response';

import { cancellationError, delay } from './delay';
import { followRedirects } from './followRedirects';
import type { RateLimiter } from './rateLimiter';
import { getAbortSignal, type RequestContext, type RequestOptions } from './sendRequest';

const MAX_ATTEMPTS = 4;
const MAX_ATTEMPTS_RATE_LIMITED = 12;
const INITIAL_BACKOFF_MS = 300;
const MAX_BACKOFF_MS = 30_000;

/**
 * Sends a request through the rate limiter and retries it only if that is safe.
 *
 * The rules that must not regress:
 * - 429, any method: the request was rejected, so retry after the delay the service asks for, but
 *   not before the back-off is over, and lower the concurrency.
 * - Connection never established: retry any method.
 * - Timeout, broken connection, 502, 503, 504: retry GET, PATCH and DELETE. Never retry a POST: it
 *   may have been carried out, and a video costs money.
 * - Anything else: never retry.
 * - Retry-After on 429 or 503 pauses every request of the run.
 *
 * @param read takes what is needed from the response. It is part of the attempt: a body that is
 *   cut short counts as a broken connection
 * @returns what `read` returns
 * @throws RequestError when the attempts or the waiting time are used up, or on cancellation
 */
export async function requestWithRetry<T>(
	context: RequestContext,
	rateLimiter: RateLimiter,
	options: RequestOptions,
	read: (response: HttpResponse) => Promise<T>,
): Promise<T> {
	const signal = getAbortSignal(context, options);
	let waitedMs = 0;
	let earlierAttemptUncertain = false;
	for (let attempt = 1; ; attempt++) {
		const { value, error } = await rateLimiter.run<AttemptOutcome<T>>(async (epoch) => {
			try {
				const value = await read(await followRedirects(context, options));
				rateLimiter.onSuccess();
				return { value };
			} catch (thrown) {
				const error = toRequestError(thrown, signal);
				const { rateLimited, retryAfterMs = 0 } = error.details;
				if (rateLimited) rateLimiter.decrease(epoch);
				// If the delay is too long for the run, each item fails by itself, at once.
				if (rateLimiter.pausedMs() + retryAfterMs <= rateLimiter.maxWaitMs) {
					rateLimiter.pauseFor(retryAfterMs);
				}
				return { error };
			}
		}, signal);
		if (!error) return value;

		const { retryable, rateLimited, outcomeUnknown, retryAfterMs } = error.details;
		if (outcomeUnknown && options.method === 'POST') throw error.with({ doNotRetry: true });
		if (!retryable) throw error.with({ earlierAttemptUncertain });

		const delayMs = Math.max(retryAfterMs ?? 0, backoffDelay(attempt));
		const maxAttempts = rateLimited ? MAX_ATTEMPTS_RATE_LIMITED : MAX_ATTEMPTS;
		const neededMs = Math.max(waitedMs, rateLimiter.pausedMs()) + delayMs;
		if (attempt >= maxAttempts || neededMs > rateLimiter.maxWaitMs) {
			throw retriesExhausted(error, attempt, neededMs, rateLimiter.maxWaitMs).with({
				earlierAttemptUncertain,
			});
		}
		earlierAttemptUncertain ||= outcomeUnknown === true;
		waitedMs += delayMs;
		await delay(delayMs, signal);
	}
}

type AttemptOutcome<T> =
	| { value: T; error?: undefined }
	| { value?: undefined; error: RequestError };

function toRequestError(error: unknown, signal?: AbortSignal): RequestError {
	if (signal?.aborted) return cancellationError();
	return error instanceof RequestError ? error : errorFromException(error);
}

/** Exponential back-off with equal jitter. */
function backoffDelay(attempt: number): number {
	const ceiling = Math.min(INITIAL_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
	return ceiling / 2 + Math.random() * (ceiling / 2);
}

/** @param neededMs total delay including the one before the next attempt */
function retriesExhausted(
	error: RequestError,
	attempts: number,
	neededMs: number,
	maxWaitMs: number,
): RequestError {
	const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
	const reason =
		neededMs > maxWaitMs
			? `Sending it again would have meant waiting ${seconds(neededMs)} in all; the limit is ${seconds(maxWaitMs)}.`
			: `Gave up after ${attempts} attempts.`;
	return error.with({ hint: `${reason} ${error.details.hint}` });
}
