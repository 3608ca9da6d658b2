import { combineOutcomes, toUserError } from '../errors/userError';

import { delay } from './delay';
import { isRefusal } from './limiter/rateLimiter';
import type { Request } from './send';

const MAX_ATTEMPTS_AT_UNKNOWN_HOST = 4;
const MAX_DOWNTIME_MS = 60_000;
const [INITIAL_BACKOFF_MS, MAX_BACKOFF_MS] = [300, 10_000];

interface RetryOptions extends Pick<Request, 'method' | 'earlierOutcome'> {
	signal?: AbortSignal;
	maxRetryMs: number;
	/** Whether its host has responded before, or may be at a wrong address. */
	isHostKnown: () => boolean;
}

/**
 * Makes attempts at a request until one succeeds, as long as that is safe. The rules:
 * - Not done: repeat any method, if what failed is transient.
 * - Unknown outcome (timeout, broken connection, 408, 5xx of a gateway): repeat all but POST, which
 *   may have been carried out, and a video costs money.
 * - Anything else: never repeat.
 * - A refusal is repeated until the rate limiter gives it up, which decides when. Anything else is
 *   repeated for as long as a deploy takes if the host has responded before; otherwise four times.
 *
 * @throws UserError whose outcome is that of all attempts
 */
export async function retry<T>(
	{ method, earlierOutcome = 'notDone', signal, maxRetryMs, isHostKnown }: RetryOptions,
	attempt: () => Promise<T>,
): Promise<T> {
	let outcome = earlierOutcome;
	let failures = 0;
	let failedAt: number | undefined;
	for (;;) {
		try {
			return await attempt();
		} catch (thrown) {
			const error = toUserError(thrown);
			// Reading has no effect.
			const happened = method === 'GET' ? 'notDone' : error.details.outcome;
			outcome = combineOutcomes(outcome, happened);
			const { isTransient, isGivenUp } = error.details;
			const isUnsafe = method === 'POST' && happened !== 'notDone';
			if (!isTransient || isGivenUp || isUnsafe) throw error.with({ outcome });
			// Time in the queue is no downtime.
			failedAt = isRefusal(error, method) ? undefined : (failedAt ?? performance.now());
			failures = failedAt === undefined ? 0 : failures + 1;
			if (failedAt === undefined) continue;
			const failedMs = performance.now() - failedAt;
			const isEnough = failures >= MAX_ATTEMPTS_AT_UNKNOWN_HOST && !isHostKnown();
			if (isEnough || failedMs >= Math.min(MAX_DOWNTIME_MS, maxRetryMs)) {
				throw error.with({ outcome, hint: `Gave up after ${failures} attempts. ${error.hint}` });
			}
			const backoffMs = Math.min(INITIAL_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
			await delay(backoffMs * (0.5 + Math.random() / 2), signal);
		}
	}
}
