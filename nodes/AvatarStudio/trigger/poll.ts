import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { formatErrorMessage, toNodeError } from '../transport/errors/nodeError';
import { RequestError } from '../transport/errors/requestError';
import { parseBaseUrl } from '../transport/request/authenticate';
import { CREDENTIAL_TYPE } from '../transport/request/requestWithRetry';

import { createAssetSource, createVoiceSource, type RecordSource } from './recordSources';
import {
	assertWithinLimit,
	getFingerprint,
	parseFingerprints,
	mergeSeen,
	type SeenRecords,
} from './seenRecords';

/** Where n8n tells none; its own interval is a minute at least. */
const DEFAULT_POLL_BUDGET_MS = 60_000;

const MAX_READS = 10;

/** n8n keeps one and the same context for all polls of an activation in its own process. */
const activatedContexts = new WeakSet<IPollFunctions>();
/** n8n starts the next poll though this one goes on; both would emit the same records. */
const activePolls = new WeakSet<IPollFunctions>();

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
		const watched = isAssets ? createAssetSource(this) : createVoiceSource(this);
		return this.getMode() === 'manual'
			? await fetchTestEvent(watched)
			: await pollExclusive(this, watched);
	};
	return await asked().catch((error: unknown) => {
		throw error instanceof RequestError
			? toNodeError(this.getNode(), error, formatErrorMessage(error))
			: error;
	});
}

async function fetchTestEvent({
	list,
	toItem: itemOf,
	recordsName: what,
}: RecordSource): Promise<INodeExecutionData[][]> {
	for await (const records of list()) {
		for (const record of records) {
			const item = await itemOf(record);
			if (item) return [[item]];
		}
	}
	throw new RequestError({
		message: `There are no ${what} yet that fit`,
		hint: 'Add one in the studio application or change the filters, then fetch a test event again.',
	});
}

async function pollExclusive(
	context: IPollFunctions,
	watched: RecordSource,
): Promise<INodeExecutionData[][] | null> {
	if (activePolls.has(context)) return null;
	activePolls.add(context);
	return await pollNewRecords(context, watched).finally(() => activePolls.delete(context));
}

async function pollNewRecords(
	context: IPollFunctions,
	watched: RecordSource,
): Promise<INodeExecutionData[][] | null> {
	const until = Date.now() + (context.getPollBudgetMs?.() ?? DEFAULT_POLL_BUDGET_MS);
	const source = await getSourceId(context, watched);
	const memory = context.getWorkflowStaticData('node') as SeenRecords;
	const isSame = memory.source === source;
	const isFirst = !isSame || isFirstActivation(context);
	const known = isSame ? parseFingerprints(memory) : new Set<string>();

	const listed = new Set<string>();
	const fresh = new Map<string, IDataObject>();
	let isWhole = true;
	for await (const records of isFirst ? readUntilStable(watched, listed) : watched.list()) {
		const before = fresh.size;
		for (const record of records) {
			const mark = getFingerprint(record, watched.idField);
			if (!known.has(mark) && !listed.has(mark)) fresh.set(mark, record);
			listed.add(mark);
		}
		assertWithinLimit(listed.size, watched.recordsName);
		isWhole = isFirst || !watched.newestFirst || fresh.size > before;
		if (!isWhole) break;
	}
	const oldestFirst = <T>(listed: Iterable<T>): T[] =>
		watched.newestFirst ? [...listed].reverse() : [...listed];

	const items: INodeExecutionData[] = [];
	const due = isFirst ? [] : oldestFirst(fresh);
	while (due.length > 0) {
		const [, record] = due.shift()!;
		const item = await watched.toItem(record);
		if (item) items.push(item);
		if (Date.now() >= until) break;
	}
	for (const [mark] of due) listed.delete(mark);

	memory.source = source;
	memory.marks = mergeSeen(known, new Set(oldestFirst(listed)), isWhole);
	activatedContexts.add(context);
	return items.length > 0 ? [items] : null;
}

/**
 * What a first poll misses would be new to the next one. A list in several pages leaves some out
 * where its order changes meanwhile, so it is read over until that brings nothing more.
 *
 * @param listed is filled with the marks of what is yielded
 */
async function* readUntilStable(
	{ list }: RecordSource,
	listed: Set<string>,
): AsyncGenerator<IDataObject[]> {
	for (let readings = 0; readings < MAX_READS; readings++) {
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
async function getSourceId(
	context: IPollFunctions,
	{ recordsName: what }: RecordSource,
): Promise<string> {
	const { baseUrl } = await context.getCredentials(CREDENTIAL_TYPE);
	const { id = '' } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	return `${what} of ${id} at ${parseBaseUrl(baseUrl)}`;
}

/** Whether a person has just switched the workflow on, as against a restart of n8n. */
function isFirstActivation(context: IPollFunctions): boolean {
	return context.getActivationMode() === 'activate' && !activatedContexts.has(context);
}
