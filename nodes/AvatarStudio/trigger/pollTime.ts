import type { IPollFunctions } from 'n8n-workflow';

import { delay } from '../client/delay';
import { RequestError } from '../errors/userError';

/** How long a poll may take if n8n does not say: its shortest polling interval is a minute. */
const POLL_BUDGET_MS = 60_000;
/** A poll ends so long before its time is over, because n8n discards what a poll returns too late. */
const RESERVE_MS = 2_000;
/** The time for building items that a poll has at least, even if reading the list took all of it. */
const MIN_BUILD_MS = 5_000;

/** @returns when a poll that begins now begins no further item, by the clock of `performance.now()` */
export function getDeadline(context: IPollFunctions): number {
	const budgetMs = context.getPollBudgetMs?.() ?? POLL_BUDGET_MS;
	return performance.now() + budgetMs - RESERVE_MS;
}

/**
 * Ends the requests of a poll at its deadline, so that the item in progress is cut short. An n8n that
 * sets no budget waits for its polls, so there a large file may take its time.
 *
 * @returns a function to call once the items are built
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
