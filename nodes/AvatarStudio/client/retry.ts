import {
	combineOutcomes,
	createUnexpectedError,
	mayHaveHappened,
	RequestError,
	type Outcome,
} from '../errors/requestError';
import { UserError } from '../errors/userError';

import type { RequestOptions } from './client';
import { delay } from './delay';

const MAX_ATTEMPTS = 4;
const INITIAL_BACKOFF_MS = 300;

/**
 * Makes attempts at a request until one succeeds, as long as that is safe.
 *
 * The rules that must not regress:
 * - Not sent, or refused (429): repeat any method.
 * - Unknown outcome (timeout, broken connection, 408, 502 to 504, 520, 522, 524): repeat GET, PATCH
 *   and DELETE. Never repeat a POST: it may have been carried out, and a video costs money.
 * - Anything else: never repeat.
 * - How often a refused request is repeated, and when, is for the rate limiter to say; everything
 *   else is repeated after a back-off, three times at most.
 *
 * @param attempt makes one attempt; from each turn on, it reports what is known to have happened, for
 *   errors that do not say it, and undefined while it waits for one
 * @throws UserError, or RequestError whose outcome is that of all attempts
 */
export async function retry<T>(
	{ method, earlierOutcome = 'notSent', signal }: Omit<RequestOptions, 'url'>,
	attempt: (isRetry: boolean, report: (reached?: Outcome) => void) => Promise<T>,
): Promise<T> {
	let outcome = earlierOutcome;
	let failures = 0;
	for (let isRetry = false; ; isRetry = true) {
		let progress: Outcome | undefined;
		try {
			return await attempt(isRetry, (reached) => (progress = reached));
		} catch (thrown) {
			const error =
				thrown instanceof UserError ? thrown : createUnexpectedError(thrown, progress ?? 'notSent');
			if (!(error instanceof RequestError)) {
				// It says nothing of the attempts before.
				const { summary, hint, code } = error;
				throw mayHaveHappened(outcome) ? new RequestError(summary, hint, { code, outcome }) : error;
			}
			const { isTransient, code } = error.details;
			// Reading has no effect: a voice that cannot be looked up leaves no video.
			const happened = method === 'GET' ? 'notSent' : error.details.outcome;
			outcome = combineOutcomes(outcome, happened);
			const isSafe = method !== 'POST' || !mayHaveHappened(happened);
			// What fails before its turn, such as waiting for too long, is not an attempt.
			if (!isTransient || !isSafe || progress === undefined) throw error.with({ outcome });
			if (code === 'rateLimited') continue;
			if (++failures >= MAX_ATTEMPTS) {
				const hint = `Gave up after ${failures} attempts. ${error.hint}`;
				throw error.with({ outcome, hint });
			}
			await delay(getBackoffMs(failures), signal);
		}
	}
}

/** Exponential back-off with equal jitter. */
function getBackoffMs(attempt: number): number {
	const ceiling = INITIAL_BACKOFF_MS * 2 ** (attempt - 1);
	return ceiling * (0.5 + Math.random() / 2);
}
