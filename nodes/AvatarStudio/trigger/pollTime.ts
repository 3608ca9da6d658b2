import type { IPollFunctions } from 'n8n-workflow';

import { delay } from '../client/delay';
import { logForNode } from '../client/log';
import { RequestError, UserError } from '../errors/userError';

/** How long a poll may take if n8n does not say: its shortest polling interval is a minute. */
const POLL_BUDGET_MS = 60_000;
/**
 * By how much a poll ends before its time is over: n8n discards what a poll returns too late (n8n 2.41.1,
 * trigger-execution-context.factory.js).
 */
const RESERVE_MS = 2_000;
/**
 * The time that reading the list has at least, and then the first item, whatever the list has taken. n8n waits
 * for somewhat longer than the budget (n8n 2.41.1, trigger-execution-context.factory.js).
 */
const MIN_MS = 5_000;

/** Poll Times as a workflow holds them. */
export const POLL_TIMES_EXAMPLE =
	'{ "item": [{ "mode": "everyX", "value": 15, "unit": "minutes" }] }';
/** What a value of the unit is at most, and what n8n does with a larger one (n8n-workflow, cron.js). */
const UNITS: Record<string, { max: number; result: string }> = {
	minutes: { max: 60, result: 'once an hour' },
	hours: { max: 24, result: 'once a day' },
};
/** The Poll Times that the log has told of, by workflow and node. */
const toldPollTimes = new Set<string>();

/**
 * Checks when n8n polls: it accepts Poll Times without an entry, with which it never does, and numbers that
 * are too large for their unit, which it takes for the whole unit. Of those the log tells once.
 *
 * @throws UserError if there is no entry
 */
export function checkPollTimes(context: IPollFunctions): void {
	const { item } = Object(context.getNodeParameter('pollTimes', {})) as { item?: unknown };
	if (!Array.isArray(item) || item.length === 0) {
		throw new UserError(
			'Poll Times has no entry, so n8n would never poll',
			`Add one. In the JSON of a workflow: "pollTimes": ${POLL_TIMES_EXAMPLE}.`,
		);
	}
	for (const { mode, unit = '', value } of item as Record<string, string | undefined>[]) {
		const { max, result } = UNITS[unit] ?? { max: Infinity, result: '' };
		if (mode !== 'everyX' || !(Number(value) > max)) continue;
		const text = `Poll Times says every ${value} ${unit}, which n8n takes for ${result}. For another interval, choose Custom and enter a cron expression.`;
		const key = JSON.stringify([context.getWorkflow().id, context.getNode().name, text]);
		if (!toldPollTimes.has(key)) logForNode(context, 'warn', text);
		toldPollTimes.add(key);
	}
}

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
