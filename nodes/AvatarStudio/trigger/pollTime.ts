import type { IPollFunctions } from 'n8n-workflow';

import { delay } from '../client/delay';
import { RequestError } from '../errors/userError';

/** How long a poll may take if n8n does not say: its shortest polling interval is a minute. */
const POLL_BUDGET_MS = 60_000;
/** By how much a poll ends before its time is over: n8n discards what a poll returns too late. */
const RESERVE_MS = 2_000;
/**
 * The time that reading the list has at least, and then the first item, whatever the list has taken. n8n waits
 * for somewhat longer than the budget (n8n, trigger-execution-context.factory.js).
 */
const MIN_MS = 5_000;

/** @returns the time, by the clock of `performance.now()`, after which a poll begins no further item */
export function getDeadline(context: IPollFunctions): number {
	const budgetMs = context.getPollBudgetMs?.() ?? POLL_BUDGET_MS;
	return performance.now() + budgetMs - RESERVE_MS;
}

/**
 * Ends the requests of a part of a poll at the deadline. An n8n that sets no budget waits for its polls, so
 * there a long list or a large file may take its time.
 *
 * @param summary what took too long, for the error of the requests
 * @returns a function to call once the part is done
 */
export function limitTime(
	context: IPollFunctions,
	timeLimit: AbortController,
	deadline: number,
	summary: string,
): () => void {
	if (context.getPollBudgetMs?.() === undefined) return () => undefined;
	const stop = new AbortController();
	const reason = new RequestError(summary, '', { code: 'timeout' });
	const leftMs = Math.max(deadline - performance.now(), MIN_MS);
	void delay(leftMs, stop.signal).then(
		() => timeLimit.abort(reason),
		() => undefined,
	);
	return () => stop.abort();
}
