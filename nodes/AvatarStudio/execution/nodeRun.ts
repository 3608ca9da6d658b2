import type {
	IExecuteData,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
} from 'n8n-workflow';

import type { SharedLists } from '../client/client';
import { RequestQueue } from '../client/limiter/requestQueue';
import { createRunStoppedError, type Outcome, type UserError } from '../errors/userError';

/**
 * n8n passes the same object for all items of a node run and for all attempts of Retry On Fail; a
 * loop's next round and a new execution have another one (n8n-core, workflow-execute.js). So a run
 * lives as long as that object, and nothing has to clear it.
 */
const runs = new WeakMap<IExecuteData, NodeRun>();

/** @returns the node run that an item belongs to, a new one for its first item */
export function getRun(context: IExecuteSingleFunctions): NodeRun {
	const executeData = context.getExecuteData();
	const run = runs.get(executeData) ?? new NodeRun();
	runs.set(executeData, run);
	return run;
}

/** What is known of an item, over all attempts of Retry On Fail. */
export interface ItemState {
	/** Its output items, once it is in progress; kept if it must not be executed again. */
	result?: Promise<INodeExecutionData[]>;
	outcome: Outcome;
	/** The IDs that its texts stood for in an earlier attempt. */
	ids: Map<string, string>;
	/** Whether a request failed that must not be sent again: see `createOnce`. */
	isFinal?: boolean;
	/** What its requests created: see `createOnce`. */
	creations: Map<string, Promise<INodeExecutionData[]>>;
}

interface RunFailure {
	error: UserError;
	itemIndex: number;
	state: ItemState;
}

/**
 * What all items of one node run share. An item is known by the object that n8n passes for it, which
 * is the same in every attempt of Retry On Fail, and another one in each call of a tool. Its index
 * identifies nothing: all calls of a tool during one agent run are item 0.
 *
 * In a run that stops at the first error, no item is sent before all are prepared, and nothing
 * further once one has failed, except for the files of what was created.
 */
class NodeRun {
	/** What an attempt did not find may be there at the next one. */
	readonly sharedLists: SharedLists = new Map();
	requestQueue = new RequestQueue();
	private readonly states = new Map<object, ItemState>();
	/** The items that n8n has called in this attempt. */
	private readonly called = new Set<ItemState>();
	private preparedCount = 0;
	private release!: () => void;
	private released = this.createBarrier();
	private end?: Promise<RunFailure & { others: Outcome[] }>;

	enter(input: object): ItemState {
		const state = this.states.get(input) ?? {
			outcome: 'notDone',
			ids: new Map(),
			creations: new Map(),
		};
		this.states.set(input, state);
		if (this.called.has(state)) this.startNextAttempt();
		this.called.add(state);
		return state;
	}

	/** Waits until so many items of the run are prepared; throws the reason if it was stopped. */
	async waitForOthers(count: number): Promise<void> {
		this.preparedCount++;
		if (this.preparedCount >= count) this.release();
		await this.released;
		this.requestQueue.stopSignal.throwIfAborted();
	}

	/**
	 * Ends every item that was not begun yet; those in flight go on. Each item that fails calls it.
	 *
	 * @returns the first failure, and what became of the other items, once none is in progress
	 */
	async stop(failure: RunFailure): Promise<RunFailure & { others: Outcome[] }> {
		const finish = async () => {
			this.requestQueue.stop(createRunStoppedError(failure.error));
			this.release();
			const others = [...this.states.values()].filter((state) => state !== failure.state);
			await Promise.allSettled(others.flatMap(({ result = [] }) => result));
			return { ...failure, others: others.map(({ outcome }) => outcome) };
		};
		this.end ??= finish();
		return await this.end;
	}

	/** An item may still be in progress: n8n abandons it if an expression of another one fails. */
	private startNextAttempt(): void {
		this.called.clear();
		this.sharedLists.clear();
		if (!this.end) return;
		this.end = undefined;
		this.requestQueue = new RequestQueue();
		this.preparedCount = [...this.states.values()].filter((it) => it.result !== undefined).length;
		this.released = this.createBarrier();
	}

	private async createBarrier(): Promise<void> {
		await new Promise<void>((resolve) => (this.release = resolve));
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
