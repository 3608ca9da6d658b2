import type {
	IExecuteData,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import type { SharedLists } from '../client/client';
import { RequestQueue } from '../client/limiter/requestQueue';
import {
	combineOutcomes,
	createRunStoppedError,
	toUserError,
	type Outcome,
	type UserError,
} from '../errors/userError';

/**
 * n8n passes the same object for all items of a node run and for all attempts of Retry On Fail; a
 * loop's next round and a new execution have another one (n8n-core, workflow-execute.js). So a run
 * lives as long as that object, and nothing has to clear it.
 */
const runs = new WeakMap<IExecuteData, NodeRun>();

/** @returns the node run that an item belongs to */
export function getRun(context: IExecuteSingleFunctions): NodeRun {
	const executeData = context.getExecuteData();
	const run = runs.get(executeData) ?? new NodeRun();
	runs.set(executeData, run);
	return run;
}

/** What a request created, or its error if it may have created something. */
export type Creation = Promise<INodeExecutionData[]>;

/** What is known of an item. */
export interface ItemState {
	/** Its output items, once it is in progress; kept if it must not be executed again. */
	result?: Promise<INodeExecutionData[]>;
	/** What came of it in all attempts. */
	outcome: Outcome;
	/** The IDs of the records that its texts stand for. */
	ids: Record<string, string>;
	/** What it has created: see `createOnce`. */
	creations: Map<string, Creation>;
}

/** The item that failed, and with it the run. */
interface RunFailure {
	error: UserError;
	itemIndex: number;
	state: ItemState;
}

/** A run that has stopped, once no item is in progress any more. */
export interface StoppedRun extends RunFailure {
	/** How many other items were done, and how many may have been. */
	doneCount: number;
	uncertainCount: number;
}

/**
 * What all items of one node run share. An item is known by the object that n8n passes for it, which
 * is the same in every attempt of Retry On Fail, and another one in each call of a tool. Its index
 * identifies nothing: all calls of a tool during one agent run are item 0.
 *
 * The rules that must not regress:
 * - A successful item is answered from memory, however often n8n runs the node again because another
 *   one failed, and so is one that may have created something, unless the user would rather create
 *   twice. What failed otherwise is executed again, without the requests that created something.
 * - An item in progress is awaited: n8n abandons the other items when an expression of one cannot be
 *   evaluated, and starts the node again while they are in flight.
 * - In a run that stops at the first error, no item is sent before all are prepared (n8n holds them back with Batching), and
 *   nothing further once an item has failed, except for the files of what was created.
 */
class NodeRun {
	/** See `fetchSharedRecords`. What an attempt did not find may be there at the next one. */
	readonly sharedLists: SharedLists = new Map();
	/** Why it has stopped, and how it ends. */
	private failure?: RunFailure & { end: Promise<StoppedRun> };
	/** The requests of its items; a new one once n8n runs a stopped node again. */
	requestQueue = RequestQueue.forNodeRun();
	private readonly items = new Map<object, ItemState>();
	/** Those that n8n has called in this attempt. */
	private readonly called = new Set<ItemState>();
	/** Those that wait for the others to be prepared, or have. */
	private readonly prepared = new Set<ItemState>();
	private waitingForOthers: { resolve: () => void; reject: (reason: Error) => void }[] = [];

	/** @returns what is known of an item that n8n has called */
	enter(input: object): ItemState {
		const state = this.items.get(input) ?? { outcome: 'notDone', ids: {}, creations: new Map() };
		this.items.set(input, state);
		if (this.called.has(state)) this.startNextAttempt();
		this.called.add(state);
		return state;
	}

	/**
	 * Executes an item, unless that was done before.
	 *
	 * @param mayExecuteAgain whether an item that failed may be executed again
	 * @throws UserError whose outcome is that of the request that failed
	 */
	async execute(
		state: ItemState,
		execute: () => Promise<INodeExecutionData[]>,
		mayExecuteAgain: (error: UserError) => boolean,
	): Promise<INodeExecutionData[]> {
		state.result ??= execute().catch((thrown: unknown) => {
			const error = toUserError(thrown);
			if (mayExecuteAgain(error)) state.result = undefined;
			state.outcome = combineOutcomes(state.outcome, error.details.outcome);
			throw error;
		});
		// n8n modifies the items it receives.
		return (await state.result).map((output) => ({ ...output }));
	}

	/**
	 * Waits until so many items of the run are prepared.
	 *
	 * @throws the reason, if the run was stopped
	 */
	async waitForOthers(state: ItemState, count: number): Promise<void> {
		if (this.failure) throw createRunStoppedError(this.failure.error);
		this.prepared.add(state);
		// The last one waits as well, so that all go on in the order of the items.
		const released = new Promise<void>((resolve, reject) => {
			this.waitingForOthers.push({ resolve, reject });
		});
		if (this.prepared.size >= count) {
			for (const { resolve } of this.waitingForOthers.splice(0)) resolve();
		}
		await released;
	}

	/**
	 * Ends every item that was not begun yet; those in flight go on. Every item of the run calls it,
	 * so the work is done once: it grows with the number of items.
	 *
	 * @returns the first failure, once no item is in progress
	 */
	async stop(failure: RunFailure): Promise<StoppedRun> {
		if (!this.failure) {
			this.failure = { ...failure, end: this.waitForEnd(failure) };
			const reason = createRunStoppedError(failure.error);
			this.requestQueue.stop(reason);
			for (const { reject } of this.waitingForOthers.splice(0)) reject(reason);
		}
		return await this.failure.end;
	}

	private async waitForEnd(failure: RunFailure): Promise<StoppedRun> {
		const states = [...this.items.values()];
		await Promise.allSettled(states.flatMap(({ result = [] }) => result));
		const others = states.filter((state) => state !== failure.state);
		const count = (wanted: Outcome) => others.filter(({ outcome }) => outcome === wanted).length;
		return { ...failure, doneCount: count('done'), uncertainCount: count('unknown') };
	}

	private startNextAttempt(): void {
		this.called.clear();
		this.sharedLists.clear();
		if (!this.failure) return;
		this.failure = undefined;
		this.requestQueue = RequestQueue.forNodeRun();
		for (const state of this.items.values()) {
			if (!state.result) this.prepared.delete(state);
		}
	}
}

export type { NodeRun };

/**
 * Whether the node runs as a tool. Only an item reaches the model on every version: AI Agent 2.2
 * passes on an empty text for a thrown error, and AI Agent 3 of n8n 1.x ends the execution.
 */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** @returns how many input items n8n executes in this run */
export function countItems(context: IExecuteSingleFunctions): number {
	if (context.getNode().executeOnce) return 1;
	return context.getExecuteData().data.main?.[0]?.length ?? 1;
}

/** @returns whether n8n pauses between items instead of starting all at once */
export function isBatched(context: IExecuteSingleFunctions): boolean {
	const { batching } = context.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchInterval?: number } };
	};
	return (batching?.batch?.batchInterval ?? 0) > 0;
}
