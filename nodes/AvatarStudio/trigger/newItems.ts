import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { fetchPages } from '../client/list';
import { logForNode } from '../client/log';
import type { ErrorCode } from '../errors/errorCode';
import { formatErrorText } from '../errors/nodeError';
import { UserError, type ErrorDetails } from '../errors/userError';

import type { RecordItem, RecordSource } from './event';
import { getDeadline, limitTime } from './pollTime';
import {
	getFingerprint,
	mergeFingerprints,
	parseFingerprints,
	sortByTurn,
	type Identity,
	type NewRecord,
	type State,
} from './state';

/** How long a record is tried again before it is emitted without what cannot be read: a day. */
const MAX_UNREADABLE_MS = 86_400_000;

const START = 'Only what is added from now on starts the workflow.';
/** n8n keeps the state of a node under its name, so one with another name has none. */
const CHANGED = `The trigger is new, or its name, event, filters or credential changed. ${START}`;
const OTHER_ACCOUNT = `With the changed credential, nothing seen before is listed, so it counts as another account's. Publish the workflow again, so that n8n saves this. ${START}`;

/** What a poll works with. */
interface PollInput {
	context: IPollFunctions;
	client: Client<IPollFunctions>;
	/** Ends the requests of the client. */
	timeLimit: AbortController;
	source: RecordSource;
	identity: Identity;
	/** The state that an earlier poll left. It is not changed. */
	before: State;
	/** Whether the user has just activated the workflow, and expects no item. */
	isActivation: boolean;
}

/**
 * Reads the list once and builds an item for each record that was not there before and that matches
 * the filters, in the order in which they were added.
 *
 * @returns the items, and the state to keep once they are emitted
 * @throws UserError if the list cannot be read whole or a file cannot be stored
 */
export async function fetchNewItems(
	input: PollInput,
): Promise<{ items: INodeExecutionData[]; state: State }> {
	const { context, source, identity, before, isActivation } = input;
	const deadline = getDeadline(context);
	const seen = parseFingerprints(before);
	// `watched` is what the workflow states: event, filters and credential. `account` is what is in that
	// credential: key and Base URL.
	const isChanged = before.watched !== identity.watched;
	const isStart = isActivation || isChanged;
	const stopsAtSeen = source.isNewestFirst === true && !isStart && !before.hasUnread;
	const { listed, unseen } = await readList(input, seen, stopsAtSeen);
	// The account may still be the same, which a known record shows.
	const isAccessChanged = !isStart && before.account !== identity.account;
	const isOtherAccount = isAccessChanged && unseen.length === listed.length;
	if (isOtherAccount) logForNode(context, 'warn', OTHER_ACCOUNT);
	if (isChanged && !isActivation) logForNode(context, 'warn', CHANGED);
	const emitsNothing = isStart || isOtherAccount;
	const records = emitsNothing ? [] : unseen;
	const { items, unread, cutShort } = await buildItemsInTime(input, records, deadline);
	const settled = listed.filter((fingerprint) => !unread.has(fingerprint));
	const state = {
		...identity,
		fingerprints: mergeFingerprints(seen, settled),
		hasUnread: unread.size > 0,
		failedSince: Object.fromEntries([...unread].filter(([, since]) => since !== undefined)),
		cutShort,
	};
	return { items, state };
}

/**
 * @param seen fingerprints of the records that earlier polls have seen
 * @param stopsAtSeen whether to stop at the first page without a new record
 * @returns the fingerprints of the records, and those records that are new, both in the order in which
 *   they were added: that of the list, or its reverse with Newest First
 */
async function readList(
	{ client, source }: PollInput,
	seen: Set<string>,
	stopsAtSeen: boolean,
): Promise<{ listed: string[]; unseen: NewRecord[] }> {
	const listed = new Set<string>();
	const unseen = new Map<string, IDataObject>();
	for await (const page of fetchPages(client, source.list, source.pageOptions)) {
		const countBefore = unseen.size;
		for (const record of page) {
			const fingerprint = getFingerprint(record, source.idField);
			listed.add(fingerprint);
			if (!seen.has(fingerprint)) unseen.set(fingerprint, record);
		}
		const hasNew = unseen.size > countBefore;
		if (stopsAtSeen && !hasNew) break;
	}
	const inOrder = { listed: [...listed], unseen: [...unseen] };
	if (!source.isNewestFirst) return inOrder;
	return { listed: inOrder.listed.reverse(), unseen: inOrder.unseen.reverse() };
}

