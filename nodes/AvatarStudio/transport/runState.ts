import type { IExecuteData, INodeExecutionData } from 'n8n-workflow';

import { RequestError } from './errors/requestError';
import { RateLimiter } from './request/rateLimiter';

/** What all items of one node run share. */
export interface RunState {
	rateLimiter: RateLimiter;
	/**
	 * What is settled or under way, by the input item itself: an agent of older n8n calls a tool
	 * several times in one node run, each time with another item 0.
	 */
	items: Map<INodeExecutionData, Promise<INodeExecutionData[]>>;
	/** The person's own Timeout in milliseconds, 0 where it is not set; unread yet where undefined. */
	timeout?: number;
}

/**
 * n8n hands one and the same object to all items of a node run and to every try of Retry On
 * Fail; a loop's next round and a new execution have another (n8n-core, workflow-execute.js).
 * So the memory lives as long as the run does, and nothing has to clear it.
 */
const runStates = new WeakMap<IExecuteData, RunState>();

/** @returns what the items of this node run share, made at the first call */
export function getRunState(executeData: IExecuteData): RunState {
	let run = runStates.get(executeData);
	if (!run) {
		run = { rateLimiter: new RateLimiter(), items: new Map() };
		runStates.set(executeData, run);
	}
	return run;
}

/**
 * Does the work of one item once in a node run, however often n8n runs the node again for the
 * sake of another item: what succeeded is answered from memory, and so is a creation whose
 * outcome is unknown. What is still under way is waited for: n8n gives up on the other items
 * where an expression of one cannot be evaluated, and starts again while they are in flight.
 *
 * @param run what the run shares
 * @param input the input item
 * @param work does the item's work; called again only after it has failed in a way that
 *   certainly left nothing behind
 */
export async function memoizePerItem(
	run: RunState,
	input: INodeExecutionData,
	work: () => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	let outcome = run.items.get(input);
	if (!outcome) {
		outcome = work();
		run.items.set(input, outcome);
		outcome.catch((error: unknown) => {
			const keep = error instanceof RequestError && error.details.doNotRetry;
			if (!keep) run.items.delete(input);
		});
	}
	const items = await outcome;
	// n8n writes into the items it is given.
	return items.map((item) => ({ ...item }));
}
