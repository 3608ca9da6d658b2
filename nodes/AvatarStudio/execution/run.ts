import {
	NodeConnectionTypes,
	type IExecuteData,
	type IExecuteSingleFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import type { SharedResults } from '../client/client';
import { RequestQueue } from '../client/limiter/requestQueue';
import { mayHaveHappened, RequestError, type Outcome } from '../errors/requestError';

/**
 * n8n passes the same object for all items of a node run and for all attempts of Retry On Fail; a
 * loop's next round and a new execution have another one (n8n-core, workflow-execute.js). So a run
 * lives as long as that object, and nothing has to clear it.
 */
const runs = new WeakMap<IExecuteData, Run>();

/** @returns the node run that an item belongs to */
export function getRun(context: IExecuteSingleFunctions): Run {
	const executeData = context.getExecuteData();
	const run = runs.get(executeData) ?? new Run();
	runs.set(executeData, run);
	return run;
}

/**
 * What all items of one node run share. Items are known by their identity: see `getItemIdentity`.
 *
 * The rules that must not regress:
 * - An item is executed once per run, however often n8n runs the node again because another item
 *   failed: a successful item is answered from memory, and so is one that must not be repeated.
 * - An item in progress is awaited: n8n abandons the other items when an expression of one cannot be
 *   evaluated, and starts the node again while they are in flight.
 * - In a run that stops at the first error, nothing is sent before every item is prepared, and
 *   nothing further once an item has failed.
 */
class Run {
	/** What its items share: see `Client.share`. */
	readonly shared: SharedResults = new Map();
	private queue = RequestQueue.forNodeRun();
	private stopReason?: Error;
	/** Items in progress or done. */
	private readonly results = new Map<object, Promise<INodeExecutionData[]>>();
	private readonly done = new Set<object>();
	/** What is known of items that failed and may be done nevertheless. */
	private readonly outcomes = new Map<object, Outcome>();
	/** Items that n8n has called in this attempt. */
	private readonly called = new Set<object>();
	private prepared = new Set<object>();
	private inProgress = 0;
	private waitingForOthers: Deferred[] = [];
	private waitingForEnd: Deferred[] = [];

	/** The requests of its items; a new one once n8n runs a stopped node again. */
	get requestQueue(): RequestQueue {
		return this.queue;
	}

	/** How many items are done. */
	get doneCount(): number {
		return this.done.size;
	}

	/** @returns how many items besides this one failed and may be done nevertheless */
	countUncertain(identity: object): number {
		return this.outcomes.size - (this.outcomes.has(identity) ? 1 : 0);
	}

	/**
	 * Executes an item, unless that was done before.
	 *
	 * @param execute executes the item; it receives what is known of an earlier attempt
	 * @param isRepeatable whether an item that failed may be executed again
	 */
	async execute(
		identity: object,
		execute: (earlierOutcome?: Outcome) => Promise<INodeExecutionData[]>,
		isRepeatable: (error: unknown) => boolean,
	): Promise<INodeExecutionData[]> {
		if (this.called.has(identity)) this.startNextAttempt();
		this.called.add(identity);
		let result = this.results.get(identity);
		if (!result) {
			this.inProgress++;
			result = execute(this.outcomes.get(identity));
			this.results.set(identity, result);
			result
				.then(() => {
					this.done.add(identity);
					this.outcomes.delete(identity);
				})
				.catch((error: unknown) => {
					const { outcome } = error instanceof RequestError ? error.details : {};
					if (outcome && mayHaveHappened(outcome)) this.outcomes.set(identity, outcome);
					if (isRepeatable(error)) this.results.delete(identity);
				})
				.finally(() => {
					this.inProgress--;
					if (this.inProgress === 0) resolveAll(this.waitingForEnd);
				});
		}
		// n8n modifies the items it receives.
		return (await result).map((item) => ({ ...item }));
	}

	/**
	 * Waits until so many items of the run are prepared.
	 *
	 * @throws the reason, if the run was stopped
	 */
	async waitForOthers(identity: object, count: number): Promise<void> {
		if (this.stopReason) throw this.stopReason;
		this.prepared.add(identity);
		// The last one waits as well, so that all go on in the order of the items.
		const released = new Promise<void>((resolve, reject) => {
			this.waitingForOthers.push({ resolve, reject });
		});
		if (this.prepared.size >= count) resolveAll(this.waitingForOthers);
		await released;
	}

	/** Fails every item that was not sent yet; those in flight go on. */
	stop(reason: Error): void {
		if (this.stopReason) return;
		this.stopReason = reason;
		this.queue.stop(reason);
		for (const { reject } of this.waitingForOthers.splice(0)) reject(reason);
	}

	/** Waits until no item is in progress. */
	async waitForEnd(): Promise<void> {
		if (this.inProgress === 0) return;
		await new Promise<void>((resolve, reject) => this.waitingForEnd.push({ resolve, reject }));
	}

	private startNextAttempt(): void {
		this.called.clear();
		if (!this.stopReason) return;
		this.stopReason = undefined;
		this.queue = RequestQueue.forNodeRun();
		this.prepared = new Set(this.results.keys());
	}
}

export type { Run };

interface Deferred {
	resolve: () => void;
	reject: (reason: Error) => void;
}

function resolveAll(waiting: Deferred[]): void {
	for (const { resolve } of waiting.splice(0)) resolve();
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
