import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { toUserError, UserError } from '../errors/userError';

import { MAX_POLL_MS, readList } from './readList';
import { createAssetSource, createVoiceSource, type RecordSource } from './recordSources';
import { getExclusion, identify, mergeSeen, parseSeen, type SavedState } from './savedState';
import { fetchTestEvent } from './testEvent';

/** Used if n8n sets no budget; its shortest polling interval is a minute. */
const DEFAULT_POLL_BUDGET_MS = 60_000;

/** After this time Newest First is checked again, and polls that were all refused are an error. */
const HOUR_MS = 60 * 60_000;

/** How many polls try a record that cannot be processed before it is emitted with what is known. */
const MAX_ATTEMPTS = 5;

/** What this process knows of a node: n8n saves nothing after a poll that emits nothing. */
interface NodeMemory {
	/** n8n polls, or publishes again, while this poll runs: both would emit the same records. */
	running?: { context: IPollFunctions; startedAt: number };
	/** The context of the last poll that succeeded: n8n keeps it for all polls of an activation. */
	polledContext?: IPollFunctions;
	/** The records that could not be processed yet, as in the saved state. */
	held?: Record<string, number>;
	/** When a poll last succeeded, or the first one began if none has. */
	succeededAt: number;
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
 *   or changes its event, filters or credential, which forgets nothing. A restart is no activation;
 * - another key or Base URL is another account's only if the list shows no record seen before;
 * - a poll that runs out of time leaves the remaining records for the next one;
 * - a record that cannot be processed does not hold up others: later polls try it again, after the
 *   others, and the fifth emits it with the error;
 * - a record added since is emitted as soon as it matches the filters, also if it is renamed for
 *   that; one that was there when the trigger started over is not;
 * - a poll that is refused for too many requests, or fails after a restart of n8n, leaves its records
 *   to the next one, for an hour;
 * - a manual run shows one record and leaves the state alone.
 *
 * @returns an item for each new record that matches the filters, or null if there is none
 * @throws NodeApiError; if waiting helps, it carries n8n's `failure` for backing off
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await pollOnce(context).catch((thrown: unknown) => {
		const error = toUserError(thrown);
		if (!mayWait(context, error)) {
			if (error !== thrown) throw thrown;
			throw toNodeError(context.getNode(), error, formatMessage(error));
		}
		warn(context, `${formatErrorText(error)} The next poll tries again.`);
		return null;
	});
}

/**
 * @returns whether a failed poll is left to the next: for an hour, if no user waits, one that was refused
 *   for too many requests, and each until one succeeds after a restart. n8n 2.41 gives up for good a
 *   trigger that fails five times then, within 15 seconds, and older ones if the error says "Authorization"
 */
function mayWait(context: IPollFunctions, { code }: UserError): boolean {
	const isWatched = context.getMode() === 'manual' || isActivation(context);
	const { succeededAt, polledContext } = getMemory(context);
	const isRestart = /init|leader/.test(context.getActivationMode()) && polledContext !== context;
	if (isWatched || (code !== 'rateLimited' && !isRestart)) return false;
	return performance.now() - succeededAt < HOUR_MS;
}

/**
 * Polls, unless the poll before is still running, and saves the new state. A poll that does not end,
 * or of an activation before, is replaced by this one.
 */
async function pollOnce(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isAssetEvent = context.getNodeParameter('event') === 'assetCreated';
	const source = isAssetEvent ? createAssetSource(context) : createVoiceSource(context);
	if (context.getMode() === 'manual') return [[await fetchTestEvent(source)]];

	const memory = getMemory(context);
	const { running: earlier } = memory;
	const running = { context, startedAt: performance.now() };
	if (earlier?.context === context) {
		if (running.startedAt - earlier.startedAt < MAX_POLL_MS) return null;
		warn(context, 'A poll has not ended for half an hour. This one replaces it.');
	}
	memory.running = running;
	try {
		const saved = context.getWorkflowStaticData('node') as SavedState;
		const before = { ...saved, held: { ...saved.held, ...memory.held } };
		const { items, state } = await fetchNewItems(context, source, before, earlier !== undefined);
		if (memory.running !== running) return null;
		Object.assign(saved, state);
		memory.held = state.held;
		memory.succeededAt = performance.now();
		memory.polledContext = context;
		return items.length > 0 ? [items] : null;
	} finally {
		if (memory.running === running) memory.running = undefined;
	}
}

/**
 * @param before the state before
 * @param replacesPoll whether this poll must emit the records of another one
 * @returns the items of new records, and the state to save
 */
