import type { IPollFunctions } from 'n8n-workflow';

import { delay } from '../client/delay';
import { RequestError } from '../errors/userError';

/** How long a poll may take if n8n does not say: its shortest polling interval is a minute. */
const POLL_BUDGET_MS = 60_000;
/** How long before that the requests for records end: n8n discards what a poll returns too late. */
const RESERVE_MS = 2_000;
/** How long they may take at least, even if the list took all the time, so that each poll gets on. */
const MIN_BUILD_MS = 5_000;

/** @returns when a poll that begins now has to end, by the clock of `performance.now()` */
export function getDeadline(context: IPollFunctions): number {
	const budgetMs = context.getPollBudgetMs?.() ?? POLL_BUDGET_MS;
	return performance.now() + budgetMs - RESERVE_MS;
}

/**
 * Ends the requests of a poll at its deadline, but leaves time for one record. An n8n that sets no budget
 * waits for its polls, so there a large file may take its time.
 *
 * @returns a function to call once they have ended
 */
export function limitTime(
	context: IPollFunctions,
	timeLimit: AbortController,
	deadline: number,
): () => void {
	const timer = new AbortController();
	const reason = new RequestError('The response took longer than a poll may take', '', {
		code: 'timeout',
	});
	const hasBudget = context.getPollBudgetMs?.() !== undefined;
	const leftMs = hasBudget ? Math.max(deadline - performance.now(), MIN_BUILD_MS) : Infinity;
	void delay(leftMs, timer.signal).then(
		() => timeLimit.abort(reason),
		() => undefined,
	);
	return () => timer.abort();
}
