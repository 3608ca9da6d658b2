import { createHmac } from 'node:crypto';

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { parseBaseUrl } from '../client/authenticate';
import { CREDENTIAL_TYPE } from '../client/credential';
import { formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { RequestError } from '../errors/requestError';

import { createAssetSource, createVoiceSource, type RecordSource } from './recordSources';
import {
	assertWithinLimit,
	getFingerprint,
	mergeSeen,
	parseFingerprints,
	type SeenRecords,
} from './seenRecords';

/** Used if n8n sets no budget; its shortest polling interval is a minute. */
const DEFAULT_POLL_BUDGET_MS = 60_000;

const MAX_READS = 10;

/** How many polls try a record that cannot be processed before it is emitted with what is known. */
const MAX_ATTEMPTS = 5;

const KEY_HASH_LENGTH = 11;

/** n8n keeps the same context for all polls of an activation in its own process. */
const activatedContexts = new WeakSet<IPollFunctions>();
/** n8n starts the next poll while this one is running; both would emit the same records. */
const activePolls = new WeakSet<IPollFunctions>();

/**
 * One poll of the trigger.
 *
 * The rules that must not regress:
 * - the seen records are saved last, after everything was fetched: a poll that fails part way
 *   emits nothing and forgets nothing, and the next one catches up;
 * - nothing is emitted by the first poll after the user activates the workflow or changes the
 *   account or the event: there is no backlog. A restart of n8n is not an activation;
 * - a poll that runs out of time leaves the remaining records for the next one;
 * - a record that cannot be processed does not hold up others: later polls try it again, after the
 *   others, and the fifth emits it with the error;
 * - a manual run shows one record and leaves the seen records alone.
 *
 * @returns an item for each new record that matches the filters, or null if there is none
 * @throws NodeApiError; if waiting helps, it carries n8n's `failure` for backing off
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await fetchItems(context).catch((error: unknown) => {
		throw error instanceof RequestError
			? toNodeError(context.getNode(), error, formatMessage(error))
			: error;
	});
}

async function fetchItems(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isAssetEvent = context.getNodeParameter('event') === 'assetCreated';
	const source = isAssetEvent ? createAssetSource(context) : createVoiceSource(context);
	if (context.getMode() === 'manual') return await fetchTestEvent(source);
	if (activePolls.has(context)) return null;
	activePolls.add(context);
	return await pollNewRecords(context, source).finally(() => activePolls.delete(context));
}

async function fetchTestEvent(source: RecordSource): Promise<INodeExecutionData[][]> {
	for await (const records of source.fetchPages()) {
		for (const record of records) {
			const item = await source.toItem(record, true);
			if (item) return [[item]];
		}
	}
	throw new RequestError(
		`There are no ${source.recordsName} that match`,
		'Add one in the studio application or change the filters, then fetch a test event again.',
	);
}

async function pollNewRecords(
	context: IPollFunctions,
	source: RecordSource,
): Promise<INodeExecutionData[][] | null> {
	const deadline = Date.now() + (context.getPollBudgetMs?.() ?? DEFAULT_POLL_BUDGET_MS);
	const sourceId = await getSourceId(context, source);
	const saved = context.getWorkflowStaticData('node') as SeenRecords;
	const isSameSource = saved.source === sourceId;
	const isFirstPoll = !isSameSource || isFirstActivation(context);
	const seen = isSameSource ? parseFingerprints(saved) : new Set<string>();
	const held = new Map(isFirstPoll ? [] : Object.entries(saved.held ?? {}));

	const { listed, unseen, isWholeList } = await readList(source, seen, held, isFirstPoll);
	const oldestFirst = <T>(values: Iterable<T>): T[] =>
		source.newestFirst ? [...values].reverse() : [...values];
	const records = isFirstPoll ? [] : oldestFirst(unseen);
	const { items, unprocessed } = await processRecords(context, source, records, held, deadline);
	for (const fingerprint of unprocessed.keys()) listed.delete(fingerprint);

	saved.source = sourceId;
	saved.fingerprints = mergeSeen(seen, new Set(oldestFirst(listed)), isWholeList);
	saved.held = Object.fromEntries([...unprocessed].filter(([, attempts]) => attempts > 0));
	activatedContexts.add(context);
	return items.length > 0 ? [items] : null;
}

/**
 * Reads the list, of one with the newest first only as far as there are new or held records.
 *
 * @returns the fingerprints of all records, those that are not among the seen ones, and whether the
 *   list was read to its end
 */
async function readList(
	source: RecordSource,
	seen: Set<string>,
	held: Map<string, number>,
	isFirstPoll: boolean,
) {
	const listed = new Set<string>();
	const unseen = new Map<string, IDataObject>();
	for await (const page of isFirstPoll ? readUntilStable(source, listed) : source.fetchPages()) {
		const unseenBefore = unseen.size;
		for (const record of page) {
			const fingerprint = getFingerprint(record, source.idField);
			if (!seen.has(fingerprint) && !listed.has(fingerprint)) unseen.set(fingerprint, record);
			listed.add(fingerprint);
		}
		assertWithinLimit(listed.size, source.recordsName);
		const isKnown = unseen.size === unseenBefore;
		const hasAllHeld = [...held.keys()].every((fingerprint) => unseen.has(fingerprint));
		if (!isFirstPoll && source.newestFirst && isKnown && hasAllHeld) {
			return { listed, unseen, isWholeList: false };
		}
	}
	return { listed, unseen, isWholeList: true };
}

/**
 * Builds the items of new records until time runs out, of at least one; held records come last.
 *
 * @returns the items, and the fingerprints of the records that a later poll has to process, each
 *   with the number of polls that tried
 */
async function processRecords(
	context: IPollFunctions,
	source: RecordSource,
	records: [fingerprint: string, record: IDataObject][],
	held: Map<string, number>,
	deadline: number,
) {
	const items: INodeExecutionData[] = [];
	const unprocessed = new Map<string, number>();
	const isHeld = ([fingerprint]: [string, IDataObject]) => held.has(fingerprint);
	const inOrder = [...records.filter((entry) => !isHeld(entry)), ...records.filter(isHeld)];
	let isOutOfTime = false;
	for (const [fingerprint, record] of inOrder) {
		const attempts = held.get(fingerprint) ?? 0;
		if (isOutOfTime) {
			unprocessed.set(fingerprint, attempts);
			continue;
		}
		const isLastAttempt = attempts + 1 >= MAX_ATTEMPTS;
		const item = await source.toItem(record, isLastAttempt).catch((error: unknown) => {
			if (!(error instanceof RequestError) || error.details.isStorageError) throw error;
			unprocessed.set(fingerprint, attempts + 1);
			context.logger.warn(
				`${context.getNode().name}: one of the new ${source.recordsName} could not be processed and will be tried again. ${formatErrorText(error)}`,
			);
			return undefined;
		});
		if (item) items.push(item);
		isOutOfTime = Date.now() >= deadline;
	}
	return { items, unprocessed };
}

/**
 * Reads a list at least twice, until a reading brings nothing more. A record that the first poll
 * misses would be new to the next one: a list may be empty for once, or change between pages.
 *
 * @param listed the fingerprints of what was yielded, added by the caller
 */
async function* readUntilStable(
	source: RecordSource,
	listed: Set<string>,
): AsyncGenerator<IDataObject[]> {
	let listedBefore = 0;
	for (let reads = 0; reads < 2 || (reads < MAX_READS && listed.size > listedBefore); reads++) {
		listedBefore = listed.size;
		yield* source.fetchPages();
	}
}

/**
 * The list, the credential, its base URL and its key: if one of them changes, all records would be
 * new. Of the key, which may be another account's, there is no more than a short keyed hash.
 */
async function getSourceId(
	context: IPollFunctions,
	{ recordsName }: RecordSource,
): Promise<string> {
	const { baseUrl, apiKey } = await context.getCredentials(CREDENTIAL_TYPE);
	const { id = '' } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const source = `${recordsName} of ${id} at ${parseBaseUrl(baseUrl)}`;
	const hash = createHmac('sha256', (apiKey as string).trim())
		.update(source)
		.digest('base64url');
	return `${source} ${hash.slice(0, KEY_HASH_LENGTH)}`;
}

/** Whether the user has just activated the workflow, as opposed to a restart of n8n. */
function isFirstActivation(context: IPollFunctions): boolean {
	return context.getActivationMode() === 'activate' && !activatedContexts.has(context);
}
