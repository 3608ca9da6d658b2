import { createHash } from 'node:crypto';

import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { parseBaseUrl } from '../client/authenticate';
import { CREDENTIAL_TYPE, identifyAccount } from '../client/credential';
import { formatErrorText, formatMessage, toNodeError } from '../errors/nodeError';
import { UserError } from '../errors/userError';

import { createAssetSource, createVoiceSource, type RecordSource } from './recordSources';
import {
	assertWithinLimit,
	getFingerprint,
	hash,
	mergeSeen,
	parseFingerprints,
	type SavedState,
} from './savedState';

/** Used if n8n sets no budget; its shortest polling interval is a minute. */
const DEFAULT_POLL_BUDGET_MS = 60_000;

/** Beyond n8n's longest budget, five minutes, and the download of a large file. */
const MAX_POLL_MS = 30 * 60_000;

/** How long a list counts as having its newest records first until that is checked again. */
const MAX_UNVERIFIED_MS = 60 * 60_000;

const MAX_READS = 10;

/** How many polls try a record that cannot be processed before it is emitted with what is known. */
const MAX_ATTEMPTS = 5;

/** How many records a test event requests one by one to find one that matches. */
const MAX_TEST_REQUESTS = 20;

/** Two hexadecimal digits show a changed key, but fit one in 256 of all possible keys. */
const KEY_CHECK_LENGTH = 2;

/** n8n keeps the same context for all polls of an activation in its own process. */
const polledContexts = new WeakSet<IPollFunctions>();

/**
 * The running poll of each node. n8n starts the next one meanwhile, and lets it run on when the
 * workflow is published again: both would emit the same records.
 */
const activePolls = new Map<string, { context: IPollFunctions; startedAt: number }>();

/** The held records of each node: n8n does not save them after a poll that emits nothing. */
const heldByNode = new Map<string, Record<string, number>>();

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
 * - a manual run shows one record and leaves the state alone.
 *
 * @returns an item for each new record that matches the filters, or null if there is none
 * @throws NodeApiError; if waiting helps, it carries n8n's `failure` for backing off
 */
export async function poll(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	return await fetchItems(context).catch((error: unknown) => {
		throw error instanceof UserError
			? toNodeError(context.getNode(), error, formatMessage(error))
			: error;
	});
}

async function fetchItems(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isAssetEvent = context.getNodeParameter('event') === 'assetCreated';
	const source = isAssetEvent ? createAssetSource(context) : createVoiceSource(context);
	if (context.getMode() === 'manual') return await fetchTestEvent(source);

	const nodeKey = getNodeKey(context);
	const thisPoll = { context, startedAt: performance.now() };
	const earlierPoll = activePolls.get(nodeKey);
	const isRunning =
		earlierPoll !== undefined && thisPoll.startedAt - earlierPoll.startedAt < MAX_POLL_MS;
	if (earlierPoll?.context === context) {
		if (isRunning) return null;
		warn(context, 'A poll has not ended for half an hour. This one replaces it.');
	}
	activePolls.set(nodeKey, thisPoll);
	const isCurrent = () => activePolls.get(nodeKey) === thisPoll;
	return await pollNewRecords(context, source, isRunning, isCurrent).finally(() => {
		if (isCurrent()) activePolls.delete(nodeKey);
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
	if (filterError) throw filterError;
	throw requests > MAX_TEST_REQUESTS
		? new UserError(
				`Of ${requests} ${recordsName} without a stated type the first ${MAX_TEST_REQUESTS} do not match`,
				'Change the filters, then fetch a test event again. The active workflow checks each new one.',
			)
		: new UserError(
				`There are no ${recordsName} that match`,
				'Add one in the studio application or change the filters, then fetch a test event again.',
			);
}

/**
 * @param replacesPoll whether another poll of the node is running, whose records this one must emit
 * @param isCurrent whether no other poll has replaced this one
 */
async function pollNewRecords(
	context: IPollFunctions,
	source: RecordSource,
	replacesPoll: boolean,
	isCurrent: () => boolean,
): Promise<INodeExecutionData[][] | null> {
	const { newestFirst } = source;
	const deadline = performance.now() + (context.getPollBudgetMs?.() ?? DEFAULT_POLL_BUDGET_MS);
	const nodeKey = getNodeKey(context);
	const sourceId = getSourceId(context, source);
	const accountId = await getAccountId(context);
	const saved = context.getWorkflowStaticData('node') as SavedState;

	const isFirstPoll = !polledContexts.has(context);
	const isActivation = isFirstPoll && !replacesPoll && context.getActivationMode() === 'activate';
	const isSameSource = !isFirstPoll || saved.source === sourceId;
	const isSameCredential = saved.account === accountId;
	const seen = isSameSource ? parseFingerprints(saved) : new Set<string>();
	const held = new Map(Object.entries({ ...saved.held, ...heldByNode.get(nodeKey) }));

	const mayStartOver = isActivation || !isSameSource || !isSameCredential;
	const isVerified = Date.now() - (saved.verifiedAt ?? 0) < MAX_UNVERIFIED_MS;
	const stopsAtKnown = newestFirst && isVerified && !mayStartOver;
	const pages = mayStartOver
		? readUntilStable(source)
		: source.fetchPages(stopsAtKnown ? 1 : undefined);
	const mayEmit = isSameSource && !isActivation;
	const list = await readList(source, pages, seen, held, stopsAtKnown, mayEmit);
	const isSameAccount = isSameCredential || list.unseen.size < list.listed.size;
	const startsOver = isActivation || !isSameSource || !isSameAccount;

	if (startsOver && !isActivation) warnOfStart(context, source, isSameSource);
	if (startsOver && list.filterError) {
		warn(
			context,
			`${formatErrorText(list.filterError)} Nothing starts the workflow until one does.`,
		);
	}
	if (list.isMisplaced && newestFirst && !mayStartOver) warnOfOrder(context, source);

	const inOrder = <T>(values: Iterable<T>): T[] =>
		newestFirst ? [...values].reverse() : [...values];
	const records = startsOver ? [] : inOrder(list.unseen);
	const { items, unprocessed } = await processRecords(context, source, records, held, deadline);
	if (!isCurrent()) return null;

	for (const fingerprint of unprocessed.keys()) list.listed.delete(fingerprint);
	saved.source = sourceId;
	saved.account = accountId;
	saved.fingerprints = mergeSeen(seen, new Set(inOrder(list.listed)), list.isWhole);
	saved.held = Object.fromEntries([...unprocessed].filter(([, attempts]) => attempts > 0));
	if (newestFirst && list.isWhole && !list.isMisplaced) saved.verifiedAt = Date.now();
	heldByNode.set(nodeKey, saved.held);
	polledContexts.add(context);
	return items.length > 0 ? [items] : null;
}

/**
 * Reads the list.
 *
 * @param seen fingerprints of the records seen before
 * @param held fingerprints of the records that could not be processed yet, with the attempts
 * @param stopsAtKnown whether to stop at a page without new records behind all new and held ones
 * @param keepsRecords whether to return the records: several readings may be too large for memory
 * @returns the fingerprints of all records; the unseen records by fingerprint; whether the list was
 *   read to its end; whether unseen records were listed behind the place to stop; and what the last
 *   page says about the filters
 * @throws UserError if the list is too long to be remembered, or to be read in time
 */
async function readList(
	source: RecordSource,
	pages: AsyncIterable<IDataObject[]>,
	seen: Set<string>,
	held: Map<string, number>,
	stopsAtKnown: boolean,
	keepsRecords: boolean,
) {
	const { recordsName } = source;
	const startedAt = performance.now();
	const listed = new Set<string>();
	const unseen = new Map<string, IDataObject>();
	let mayStop = false;
	let isMisplaced = false;
	let filterError: UserError | undefined;
	for await (const page of pages) {
		filterError = source.findFilterError(page);
		const unseenBefore = unseen.size;
		for (const record of page) {
			const fingerprint = getFingerprint(record, source.idField);
			if (!seen.has(fingerprint) && !listed.has(fingerprint)) {
				unseen.set(fingerprint, keepsRecords ? record : {});
			}
			listed.add(fingerprint);
		}
		assertWithinLimit(listed.size, recordsName);
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
			if (!(error instanceof UserError) || error.code === 'storage') throw error;
			unprocessed.set(fingerprint, attempts + 1);
			warn(
				context,
				`One of the new ${source.recordsName} could not be processed and will be tried again. ${formatErrorText(error)}`,
			);
			return undefined;
		});
		if (item) items.push(item);
		isOutOfTime = performance.now() >= deadline;
	}
	return { items, unprocessed };
}

