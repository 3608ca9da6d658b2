import type { IPollFunctions } from 'n8n-workflow';

import { delay } from '../client/delay';
import { RequestError } from '../errors/userError';

/** How long a poll may take if n8n does not say: its shortest polling interval is a minute. */
const POLL_BUDGET_MS = 60_000;
/**
 * By how much a poll ends before its time is over: n8n discards what a poll returns too late (n8n 2.41.1,
 * trigger-execution-context.factory.js).
 */
const RESERVE_MS = 2_000;
/**
 * The time that the first item has at least, even if reading the list took all the time of the poll. n8n
 * waits for that much longer than the budget (n8n 2.41.1, trigger-execution-context.factory.js).
 */
const MIN_BUILD_MS = 5_000;

/** @returns the time, by the clock of `performance.now()`, after which a poll begins no further item */
export function getDeadline(context: IPollFunctions): number {
	const budgetMs = context.getPollBudgetMs?.() ?? POLL_BUDGET_MS;
	return performance.now() + budgetMs - RESERVE_MS;
}

/**
 * Ends the requests for items at the deadline, so that the one in progress is cut short. The list has
 * been read by then. An n8n that sets no budget waits for its polls, so there a large file may take its
 * time.
 *
 * @returns a function to call once the items are built
 */
export function limitTime(
	context: IPollFunctions,
	timeLimit: AbortController,
	deadline: number,
): () => void {
	const stop = new AbortController();
	const reason = new RequestError('The response took longer than a poll may take', '', {
		code: 'timeout',
	});
	const hasBudget = context.getPollBudgetMs?.() !== undefined;
	const leftMs = hasBudget ? Math.max(deadline - performance.now(), MIN_BUILD_MS) : Infinity;
	void delay(leftMs, stop.signal).then(
		() => timeLimit.abort(reason),
		() => undefined,
	);
	return () => stop.abort();
}
