import type { IDataObject, INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { logForNode } from '../client/log';
import type { ErrorCode } from '../errors/errorCode';
import { formatErrorText } from '../errors/nodeError';
import { getStatusRule } from '../errors/statuses';
import type { ErrorDetails, UserError } from '../errors/userError';

import type { FoundRecord } from './change';
import type { RecordItem, RecordSource } from './event';
import { limitTime } from './pollTime';
import { sortByTurn, type Unread } from './state';

/** How long a record is tried again before it is emitted without what cannot be read: a day. */
const MAX_UNREADABLE_MS = 86_400_000;

/** What it takes to build items in a poll. */
export interface BuildInput {
	context: IPollFunctions;
	source: RecordSource;
	/** What earlier polls have left to this one. */
	before: Unread;
	/** Ends the requests of the source. */
	timeLimit: AbortController;
	/** When the time of the poll is over, by the clock of `performance.now()`. */
	deadline: number;
}

export interface Built {
	/** By the fingerprints of their records, in the order of these. */
	items: Map<string, INodeExecutionData>;
	/**
	 * The fingerprints of the records that are left to the next poll, each with the time when reading it first
	 * failed, if it did.
	 */
	unread: Map<string, number | undefined>;
	/** Which of them was cut short. */
	cutShort?: string;
}

/** Builds items, with a limit on their time. Most polls find nothing new, so they start no timer. */
export async function buildItemsInTime(input: BuildInput, records: FoundRecord[]): Promise<Built> {
	if (records.length === 0) return { items: new Map(), unread: new Map() };
	const { context, timeLimit, deadline } = input;
	const summary = 'The response took longer than a poll may take';
	const stopTimer = limitTime(context, timeLimit, deadline, summary);
	return await buildItems(input, records).finally(stopTimer);
}

/**
 * Builds items until time runs out. Then the record in progress is cut short, and no further one is begun.
 * But as long as no record that matches the filters was tried, the next is begun nevertheless.
 */
async function buildItems(input: BuildInput, records: FoundRecord[]): Promise<Built> {
	const { timeLimit, source, before, deadline } = input;
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
		// The first record has the whole poll to itself, so running out of time is its own failure.
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
	const unread = new Map([...untried, ...failed]);
	return { items: sortAs(records, items), unread, cutShort };
}

function isOverdue(failedSince?: number): boolean {
	return failedSince !== undefined && Date.now() - failedSince >= MAX_UNREADABLE_MS;
}

function sortAs(records: FoundRecord[], items: Built['items']): Built['items'] {
	const built = records.filter(([fingerprint]) => items.has(fingerprint));
	return new Map(built.map(([fingerprint]) => [fingerprint, items.get(fingerprint)!]));
}

function warnUnread({ context, source }: BuildInput, failure: UserError): void {
	const what = `One of the ${source.list.property} could not be read and will be tried again.`;
	// The message of a file's host may contain the name of the file, which the log must not.
	const error = failure.with({ serviceMessage: undefined });
	logForNode(context, 'warn', `${what} ${formatErrorText(error)}`);
}

/** @throws UserError for a failure of n8n's storage, or a defect, neither of which is about the record */
export async function buildItem(
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
 * Whether a later poll may succeed, by the row of the status. A firewall may relent, and a host may refuse
 * a file with 403 until it is there.
 */
export function mayBeReadLater({ code, status }: ErrorDetails): boolean {
	if (PERMANENT_CODES.has(code)) return false;
	const isLater = code === 'firewall' || code === 'noFile';
	return isLater || getStatusRule(status).again !== 'never';
}