/**
 * Reads a list at least twice, until a reading brings nothing more. A record that is missed when
 * the trigger starts over would be new to the next poll: a list may be empty for once, or change
 * between pages.
 */
async function* readUntilStable(source: RecordSource): AsyncGenerator<IDataObject[]> {
	const listed = new Set<string>();
	let listedBefore = 0;
	for (let reads = 0; reads < 2 || (reads < MAX_READS && listed.size > listedBefore); reads++) {
		listedBefore = listed.size;
		for await (const page of source.fetchPages()) {
			for (const record of page) listed.add(getFingerprint(record, source.idField));
			yield page;
		}
	}
}

/** n8n's static data are kept by the name of the node, which may change. */
function getNodeKey(context: IPollFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}

/**
 * What the workflow says the records are: of another event, filter or credential, all would be new.
 * Publishing the workflow is the only way to change it, and n8n then saves the state.
 */
function getSourceId(context: IPollFunctions, { recordsName, filters }: RecordSource): string {
	const { id = '' } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	return hash(JSON.stringify([recordsName, filters, id]));
}

/** What the credential says the account is; that can change at any time. */
async function getAccountId(context: IPollFunctions): Promise<string> {
	const credential = await context.getCredentials(CREDENTIAL_TYPE);
	const digest = createHash('sha256').update(identifyAccount(credential)).digest('hex');
	return `${parseBaseUrl(credential.baseUrl)} ${digest.slice(0, KEY_CHECK_LENGTH)}`;
}

function warnOfStart(
	context: IPollFunctions,
	{ recordsName }: RecordSource,
	isSameSource: boolean,
): void {
	const reason = isSameSource
		? `With the changed credential, none of the ${recordsName} seen before is listed, so it counts as another account's. Publish the workflow again, so that n8n saves this`
		: 'The trigger is new, or its name, event, filters or credential changed';
	warn(context, `${reason}. Only ${recordsName} added from now on start the workflow.`);
}

function warnOfOrder(context: IPollFunctions, { recordsName }: RecordSource): void {
	warn(
		context,
		`New ${recordsName} are listed behind known ones, where they are found only once an hour. If this keeps happening, turn off Newest First.`,
	);
}

function warn(context: IPollFunctions, text: string): void {
	context.logger.warn(`${context.getNode().name}: ${text}`);
}