/** Builds items, with a limit on their time. Most polls find nothing new, so they start no timer. */
async function buildItemsInTime(input: PollInput, records: NewRecord[], deadline: number) {
	const { context, timeLimit } = input;
	const stopTimer = records.length > 0 ? limitTime(context, timeLimit, deadline) : undefined;
	return await buildItems(input, records, deadline).finally(stopTimer);
}

/**
 * Builds items until time runs out. Then the record in progress is cut short, and no further one is begun.
 * But as long as no record that matches the filters was tried, the next is begun nevertheless.
 *
 * @returns the items in the order of the records; the fingerprints of the records that are left to the next
 *   poll, each with the time when reading it first failed, if it did; and which of them was cut short
 */
async function buildItems(input: PollInput, records: NewRecord[], deadline: number) {
	const { timeLimit, source, before } = input;
	const items = new Map<string, INodeExecutionData>();
	/** Those not tried in this poll, which may have failed in an earlier one. */
	const untried = new Map<string, number | undefined>();
	const failed = new Map<string, number>();
	let cutShort: string | undefined;
	for (const [index, [fingerprint, record]] of sortByTurn(records, before).entries()) {
		const failedSince = before.failedSince?.[fingerprint];
		const isOver = timeLimit.signal.aborted || performance.now() >= deadline;
		// What the filters exclude does not count, or the first match behind it would never get its turn.
		const isMatchTried = items.size + failed.size > 0;
		if (isOver && isMatchTried) {
			untried.set(fingerprint, failedSince);
			continue;
		}
		const built = await buildItem(source, record);
		if (!built) continue;
		const { failure, ...item } = built;
		// If time runs out during the first record, that is its own failure, because it had all the time.
		const isCutShort = failure !== undefined && timeLimit.signal.aborted && index > 0;
		if (isCutShort) cutShort = fingerprint;
		const isGivenUp = isOverdue(failedSince) && !isCutShort;
		if (!failure || isGivenUp || !mayBeReadLater(failure.details)) {
			items.set(fingerprint, item);
			continue;
		}
		failed.set(fingerprint, failedSince ?? Date.now());
		warnUnread(input, failure);
	}
	const inOrder = records.flatMap(([fingerprint]) => items.get(fingerprint) ?? []);
	return { items: inOrder, unread: new Map([...untried, ...failed]), cutShort };
}

function isOverdue(failedSince?: number): boolean {
	return failedSince !== undefined && Date.now() - failedSince >= MAX_UNREADABLE_MS;
}

function warnUnread({ context, source }: PollInput, failure: UserError): void {
	const what = `One of the new ${source.list.property} could not be read and will be tried again.`;
	// The message of a file's host may contain the name of the file, which the log must not.
	const error = failure.with({ serviceMessage: undefined });
	logForNode(context, 'warn', `${what} ${formatErrorText(error)}`);
}

/** @throws UserError for a failure of n8n's storage, or a defect, neither of which is about the record */
async function buildItem(
	source: RecordSource,
	record: IDataObject,
): Promise<RecordItem | undefined> {
	const item = await source.toItem(record);
	const failure = item?.failure;
	const isFatal = failure?.details.code === 'storage' || failure?.details.code === 'unexpected';
	if (isFatal) throw failure;
	return item;
}

/** What is forbidden by n8n's administrator or by this node, or wrong with the record, stays so. */
const PERMANENT_CODES = new Set<ErrorCode>(['blockedByN8n', 'privateHost', 'invalidValue']);

/**
 * Whether a later poll may succeed. What the service rejects it will reject again, except that a key may
 * be replaced (401), that a record or a file may not be there yet, and that a firewall may relent.
 */
function mayBeReadLater({ code, isTransient, status = 0 }: ErrorDetails): boolean {
	if (PERMANENT_CODES.has(code)) return false;
	const isRejected = status >= 400 && status < 500;
	const isLater = code === 'firewall' || code === 'noFile' || status === 401 || status === 404;
	return !isRejected || isTransient || isLater;
}

/** Fetches the first record that matches the filters, for the user to build the workflow with. */
export async function fetchTestEvent(
	client: Client<IPollFunctions>,
	source: RecordSource,
): Promise<INodeExecutionData> {
	for await (const records of fetchPages(client, source.list, source.pageOptions)) {
		for (const record of records) {
			const built = await buildItem(source, record);
			if (!built) continue;
			const { failure, ...item } = built;
			if (failure && mayBeReadLater(failure.details)) throw failure;
			return item;
		}
	}
	throw new UserError(
		`There are no ${source.list.property} that match`,
		'Add one in the studio application or change the filters, then fetch a test event again.',
	);
}
