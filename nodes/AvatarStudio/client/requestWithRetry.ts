import { describeException } from '../errors/connectionErrors';
import type { RequestError } from '../errors/requestError';

import { getAccount, readCredentialOnce } from './credential';
import { delay } from './delay';
import { followRedirects } from './followRedirects';
import type { Caller } from './limiter/caller';
import { getAccountLimiter, type RateLimiter } from './limiter/rateLimiter';
import type { HttpResponse } from './response/response';
import {
	getAbortSignal,
	type Attempt,
	type RequestContext,
	type RequestOptions,
} from './sendRequest';

const MAX_ATTEMPTS = 4;
const INITIAL_BACKOFF_MS = 300;
const MAX_BACKOFF_MS = 10_000;

/**
 * Sends a request as soon as the limiter of its account allows, and retries it only if that is safe.
 *
 * The rules that must not regress:
 * - 429, any method: the request was refused, so send it again after a delay. How often does not
 *   matter: the caller gives up when nothing got through for too long.
 * - 503 with Retry-After: the same for GET, PATCH and DELETE.
 * - Connection never established: retry any method.
 * - Timeout, broken connection, 502, 503, 504: retry GET, PATCH and DELETE. Never retry a POST: it
 *   may have been carried out, and a video costs money.
 * - Anything else: never retry.
 *
 * @param read takes what is needed from the response. It is part of the attempt: a body that is
 *   cut short counts as a broken connection
 * @returns what `read` returns
 * @throws RequestError when the attempts or the waiting time are used up, or on cancellation
 */
export async function requestWithRetry<T>(
	context: RequestContext,
	caller: Caller,
	options: RequestOptions,
	read: (response: HttpResponse) => Promise<T>,
): Promise<T> {
	const signal = getAbortSignal(context, options);
	const request = { getCredential: readCredentialOnce(context), ...options };
	const since = performance.now();
	let waitedMs = 0;
	let failures = 0;
	let earlierAttemptUncertain = false;
	for (let attempt = 1; ; attempt++) {
		let limiter: RateLimiter | undefined;
		let error: RequestError;
		try {
			limiter = getAccountLimiter(await identifyAccount(request));
			return await limiter.run(
				caller,
				{ signal, isRetry: attempt > 1 },
				async (onResponse) =>
					await read(await followRedirects(context, { ...request, onResponse })),
			);
		} catch (thrown) {
			error = describeException(thrown);
			// Reading has no effect: a voice that cannot be looked up leaves no video.
			if (options.method === 'GET') error = error.with({ outcomeUnknown: false });
		}

		const { retryable, rateLimited, outcomeUnknown, retryAfterMs = 0 } = error.details;
		if (outcomeUnknown && options.method === 'POST') throw error.with({ doNotRetry: true });
		if (!retryable) throw error.with({ earlierAttemptUncertain });

		const delayMs = getBackoffMs(attempt);
		const heldMs = Math.max(waitedMs, limiter?.getHeldMs(since) ?? 0);
		const neededMs = heldMs + Math.max(delayMs, retryAfterMs);
		let reason: string | undefined;
		if (rateLimited || retryAfterMs > 0) {
			if (neededMs > caller.maxWaitMs) reason = formatWait(heldMs, neededMs, caller.maxWaitMs);
		} else if (++failures >= MAX_ATTEMPTS) {
			reason = `Gave up after ${attempt} attempts.`;
		}
		if (reason) {
			throw error.with({ hint: `${reason} ${error.details.hint}`, earlierAttemptUncertain });
		}
		earlierAttemptUncertain ||= outcomeUnknown === true;
		waitedMs += delayMs;
		await delay(delayMs, signal);
	}
}

/** The host of a download link has limits of its own. */
async function identifyAccount({
	skipAuthentication,
	url,
	getCredential,
}: RequestOptions & Pick<Attempt, 'getCredential'>): Promise<string> {
	return skipAuthentication ? new URL(url).origin : getAccount(await getCredential());
}

/** Exponential back-off with equal jitter. */
function getBackoffMs(attempt: number): number {
	const ceiling = Math.min(INITIAL_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
	return ceiling / 2 + Math.random() * (ceiling / 2);
}

/**
 * @param heldMs for how long the service has let nothing through
 * @param neededMs the same, and what the next attempt would have to wait
 */
function formatWait(heldMs: number, neededMs: number, maxWaitMs: number): string {
	const [held, needed, limit] = [heldMs, neededMs, maxWaitMs].map(
		(ms) => `${Math.ceil(ms / 1000)} s`,
	);
	const soFar = heldMs > 0 ? `The service let nothing through for ${held}. ` : '';
	return `${soFar}Another attempt would bring the wait to ${needed}; the limit is ${limit}.`;
}
