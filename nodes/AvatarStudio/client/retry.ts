import { combineOutcomes, toUserError, type UserError } from '../errors/userError';

import { delay } from './delay';
import type { QueuedRequest } from './limiter/requestQueue';
import { formatSeconds, log } from './log';
import { isRefusal } from './refusal';
import type { Request } from './send';

/** The attempts at a host that has never responded: its address may be wrong. */
const MAX_ATTEMPTS_AT_UNKNOWN_HOST = 4;
/** How long attempts at any other host go on: about as long as a deploy of a service takes. */
const MAX_DOWNTIME_MS = 60_000;
/** The longest time from the first failed attempt to the second one. */
const INITIAL_BACKOFF_MS = 300;
/** What that time, which doubles with each attempt, grows to. */
const MAX_BACKOFF_MS = 10_000;

interface RetryOptions
	extends Pick<QueuedRequest, 'context' | 'method' | 'getRoute'>,
		Pick<Request, 'earlierOutcome'> {
	signal?: AbortSignal;
	/** How long attempts go on at most, in milliseconds. */
	maxRetryMs: number;
	/** Whether its host has answered with data before, so that its address is right. */
	isHostKnown: () => boolean;
}

/**
 * Makes attempts at a request until one succeeds, as long as that is safe. The rules:
 * - Not done: repeat any method, if what failed is transient.
 * - Unknown outcome (timeout, broken connection, 408, 5xx of a gateway): repeat all but POST, which
 *   may have been carried out, and a video costs money.
 * - Anything else: never repeat.
 * - A refusal is repeated until the rate limiter gives it up, which decides when. Anything else is
 *   repeated for as long as a deploy takes if the host is known; otherwise four times.
 *
 * @throws UserError whose outcome is that of all attempts
 */
export async function retry<T>(options: RetryOptions, attempt: () => Promise<T>): Promise<T> {
	const { method, earlierOutcome = 'notDone', signal } = options;
	let outcome = earlierOutcome;
	let failures = 0;
	let failedAt: number | undefined;
	for (;;) {
		try {
			return await attempt();
		} catch (thrown) {
			const error = toUserError(thrown);
			// Reading has no effect, so nothing can have been done.
			const happened = method === 'GET' ? 'notDone' : error.details.outcome;
			outcome = combineOutcomes(outcome, happened);
			const { status, isTransient, isGivenUp } = error.details;
			const isUnsafe = method === 'POST' && happened !== 'notDone';
			if (!isTransient || isGivenUp || isUnsafe) throw error.with({ outcome });
			if (isRefusal(method, status)) {
				// The service is not down, and the time until the next turn is no downtime.
				failures = 0;
				failedAt = undefined;
				continue;
			}
			failures++;
			failedAt ??= performance.now();
			if (isEnough(options, failures, performance.now() - failedAt)) {
				throw error.with({ outcome, hint: `Gave up after ${failures} attempts. ${error.hint}` });
			}
			const backoffMs = getBackoffMs(failures);
			logRepetition(options, error, backoffMs);
			await delay(backoffMs, signal);
		}
	}
}

function isEnough(
	{ isHostKnown, maxRetryMs }: RetryOptions,
	failures: number,
	failedMs: number,
): boolean {
	const isLongEnough = failedMs >= Math.min(MAX_DOWNTIME_MS, maxRetryMs);
	return isLongEnough || (failures >= MAX_ATTEMPTS_AT_UNKNOWN_HOST && !isHostKnown());
}

/** @returns a random part of the back-off, at least half of it, so that failed requests spread */
function getBackoffMs(failures: number): number {
	const longest = Math.min(INITIAL_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
	return longest * (0.5 + Math.random() / 2);
}

function logRepetition(
	{ context, getRoute }: RetryOptions,
	error: UserError,
	delayMs: number,
): void {
	const reason = error.details.status ?? error.summary;
	log(context, 'debug', `${getRoute()}: ${reason}. It is sent again in ${formatSeconds(delayMs)}.`);
}
