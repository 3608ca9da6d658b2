import { combineOutcomes, toUserError, type Outcome } from '../errors/userError';

import { delay } from './delay';
import type { Request } from './send';

const MIN_ATTEMPTS = 4;
const INITIAL_BACKOFF_MS = 300;
const MAX_BACKOFF_MS = 10_000;

/** What decides whether a request that failed is repeated. */
interface RetryOptions extends Pick<Request, 'method'> {
	/** What is known of attempts before n8n's Retry On Fail. */
	earlierOutcome?: Outcome;
	signal?: AbortSignal;
	/** For how long it is repeated at most, in milliseconds. */
	maxRetryMs: number;
	/** For how long it is repeated, in milliseconds, if that takes more than four attempts. */
	getRetryMs: () => number;
}

/**
 * Makes attempts at a request until one succeeds, as long as that is safe.
 *
 * The rules that must not regress:
 * - Not done: repeat any method, if what failed is transient.
 * - Unknown outcome (timeout, broken connection, 408, 502 to 504, 520, 522, 524): repeat GET, PATCH
 *   and DELETE. Never repeat a POST: it may have been carried out, and a video costs money.
 * - Anything else: never repeat. A 429 is repeated by the rate limiter, and comes here only once
 *   that has given it up.
 * - Four attempts are made, unless a user or the next poll waits for them. An address that is known
 *   to be right is tried for as long as a deploy takes.
 *
 * @param attempt makes one attempt
 * @throws UserError whose outcome is that of all attempts
 */
export async function retry<T>(
	{ method, earlierOutcome = 'notDone', signal, maxRetryMs, getRetryMs }: RetryOptions,
	attempt: (hasFailed: boolean) => Promise<T>,
): Promise<T> {
	let outcome = earlierOutcome;
	const startedAt = performance.now();
	let failedAt: number | undefined;
	for (let failures = 0; ; ) {
		try {
			return await attempt(failures > 0);
		} catch (thrown) {
			const error = toUserError(thrown);
			// Reading has no effect: a voice that cannot be looked up leaves no video.
			const happened = method === 'GET' ? 'notDone' : error.details.outcome;
			outcome = combineOutcomes(outcome, happened);
			const isSafe = method !== 'POST' || happened === 'notDone';
			const { isTransient, isGivenUp } = error.details;
			if (!isTransient || isGivenUp || !isSafe) throw error.with({ outcome });
			const now = performance.now();
			failedAt ??= now;
			const isEnough = ++failures >= MIN_ATTEMPTS && now - failedAt >= getRetryMs();
			if (isEnough || now - startedAt >= maxRetryMs) {
				if (failures === 1) throw error.with({ outcome });
				const hint = `Gave up after ${failures} attempts. ${error.hint}`;
				throw error.with({ outcome, hint });
			}
			await delay(getBackoffMs(failures), signal);
		}
	}
}

/** Exponential back-off with equal jitter. */
function getBackoffMs(attempt: number): number {
	const ceiling = Math.min(INITIAL_BACKOFF_MS * 2 ** (attempt - 1), MAX_BACKOFF_MS);
	return ceiling * (0.5 + Math.random() / 2);
}
