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
import { RequestGroup } from '../client/limiter/requestGroup';
import type { Request } from '../client/send';
import { createRunStoppedError, type Outcome } from '../errors/userError';

import { FileNames } from './fileName';

export type FileKind = 'audio' | 'video';

/** One input item on its way through an operation, or one new record of the trigger. */
export interface Item {
	client: Client<IExecutePaginationFunctions | IPollFunctions>;
	parameters: IDataObject;
	request: Request;
	/** What the file of a video or a speech is; where a response has its link is not documented. */
	fileKind?: FileKind;
	/** The requests of an item that makes several, instead of `request`. */
	requests?: Request[];
	/** The state of the item if its requests create something: `createOnce` remembers them under it. */
	creationState?: ItemState;
	/** Makes the name of a file one that no other file of the run has: see `FileNames`. */
	nameFile: (wanted: string, fileKey?: string) => string;
}

/** What is known of an input item, over all tries of Retry On Fail (n8n's Max. Tries). */
export interface ItemState {
	/**
	 * Its output items, a promise that is set when its execution starts. The next try takes them from
	 * here; it executes the item again if this was removed because the item failed.
	 */
	result?: Promise<INodeExecutionData[]>;
	/** What is known of the effect of all its requests. */
	outcome: Outcome;
	/** What its requests created, if they create anything: the error of a stopped run names it. */
	created?: INodeExecutionData[];
	/** When its last request created something, in milliseconds since 1970. */
	createdAt?: number;
	/** The IDs that its texts stood for when they were first looked up. */
	ids: Map<string, string>;
}

const runs = new WeakMap<IExecuteData, NodeRun>();

/**
 * n8n passes the same object for all items of a run and all tries of Retry On Fail, and another one in
 * a loop's next round (findings/one-object-for-all-tries).
 */
export function getRun(context: IExecuteSingleFunctions): NodeRun {
	const executeData = context.getExecuteData();
	const run = runs.get(executeData) ?? new NodeRun();
	runs.set(executeData, run);
	return run;
}

/**
 * What all items of a run share. In a run that stops at the first error, and has no Batching, no item makes
 * its requests, other than to look up IDs, before all are prepared. Nothing further is sent once one has failed,
 * and downloads end: the next try makes them again.
 */
class NodeRun {
	/** Emptied for each try, because a record that was not found may be there at the next one. */
	readonly sharedLists: SharedLists = new Map();
	/** Kept for all tries, because an item that is not executed again keeps its files. */
	readonly fileNames = new FileNames();
	requestGroup = new RequestGroup();
	/** The state of each item, by the object that n8n passes for it in all tries. */
	private readonly states = new Map<object, ItemState>();
	/** The items that n8n has started in the present try: one that is started once more begins the next. */
	private readonly started = new Set<ItemState>();
	/**
	 * How many items are prepared. After a stopped try it begins at the number of items that keep their
	 * result, because these are not executed again.
	 */
	private preparedCount = 0;
	/** Resolves once all items are prepared, or the run is stopped. */
	private released!: Promise<void>;
	private release!: () => void;
	/** Set once the run is stopped: resolves to the error to throw when the items in flight have ended. */
	private end?: Promise<Error>;

	constructor() {
		this.hold();
	}

	/** @returns what is known of an item that n8n starts */
	enter(input: object): ItemState {
		const state: ItemState = this.states.get(input) ?? { outcome: 'notDone', ids: new Map() };
		this.states.set(input, state);
		if (this.started.has(state)) this.startNextTry();
		this.started.add(state);
		return state;
	}

	/**
	 * Counts one more item as prepared, waits until there are so many, and throws if the run was stopped.
	 *
	 * @param count 0 waits for no others
	 */
	async waitUntilPrepared(count: number): Promise<void> {
		this.preparedCount++;
		if (this.preparedCount >= count) this.release();
		await this.released;
		this.requestGroup.stopSignal.throwIfAborted();
	}

	/**
	 * Ends the items that have not been sent yet, and waits for those in flight. n8n shows the error of the
	 * item with the lowest index (n8n-core 2.41.1, routing-node.js), which need not be the one that failed
	 * first. So all that fail get the error of the first failure.
	 *
	 * @param describe builds that error, given the states of the other items
	 */
	async stop(failed: ItemState, describe: (others: ItemState[]) => Error): Promise<Error> {
		const finish = async () => {
			this.requestGroup.stop(createRunStoppedError());
			this.release();
			const others = [...this.states.values()].filter((state) => state !== failed);
			await Promise.allSettled(others.flatMap(({ result }) => result ?? []));
			return describe(others);
		};
		this.end ??= finish();
		return await this.end;
	}

	private startNextTry(): void {
		this.started.clear();
		this.sharedLists.clear();
		const wasStopped = this.end !== undefined;
		// If an expression of an item fails, n8n ends the try before this node hears of that item (n8n-core
		// 2.41.1, routing-node.js), so nothing was stopped. Items that wait in `waitUntilPrepared` stay
		// counted: their `result` is still pending, so the new try awaits it, and executes only the items
		// without one.
		if (!wasStopped) return;
		this.end = undefined;
		this.requestGroup = new RequestGroup();
		// An item that keeps its result is not executed again, so it counts as prepared.
		const kept = [...this.states.values()].filter(({ result }) => result !== undefined);
		this.preparedCount = kept.length;
		this.hold();
	}

	private hold(): void {
		this.released = new Promise((resolve) => {
			this.release = resolve;
		});
	}
}

/**
 * Whether the node runs as a tool. An error must be an item then: for one that is thrown, AI Agent 2.2
 * passes on an empty text, and AI Agent 3 of n8n 1.x ends the execution.
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
