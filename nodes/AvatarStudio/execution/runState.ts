import {
	NodeConnectionTypes,
	type IDataObject,
	type IExecuteData,
	type IExecuteSingleFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Caller } from '../client/limiter/caller';
import { RequestError } from '../errors/requestError';

/** What all items of one node run share. */
export interface RunState {
	caller: Caller;
	/** Items in progress or done, by their identity: see `getItemIdentity`. */
	results: Map<object, Promise<INodeExecutionData[]>>;
	/** Items of which a failed attempt may have taken effect, by their identity. */
	uncertain: Set<object>;
	/** See `fetchSharedList`. */
	sharedLists: Map<string, Promise<IDataObject[]>>;
}

/**
 * n8n passes the same object for all items of a node run and for all attempts of Retry On Fail; a
 * loop's next round and a new execution have another one (n8n-core, workflow-execute.js). So the
 * state lives as long as the run, and nothing has to clear it.
 */
const runStates = new WeakMap<IExecuteData, RunState>();

/** @returns the state of this node run, created on the first call */
export function getRunState(executeData: IExecuteData): RunState {
	let state = runStates.get(executeData);
	if (!state) {
		state = {
			caller: Caller.forNodeRun(),
			results: new Map(),
			uncertain: new Set(),
			sharedLists: new Map(),
		};
		runStates.set(executeData, state);
	}
	return state;
}

/**
 * Identifies an item for as long as n8n's Retry On Fail repeats it. An input item is the same object
 * in every attempt, and so are the arguments of one call of an agent's tool. n8n wraps those in a
 * new item for each attempt, under `ai_tool`, and makes up an item in place of the main input
 * (n8n-core, get-input-connection-data.js and execute-single-context.js). An index identifies
 * nothing: all calls of a tool during one agent run are item 0.
 */
export function getItemIdentity(context: IExecuteSingleFunctions): object {
	const item = context.getInputData();
	const isMadeUp = item !== context.getInputData();
	return isMadeUp ? context.getInputData(0, NodeConnectionTypes.AiTool).json : item;
}

/**
 * Executes each item once per node run, however often n8n runs the node again because another
 * item failed. A successful item is answered from memory, and so is a creation with an unknown
 * outcome. An item in progress is awaited: n8n abandons the other items when an expression of one
 * cannot be evaluated, and starts the node again while they are in flight.
 *
 * @param identity of the item: see `getItemIdentity`
 * @param execute executes the item; called again only after an error that may be retried. It
 *   receives whether an earlier attempt may have taken effect
 */
export async function memoizePerItem(
	{ results, uncertain }: RunState,
	identity: object,
	execute: (earlierAttemptUncertain: boolean) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	let result = results.get(identity);
	if (!result) {
		result = execute(uncertain.has(identity));
		results.set(identity, result);
		result.catch((error: unknown) => {
			const { details } = error instanceof RequestError ? error : {};
			if (details?.outcomeUnknown || details?.earlierAttemptUncertain) uncertain.add(identity);
			if (!details?.doNotRetry) results.delete(identity);
		});
	}
	// n8n modifies the items it receives.
	return (await result).map((item) => ({ ...item }));
}
