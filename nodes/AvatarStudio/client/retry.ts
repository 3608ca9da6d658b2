import { combineOutcomes, toUserError, type Outcome, type UserError } from '../errors/userError';

import { delay } from './delay';
import type { QueuedRequest } from './limiter/requestGroup';
import { formatRoute, formatSeconds, log } from './log';
import { isRefusal } from './refusal';

/** The attempts at a host that has never responded with data: its address may be wrong. */
const MAX_ATTEMPTS_AT_UNKNOWN_HOST = 4;
/** How long attempts at any other host go on: about as long as a deploy of a service takes. */
const MAX_DOWNTIME_MS = 60_000;
/** The longest time from the first failed attempt to the second one. It doubles with each attempt. */
const INITIAL_BACKOFF_MS = 300;
/** The longest time from one failed attempt to the next. */
const MAX_BACKOFF_MS = 10_000;

/**
 * Makes attempts at a request until one succeeds, as long as that is safe. Which failures are repeated:
 * - Not done: any method, if what failed is transient.
 * - Unknown outcome (timeout, broken connection, 408, 5xx of a gateway): all but POST, which may have
 *   been carried out, and a video costs money.
 * - No others.
 *
 * For how long: the rate limiter decides when a refused request is sent again, and when it is given up.
 * After other failures, attempts go on as long as a deploy takes; at a host whose address may be wrong,
 * there are four.
 *
 * @param isHostKnown whether the address of the host is certainly right
 * @throws UserError whose outcome is that of all attempts
 */
export async function retry<T>(
	queued: QueuedRequest,
	isHostKnown: () => boolean,
	attempt: () => Promise<T>,
): Promise<T> {
	const { method, earlierOutcome = 'notDone', isTriedOnce } = queued.request;
	let outcome = earlierOutcome;
	let failures = 0;
	let failedAt = 0;
	let backoffMs = 0;
	for (;;) {
		try {
			await delay(backoffMs, ...queued.signals);
			return await attempt();
		} catch (thrown) {
			const error = toUserError(thrown);
			// Reading has no effect, so nothing can have been done.
			const attemptOutcome = method === 'GET' ? 'notDone' : error.details.outcome;
			outcome = combineOutcomes(outcome, attemptOutcome);
			const isFinal = isTriedOnce === true || !mayRepeat(method, error, attemptOutcome);
			if (isFinal) throw error.with({ outcome });
			if (isRefusal(method, error.details.status)) {
				// The service is not down, and the time until the next turn is no downtime.
				failures = 0;
				backoffMs = 0;
				continue;
			}
			if (failures === 0) failedAt = performance.now();
			failures++;
			const mayHostBeWrong = failures >= MAX_ATTEMPTS_AT_UNKNOWN_HOST && !isHostKnown();
			// The maximum wait of the group bounds this too, so that a poll ends before the next one. That of the
			// request does not, because Wait If Busy is about refusals only.
			const maxDowntimeMs = Math.min(MAX_DOWNTIME_MS, queued.group.maxWaitMs);
			if (mayHostBeWrong || performance.now() - failedAt >= maxDowntimeMs) {
				throw error.with({ outcome, hint: `Gave up after ${failures} attempts. ${error.hint}` });
			}
			backoffMs = getBackoffMs(failures);
			logRepetition(queued, error, backoffMs);
		}
	}
}

function mayRepeat(method: string, { details }: UserError, attemptOutcome: Outcome): boolean {
	const isUnsafe = method === 'POST' && attemptOutcome !== 'notDone';
	return details.isTransient && !details.isGivenUp && !isUnsafe;
}

/** @returns a random part of the back-off, at least half of it, so that failed requests spread */
function getBackoffMs(failures: number): number {
	const longest = Math.min(INITIAL_BACKOFF_MS * 2 ** (failures - 1), MAX_BACKOFF_MS);
	return longest * (0.5 + Math.random() / 2);
}

function logRepetition({ context, request }: QueuedRequest, error: UserError, delayMs: number) {
	const reason = error.details.status ?? error.summary;
	const when = `It is sent again in ${formatSeconds(delayMs)}.`;
	log(context, 'debug', `${formatRoute(request)}: ${reason}. ${when}`);
}
