import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { serviceAddress } from '../transport/address';
import { CREDENTIAL } from '../transport/exchange';
import { Failure } from '../transport/failure';
import { failureText, nodeError } from '../transport/nodeError';

import { watchedAssets, watchedVoices, type Watched } from './newRecords';
import { ensureRoom, markOf, marksIn, remembered, type SeenRecords } from './seenRecords';

/** Where n8n tells none; its own interval is a minute at least. */
const POLL_BUDGET_MS = 60_000;

const MOST_READINGS = 10;

/** n8n keeps one and the same context for all polls of an activation in its own process. */
const activated = new WeakSet<IPollFunctions>();
/** n8n starts the next poll though this one goes on; both would emit the same records. */
const underWay = new WeakSet<IPollFunctions>();

/**
 * One poll of the trigger.
 *
 * The rules that must not regress:
 * - the memory is written last, after everything was fetched: a poll that fails part way emits
 *   nothing and forgets nothing, and the next one catches up;
 * - nothing is emitted at the first poll of a workflow that a person switches on, nor after the
 *   account or the event was changed: there is no backlog. A restart of n8n is no such moment;
 * - a poll that takes too long leaves the rest of the records new, for the next one;
 * - a manual run shows one record and leaves the memory alone.
 *
 * @returns an item for each record that is new and fits the filters, or null for none
 * @throws NodeApiError; where waiting helps, it carries n8n's `failure` for backing off
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isAssets = this.getNodeParameter('event') === 'assetCreated';
	const asked = async () => {
		const watched = isAssets ? watchedAssets(this) : watchedVoices(this);
		return this.getMode() === 'manual' ? await sample(watched) : await newsOnce(this, watched);
	};
	return await asked().catch((error: unknown) => {
		throw error instanceof Failure ? nodeError(this.getNode(), error, failureText(error)) : error;
	});
}

async function sample({ list, itemOf, what }: Watched): Promise<INodeExecutionData[][]> {
	for await (const records of list()) {
		for (const record of records) {
			const item = await itemOf(record);
			if (item) return [[item]];
		}
	}
	throw new Failure({
		happened: `There are no ${what} yet that fit`,
		next: 'Add one in the studio application or change the filters, then fetch a test event again.',
	});
}

async function newsOnce(
	context: IPollFunctions,
	watched: Watched,
): Promise<INodeExecutionData[][] | null> {
	if (underWay.has(context)) return null;
	underWay.add(context);
	return await news(context, watched).finally(() => underWay.delete(context));
}

async function news(
	context: IPollFunctions,
	watched: Watched,
): Promise<INodeExecutionData[][] | null> {
	const until = Date.now() + (context.getPollBudgetMs?.() ?? POLL_BUDGET_MS);
	const source = await sourceOf(context, watched);
	const memory = context.getWorkflowStaticData('node') as SeenRecords;
	const isSame = memory.source === source;
	const isFirst = !isSame || isSwitchedOn(context);
	const known = isSame ? marksIn(memory) : new Set<string>();

	const listed = new Set<string>();
	const fresh = new Map<string, IDataObject>();
	let isWhole = true;
	for await (const records of isFirst ? readOver(watched, listed) : watched.list()) {
		const before = fresh.size;
		for (const record of records) {
			const mark = markOf(record, watched.idField);
			if (!known.has(mark) && !listed.has(mark)) fresh.set(mark, record);
			listed.add(mark);
		}
		ensureRoom(listed.size, watched.what);
		isWhole = isFirst || !watched.newestFirst || fresh.size > before;
		if (!isWhole) break;
	}
	const oldestFirst = <T>(listed: Iterable<T>): T[] =>
		watched.newestFirst ? [...listed].reverse() : [...listed];

	const items: INodeExecutionData[] = [];
	const due = isFirst ? [] : oldestFirst(fresh);
	while (due.length > 0) {
		const [, record] = due.shift()!;
		const item = await watched.itemOf(record);
		if (item) items.push(item);
		if (Date.now() >= until) break;
	}
	for (const [mark] of due) listed.delete(mark);

	memory.source = source;
	memory.marks = remembered(known, new Set(oldestFirst(listed)), isWhole);
	activated.add(context);
	return items.length > 0 ? [items] : null;
}

/**
 * What a first poll misses would be new to the next one. A list in several pages leaves some out
 * where its order changes meanwhile, so it is read over until that brings nothing more.
 *
 * @param listed is filled with the marks of what is yielded
 */
async function* readOver({ list }: Watched, listed: Set<string>): AsyncGenerator<IDataObject[]> {
	for (let readings = 0; readings < MOST_READINGS; readings++) {
		const before = listed.size;
		let pages = 0;
		for await (const records of list()) {
			pages++;
			yield records;
		}
		if (pages < 2 || listed.size === before) return;
	}
}

/** The credential, the address in it and the list: where one of them changes, all would be new. */
async function sourceOf(context: IPollFunctions, { what }: Watched): Promise<string> {
	const { baseUrl } = await context.getCredentials(CREDENTIAL);
	const { id = '' } = context.getNode().credentials?.[CREDENTIAL] ?? {};
	return `${what} of ${id} at ${serviceAddress(baseUrl)}`;
}

/** Whether a person has just switched the workflow on, as against a restart of n8n. */
function isSwitchedOn(context: IPollFunctions): boolean {
	return context.getActivationMode() === 'activate' && !activated.has(context);
}