async function fetchNewItems(
	context: IPollFunctions,
	source: RecordSource,
	before: SavedState,
	replacesPoll: boolean,
): Promise<{ items: INodeExecutionData[]; state: SavedState }> {
	const { newestFirst } = source;
	const deadline = performance.now() + (context.getPollBudgetMs?.() ?? DEFAULT_POLL_BUDGET_MS);
	const current = await identify(context, source);
	const planned = decideStart(context, before, current, replacesPoll);
	const seen = parseSeen(before);
	const held = new Map(Object.entries(before.held ?? {}));
	const isVerified = Date.now() - (before.verifiedAt ?? 0) < HOUR_MS;
	const { rememberedBy, unseen, isWhole, isMisplaced, filterError } = await readList(source, {
		seen,
		held,
		readsUntilStable: planned !== 'continued',
		mayEmit: planned === 'continued' || planned === 'otherAccount',
		stopsAtKnown: planned === 'continued' && newestFirst && isVerified,
	});

	const isSameAccount = [...rememberedBy.values()].some((mark) => seen.has(mark));
	const start = planned === 'otherAccount' && isSameAccount ? 'continued' : planned;
	if (start !== 'continued') {
		// The user knows of an activation.
		const reason = isActivation(context) ? undefined : START_WARNINGS[start];
		if (reason) warn(context, `${reason}. Only what is added from now on starts the workflow.`);
		const problem = filterError && formatErrorText(filterError);
		if (problem) warn(context, `${problem} Nothing starts the workflow until one does.`);
	} else if (newestFirst && isMisplaced) {
		warn(
			context,
			`New ${source.recordsName} are listed behind known ones, where they are found only once an hour. If this keeps happening, turn off Newest First.`,
		);
	}

	const oldestFirst = <T>(values: Iterable<T>): T[] =>
		newestFirst ? [...values].reverse() : [...values];
	const records = start === 'continued' ? oldestFirst(unseen) : [];
	const processed = await processRecords(context, source, records, held, deadline);
	const { items, unprocessed, excluded } = processed;

	// To the next poll, they are new.
	for (const fingerprint of unprocessed.keys()) rememberedBy.delete(fingerprint);
	for (const [key, record] of excluded) rememberedBy.set(key, getExclusion(key, record));
	// What was there when it started over never counts as new, whatever its name will be.
	const known = start === 'continued' ? rememberedBy.values() : rememberedBy.keys();
	return {
		items,
		state: {
			...current,
			fingerprints: mergeSeen(seen, new Set(oldestFirst(known)), isWhole),
			held: Object.fromEntries([...unprocessed].filter(([, attempts]) => attempts > 0)),
			verifiedAt: newestFirst && isWhole && !isMisplaced ? Date.now() : before.verifiedAt,
		},
	};
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
	if (saved.source !== source) return 'otherSource';
	if (isActivation(context) && !replacesPoll) return 'activated';
	return saved.account === account ? 'continued' : 'otherAccount';
}

/** @returns whether this is the first poll after the user activated the workflow */
function isActivation(context: IPollFunctions): boolean {
	return context.getActivationMode() === 'activate' && getMemory(context).polledContext !== context;
}

/**
 * Builds the items of new records until time runs out, of at least one; held records come last.
 *
 * @returns the items; the fingerprints of the records that a later poll has to process, each with the
 *   number of polls that tried; and the records that proved to be excluded
 */
async function processRecords(
	context: IPollFunctions,
	{ toItem, recordsName }: RecordSource,
	records: [fingerprint: string, record: IDataObject][],
	held: Map<string, number>,
	deadline: number,
) {
	const items: INodeExecutionData[] = [];
	const isHeld = ([fingerprint]: [string, IDataObject]) => Number(held.has(fingerprint));
	const heldLast = [...records].sort((one, other) => isHeld(one) - isHeld(other));
	const unprocessed = new Map(heldLast.map(([key]) => [key, held.get(key) ?? 0]));
	const excluded: typeof records = [];
	for (const [fingerprint, record] of heldLast) {
		const attempts = 1 + (held.get(fingerprint) ?? 0);
		unprocessed.delete(fingerprint);
		const item = await toItem(record, attempts >= MAX_ATTEMPTS).catch((error: unknown) => {
			if (!(error instanceof UserError) || error.code === 'storage') throw error;
			unprocessed.set(fingerprint, attempts);
			const what = `One of the new ${recordsName} could not be processed and will be tried again.`;
			warn(context, `${what} ${formatErrorText(error)}`);
			return undefined;
		});
		if (item) items.push(item);
		else if (!unprocessed.has(fingerprint)) excluded.push([fingerprint, record]);
		if (performance.now() >= deadline) break;
	}
	return { items, unprocessed, excluded };
}

/** n8n's static data are kept by the name of the node, which may change. */
function getMemory(context: IPollFunctions): NodeMemory {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	const memory = memories.get(key) ?? { succeededAt: performance.now() };
	memories.set(key, memory);
	return memory;
}

function warn(context: IPollFunctions, text: string): void {
	context.logger.warn(`${context.getNode().name}: ${text}`);
}
