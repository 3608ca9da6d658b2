import type {
	IDataObject,
	IExecuteData,
	IExecutePaginationFunctions,
	IExecuteSingleFunctions,
	INode,
	INodeExecutionData,
	IPollFunctions,
} from 'n8n-workflow';

import type { Client, SharedLists } from '../client/client';
import { RequestQueue } from '../client/limiter/requestQueue';
import type { Request } from '../client/send';
import { createRunStoppedError, type Outcome, type UserError } from '../errors/userError';

/** One input item on its way through an operation, or one new record of the trigger. */
export interface Item {
	client: Client<IExecutePaginationFunctions | IPollFunctions>;
	parameters: IDataObject;
	request: Request;
	/** The requests of an item that stands for several; each is sent as the one of a copy of it. */
	requests?: Request[];
	/** What is known of an item whose requests create something. */
	state?: ItemState;
}

/** What is known of an input item, over all attempts of Retry On Fail. */
export interface ItemState {
	/** Its output items, once it is in progress; kept if it must not be executed again. */
	result?: Promise<INodeExecutionData[]>;
	outcome: Outcome;
	/** The IDs that its texts stood for in an earlier attempt. */
	ids: Map<string, string>;
}

const runs = new WeakMap<IExecuteData, NodeRun>();

/**
 * n8n passes the same object for all items of a run and all attempts of Retry On Fail, and another one
 * in a loop's next round (n8n-core, workflow-execute.js).
 */
export function getRun(context: IExecuteSingleFunctions): NodeRun {
	const executeData = context.getExecuteData();
	const run = runs.get(executeData) ?? new NodeRun();
	runs.set(executeData, run);
	return run;
}

/**
 * What all items of a run share. In one that stops at the first error, no item is sent before all are
 * prepared, and nothing further once one has failed, except for the files of what was created.
 */
class NodeRun {
	/** Of this attempt: what it does not find may be there at the next one. */
	readonly sharedLists: SharedLists = new Map();
	requestQueue = new RequestQueue();
	/** By the object that n8n passes for an item, which is the same in all attempts. */
	private readonly states = new Map<object, ItemState>();
	/** In this attempt. */
	private readonly called = new Set<ItemState>();
	private preparedCount = 0;
	private release!: () => void;
	private released = new Promise<void>((resolve) => (this.release = resolve));
	private end?: Promise<Error>;

	/** @returns what is known of an item; one that comes again begins the next attempt */
	enter(input: object): ItemState {
		const state: ItemState = this.states.get(input) ?? { outcome: 'notDone', ids: new Map() };
		this.states.set(input, state);
		if (this.called.has(state)) this.startNextAttempt();
		this.called.add(state);
		return state;
	}

	/** Waits until so many items are prepared; throws the reason if the run was stopped. */
	async waitForOthers(count: number): Promise<void> {
		if (++this.preparedCount >= count) this.release();
		await this.released;
		this.requestQueue.stopSignal.throwIfAborted();
	}

	/**
	 * Ends every item that was not begun yet, and waits for those in flight. Each item that fails throws
	 * the first failure, described given the outcomes of the others: n8n shows that of the first item.
	 */
	async stop(failed: ItemState, reason: UserError, describe: (others: Outcome[]) => Error) {
		const finish = async () => {
			this.requestQueue.stop(createRunStoppedError(reason));
			this.release();
			const others = [...this.states.values()].filter((state) => state !== failed);
			await Promise.allSettled(others.flatMap(({ result = [] }) => result));
			return describe(others.map(({ outcome }) => outcome));
		};
		return await (this.end ??= finish());
	}

	private startNextAttempt(): void {
		this.called.clear();
		this.sharedLists.clear();
		// If an expression fails, n8n abandons the items before it: they are still in progress.
		if (!this.end) return;
		this.end = undefined;
		this.requestQueue = new RequestQueue();
		const kept = [...this.states.values()].filter(({ result }) => result !== undefined);
		this.preparedCount = kept.length;
		this.released = new Promise((resolve) => (this.release = resolve));
	}
}

/**
 * Whether the node runs as a tool. Only an item reaches the model on every version: AI Agent 2.2
 * passes on an empty text for a thrown error, and AI Agent 3 of n8n 1.x ends the execution.
 */
export function isTool({ type }: INode): boolean {
	return type.endsWith('Tool');
}

/** @returns how many input items n8n executes in this run */
export function countItems(context: IExecuteSingleFunctions): number {
	const node = context.getNode();
	if (node.executeOnce || isTool(node)) return 1;
	return context.getExecuteData().data.main?.[0]?.length ?? 1;
}
