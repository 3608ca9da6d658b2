import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { Failure } from '../transport/failure';
import { failureText, nodeError } from '../transport/nodeError';

import { watchedAssets, watchedVoices, type Watched } from './newRecords';
import { markOf, marksIn, remembered, type SeenRecords } from './seenRecords';

/** n8n keeps one and the same context for all polls of an activation in its own process. */
const activated = new WeakSet<IPollFunctions>();

/**
 * One poll of the trigger.
 *
 * The rules that must not regress:
 * - the memory is written last, after everything was fetched: a poll that fails part way emits
 *   nothing and forgets nothing, and the next one catches up;
 * - nothing is emitted at the first poll of a workflow that a person switches on, nor after the
 *   credential was changed: there is no backlog. A restart of n8n is no such moment;
 * - a manual run shows one record and leaves the memory alone.
 *
 * @returns an item for each record that is new and fits the filters, or null for none
 * @throws NodeApiError; where waiting helps, it carries n8n's `failure` for backing off
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isAssets = this.getNodeParameter('event') === 'assetCreated';
	const asked = async () => {
		const watched = isAssets ? watchedAssets(this) : watchedVoices(this);
		return this.getMode() === 'manual' ? await sample(watched) : await news(this, watched);
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

async function news(
	context: IPollFunctions,
	watched: Watched,
): Promise<INodeExecutionData[][] | null> {
	const memory = memoryOf(context, watched);
	const account = context.getNode().credentials?.avatarStudioApi?.id ?? '';
	const isFirst = memory.marks === undefined || memory.account !== account || isSwitchedOn(context);
	const known = isFirst ? new Set<string>() : marksIn(memory);

	const listed = new Set<string>();
	const fresh: IDataObject[] = [];
	let isWhole = true;
	for await (const records of watched.list()) {
		const unseen = records.filter((record) => {
			const mark = markOf(record, watched.idField);
			const isNew = !known.has(mark) && !listed.has(mark);
			listed.add(mark);
			return isNew;
		});
		for (const record of unseen) fresh.push(record);
		isWhole = !(watched.newestFirst && unseen.length === 0);
		if (!isWhole) break;
	}
	const items: INodeExecutionData[] = [];
	if (!isFirst) {
		for (const record of watched.newestFirst ? fresh.reverse() : fresh) {
			const item = await watched.itemOf(record);
			if (item) items.push(item);
		}
	}

	memory.account = account;
	memory.marks = remembered(known, listed, isWhole);
	activated.add(context);
	return items.length > 0 ? [items] : null;
}

function memoryOf(context: IPollFunctions, { what }: Watched): SeenRecords {
	const kept = context.getWorkflowStaticData('node') as Record<string, SeenRecords | undefined>;
	return (kept[what] ??= {});
}

/** Whether a person has just switched the workflow on, as against a restart of n8n. */
function isSwitchedOn(context: IPollFunctions): boolean {
	return context.getActivationMode() === 'activate' && !activated.has(context);
}
