import { createHash } from 'node:crypto';

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { parseBaseUrl } from '../client/authenticate';
import { CREDENTIAL_TYPE, identifyAccount } from '../client/credential';
import { formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { UserError } from '../errors/userError';

import { createAssetSource, createVoiceSource, type RecordSource } from './recordSources';
import {
	getFingerprint,
	hash,
	MAX_RECORDS,
	mergeSeen,
	parseFingerprints,
	type SavedState,
} from './savedState';

/** Used if n8n sets no budget; its shortest polling interval is a minute. */
const DEFAULT_POLL_BUDGET_MS = 60_000;

/** Beyond n8n's longest budget, five minutes, and the download of a large file. */
const MAX_POLL_MS = 30 * 60_000;

/** After this time Newest First is checked again, and polls that were all refused are an error. */
const HOUR_MS = 60 * 60_000;

const MAX_READS = 10;

/** How many polls try a record that cannot be processed before it is emitted with what is known. */
const MAX_ATTEMPTS = 5;

/** How many records a test event requests one by one to find one that matches. */
const MAX_TEST_REQUESTS = 20;

/** Two hexadecimal digits show a changed key, but fit one in 256 of all possible keys. */
const KEY_CHECK_LENGTH = 2;

/** n8n keeps the same context for all polls of an activation in its own process. */
const polledContexts = new WeakSet<IPollFunctions>();

/** What this process knows of a node: n8n saves nothing after a poll that emits nothing. */
interface NodeMemory {
	/** n8n polls, or publishes again, while this poll runs: both would emit the same records. */
	running?: { context: IPollFunctions; startedAt: number };
	/** The records that could not be processed yet, as in the saved state. */
	held?: Record<string, number>;
	/** When a poll last succeeded, or was first refused if none has. */
	succeededAt?: number;
}

const memories = new Map<string, NodeMemory>();

/** A poll goes on, starts over, or starts over if the account proves to be another: `decideStart`. */
type Start = 'continued' | 'activated' | 'otherSource' | 'otherAccount';

const START_WARNINGS: Partial<Record<Start, string>> = {
	otherSource: 'The trigger is new, or its name, event, filters or credential changed',
	otherAccount:
		"With the changed credential, nothing seen before is listed, so it counts as another account's. Publish the workflow again, so that n8n saves this",
};

/**
 * One poll of the trigger.
 *
 * The rules that must not regress:
 * - the state is written last, after everything was fetched: a poll that fails part way emits
 *   nothing and forgets nothing, and the next one catches up;
 * - n8n saves the state when a workflow is activated and when a poll emits, not after other polls. A
 *   poll may start from any earlier state of its own and must come to the same result;
 * - there is no backlog: nothing is emitted by the first poll after the user activates the workflow
 *   or changes its event, filters or credential. A restart of n8n is not an activation;
 * - another key or Base URL is another account's only if the list shows no record seen before;
 * - a poll that runs out of time leaves the remaining records for the next one;
 * - a record that cannot be processed does not hold up others: later polls try it again, after the
 *   others, and the fifth emits it with the error;
 * - a record added since is emitted as soon as it matches the filters, also if it is renamed for
 *   that; one that was there when the trigger started over is not;
 * - a poll that is refused for too many requests leaves its records to the next one;
 * - a manual run shows one record and leaves the state alone.
 *
 * @returns an item for each new record that matches the filters, or null if there is none
 * @throws NodeApiError; if waiting helps, it carries n8n's `failure` for backing off
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const memory = getMemory(context);
	return await fetchItems(context, memory).catch((error: unknown) => {
		if (!(error instanceof UserError)) throw error;
		if (!mayWait(context, memory, error)) {
			throw toNodeError(context.getNode(), error, formatMessage(error));
		}
		warn(context, `${formatErrorText(error)} The next poll tries again.`);
		return null;
	});
}

/** @returns whether a poll that failed is left to the next one, because no user waits for it */
function mayWait(context: IPollFunctions, memory: NodeMemory, { code }: UserError): boolean {
	const isWatched = context.getMode() === 'manual' || isActivation(context);
	if (isWatched || code !== 'rateLimited') return false;
	memory.succeededAt ??= performance.now();
	return performance.now() - memory.succeededAt < HOUR_MS;
}

async function fetchItems(
	context: IPollFunctions,
	memory: NodeMemory,
): Promise<INodeExecutionData[][] | null> {
	const isAssetEvent = context.getNodeParameter('event') === 'assetCreated';
	const source = isAssetEvent ? createAssetSource(context) : createVoiceSource(context);
	if (context.getMode() === 'manual') return await fetchTestEvent(source);

	const earlier = memory.running;
	const running = { context, startedAt: performance.now() };
	const isRunning = earlier !== undefined && running.startedAt - earlier.startedAt < MAX_POLL_MS;
	if (earlier?.context === context) {
		if (isRunning) return null;
		warn(context, 'A poll has not ended for half an hour. This one replaces it.');
	}
	memory.running = running;
	const isCurrent = () => memory.running === running;
	return await pollNewRecords(context, source, memory, isRunning, isCurrent).finally(() => {
		if (isCurrent()) memory.running = undefined;
	});
}

async function fetchTestEvent(source: RecordSource): Promise<INodeExecutionData[][]> {
	const { recordsName } = source;
	let requests = 0;
	let filterError: UserError | undefined;
	let unreadable: INodeExecutionData | undefined;
	for await (const records of source.fetchPages()) {
		filterError = source.findFilterError(records);
		for (const record of records) {
			if (source.needsRequest(record) && ++requests > MAX_TEST_REQUESTS) continue;
			const item = await source.toItem(record, true);
			if (item && !item.json.error) return [[item]];
			unreadable ??= item;
		}
	}
	if (unreadable) return [[unreadable]];
	const summary =
		requests > MAX_TEST_REQUESTS
			? `Of ${requests} ${recordsName} without a stated type the first ${MAX_TEST_REQUESTS} do not match`
			: `There are no ${recordsName} that match`;
	const hint =
		'Add one in the studio application or change the filters, then fetch a test event again.';
	throw filterError ?? new UserError(summary, hint);
}

/**
 * @param replacesPoll whether another poll of the node is running, whose records this one must emit
 * @param isCurrent whether no other poll has replaced this one
 */
async function pollNewRecords(
	context: IPollFunctions,
	source: RecordSource,
	memory: NodeMemory,
	replacesPoll: boolean,
	isCurrent: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const { newestFirst } = source;
	const deadline = performance.now() + (context.getPollBudgetMs?.() ?? DEFAULT_POLL_BUDGET_MS);
	const saved = context.getWorkflowStaticData('node') as SavedState;
	const current = await identify(context, source);
	const start = decideStart(context, saved, current, replacesPoll);
	const seen = parseFingerprints(start === 'otherSource' ? {} : saved);
	const held = new Map(Object.entries({ ...saved.held, ...memory.held }));

	const isVerified = Date.now() - (saved.verifiedAt ?? 0) < HOUR_MS;
	const stopsAtKnown = newestFirst && isVerified && start === 'continued';
	const list = await readList(source, { start, seen, held, stopsAtKnown });
	const isSameAccount = start === 'otherAccount' && list.unseen.size < list.listed.size;
	const startsOver = start !== 'continued' && !isSameAccount;
	const reason = isActivation(context) ? undefined : START_WARNINGS[start];
	if (startsOver && reason) {
		warn(context, `${reason}. Only what is added from now on starts the workflow.`);
	}
	if (startsOver && list.filterError) {
		const text = formatErrorText(list.filterError);
		warn(context, `${text} Nothing starts the workflow until one does.`);
	}
	if (list.isMisplaced && newestFirst && start === 'continued') {
		warn(
			context,
			`New ${source.recordsName} are listed behind known ones, where they are found only once an hour. If this keeps happening, turn off Newest First.`,
		);
	}

	const inOrder = <T>(values: Iterable<T>): T[] =>
		newestFirst ? [...values].reverse() : [...values];
	const records = startsOver ? [] : inOrder(list.unseen);
	const { items, unprocessed } = await processRecords(context, source, records, held, deadline);
	if (!isCurrent()) return null;

	for (const fingerprint of unprocessed.keys()) list.listed.delete(fingerprint);
	Object.assign(saved, current);
	saved.fingerprints = mergeSeen(seen, new Set(inOrder(list.listed)), list.isWhole);
	saved.held = Object.fromEntries([...unprocessed].filter(([, attempts]) => attempts > 0));
	if (newestFirst && list.isWhole && !list.isMisplaced) saved.verifiedAt = Date.now();
	memory.held = saved.held;
	memory.succeededAt = performance.now();
	polledContexts.add(context);
	return items.length > 0 ? [items] : null;
}

/**
 * @returns 'otherSource' if the workflow's event, filters or credential changed; 'activated' if the
 *   user activated it; 'otherAccount' if the credential's content changed
 */
function decideStart(
	context: IPollFunctions,
	saved: SavedState,
	{ source, account }: Pick<SavedState, 'source' | 'account'>,
	replacesPoll: boolean,
): Start {
	if (saved.source !== source && !polledContexts.has(context)) return 'otherSource';
	if (isActivation(context) && !replacesPoll) return 'activated';
	return saved.account === account ? 'continued' : 'otherAccount';
}

/** @returns whether this is the first poll after the user activated the workflow */
function isActivation(context: IPollFunctions): boolean {
	return context.getActivationMode() === 'activate' && !polledContexts.has(context);
}

/**
 * Reads the list, at least twice if the poll may start over, until a reading brings nothing more: a
 * record that is missed then would be new to the next poll, and a list may be empty for once or
 * change between pages. The records are not returned if they cannot be emitted: several readings may
 * be too large for memory.
 *
 * @param known `seen` are fingerprints of the records seen before, `held` of those that could not be
 *   processed yet; `stopsAtKnown` stops at a page without new records behind all new and held ones
 * @returns the fingerprints of all records; the unseen records by fingerprint; whether the list was
 *   read to its end; whether unseen records were listed behind the place to stop; and what the last
 *   page says about the filters
 * @throws UserError if the list is too long to be remembered, or to be read in time
 */
async function readList(
	{ fetchPages, findFilterError, idField, mayMatch, recordsName }: RecordSource,
	known: { start: Start; seen: Set<string>; held: Map<string, number>; stopsAtKnown: boolean },
) {
	const { start, seen, held, stopsAtKnown } = known;
	const mayEmit = start === 'continued' || start === 'otherAccount';
	const startedAt = performance.now();
	const listed = new Set<string>();
	const unseen = new Map<string, IDataObject>();
	let [mayStop, isMisplaced] = [false, false];
	let filterError: UserError | undefined;
	const maxReads = start === 'continued' ? 1 : MAX_READS;
	for (let reads = 0, listedBefore = -1; reads < maxReads; reads++) {
		if (reads >= 2 && listed.size === listedBefore) break;
		listedBefore = listed.size;
		for await (const page of fetchPages(stopsAtKnown ? 1 : undefined)) {
			filterError = findFilterError(page);
			const unseenBefore = unseen.size;
			for (const record of page) {
				const id = getFingerprint(record, idField);
				// Once it is renamed to match, it is new.
				const isPassedOver = mayEmit && !seen.has(id) && !mayMatch(record);
				const fingerprint = isPassedOver ? hash(JSON.stringify([id, record.name])) : id;
				if (!seen.has(fingerprint) && !listed.has(fingerprint)) {
					unseen.set(fingerprint, mayEmit ? record : {});
				}
				listed.add(fingerprint);
			}
			if (listed.size > MAX_RECORDS) {
				throw new UserError(
					`There are more than ${MAX_RECORDS.toLocaleString('en')} ${recordsName}, the most the trigger can remember`,
					`Delete ${recordsName} that are no longer needed in the studio application.`,
				);
			}
			if (performance.now() - startedAt > MAX_POLL_MS) {
				throw new UserError(
					`The list of ${recordsName} could not be read within half an hour`,
					'Set a larger Page Size, or turn on Newest First if the service lists the newest first.',
				);
			}
			const isKnown = unseen.size === unseenBefore;
			isMisplaced ||= mayStop && !isKnown;
			mayStop ||= isKnown && [...held.keys()].every((fingerprint) => unseen.has(fingerprint));
			if (mayStop && stopsAtKnown) {
				return { listed, unseen, isWhole: false, isMisplaced, filterError };
			}
		}
	}
	return { listed, unseen, isWhole: true, isMisplaced, filterError };
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
	const isHeld = ([fingerprint]: [string, IDataObject]) => Number(held.has(fingerprint));
	const heldLast = [...records].sort((one, other) => isHeld(one) - isHeld(other));
	const unprocessed = new Map(heldLast.map(([key]) => [key, held.get(key) ?? 0]));
	for (const [fingerprint, record] of heldLast) {
		const attempts = held.get(fingerprint) ?? 0;
		unprocessed.delete(fingerprint);
		const isLastAttempt = attempts + 1 >= MAX_ATTEMPTS;
		const item = await source.toItem(record, isLastAttempt).catch((error: unknown) => {
			if (!(error instanceof UserError) || error.code === 'storage') throw error;
			unprocessed.set(fingerprint, attempts + 1);
			const what = `One of the new ${source.recordsName} could not be processed and will be tried again.`;
			warn(context, `${what} ${formatErrorText(error)}`);
			return undefined;
		});
		if (item) items.push(item);
		if (performance.now() >= deadline) break;
	}
	return { items, unprocessed };
}

/** n8n's static data are kept by the name of the node, which may change. */
function getMemory(context: IPollFunctions): NodeMemory {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(key) ?? {};
	memories.set(key, memory);
	return memory;
}

/**
 * What the records are of: `source` is the workflow's event, filters and credential, which only
 * publishing it changes, and n8n then saves the state; `account` is the credential's content, which
 * can change at any time.
 */
async function identify(
	context: IPollFunctions,
	{ recordsName, filters }: RecordSource,
): Promise<Required<Pick<SavedState, 'source' | 'account'>>> {
	const { id = '' } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const credential = await context.getCredentials(CREDENTIAL_TYPE);
	const digest = createHash('sha256').update(identifyAccount(credential)).digest('hex');
	return {
		source: hash(JSON.stringify([recordsName, filters, id])),
		account: `${parseBaseUrl(credential.baseUrl)} ${digest.slice(0, KEY_CHECK_LENGTH)}`,
	};
}

function warn(context: IPollFunctions, text: string): void {
	context.logger.warn(`${context.getNode().name}: ${text}`);
}
