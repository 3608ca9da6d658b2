import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { logForNode } from '../client/log';

import { buildItemsInTime, type Built } from './buildItems';
import type { RecordSource } from './event';
import {
	getCurrentState,
	listSavedLengths,
	toUnread,
	type LeftRecords,
	type Memory,
} from './memory';
import { getDeadline, limitTime } from './pollTime';
import { MIN_INTERVAL_MS, readList, type ListRead } from './readList';
import type { Reading } from './reading';
import {
	addFingerprints,
	mergeFingerprints,
	parseFingerprints,
	type Identity,
	type Kept,
	type State,
} from './state';

const START = 'Only what happens from now on starts the workflow.';
/** n8n keeps the state of a node under its name (n8n-workflow 2.41.0, workflow.js): a new name has none. */
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
	/** The state that n8n has saved. It is not changed. */
	saved: State;
	/** What this process knows since the last poll. */
	memory?: Memory;
	/** Whether the user has just activated the workflow, and expects no item. */
	isActivation: boolean;
}

/** What a poll emits, and what is to be kept once that is done. */
interface PollOutput {
	items: INodeExecutionData[];
	state: State;
	memory: Memory;
}

/**
 * Reads what a poll has to see of the list and builds an item for each record that the event tells of and that
 * matches the filters.
 *
 * @throws UserError if the list cannot be read or a file cannot be stored
 */
export async function fetchItems(input: PollInput): Promise<PollOutput> {
	const { context, timeLimit, source, identity, saved, memory, isActivation } = input;
	const deadline = getDeadline(context);
	const before = getCurrentState(saved, memory);
	const seen = parseFingerprints(before);
	// `watched` changes if the user picks another event, filter or credential, `account` if the key, the Base
	// URL or anything else that is sent of the credential changes.
	const isChanged = before.watched !== identity.watched;
	const isStart = isActivation || isChanged;
	const isAccessChanged = !isStart && before.account !== identity.account;
	const needsAll = isStart || isAccessChanged;
	const scope = JSON.stringify([identity, source.pageOptions]);
	const summary = `Reading the ${source.list.property} took longer than a poll may take`;
	const stopTimer = limitTime(context, timeLimit, deadline, summary);
	const listInput = { ...input, before, seen, needsAll, scope, signal: timeLimit.signal };
	const listRead = await readList(listInput).finally(stopTimer);
	// The account may still be the same, which a known record shows.
	const { records, unseen } = listRead.reading;
	const isOtherAccount = isAccessChanged && unseen.size === records.size;
	// An empty list shows nothing, so it is not worth a warning.
	if (isOtherAccount && records.size > 0) logForNode(context, 'warn', OTHER_ACCOUNT);
	if (isChanged && !isActivation) logForNode(context, 'warn', CHANGED);
	const emitsNothing = isStart || isOtherAccount;
	// What was kept of another list says nothing about this one.
	const kept = (emitsNothing ? undefined : before.kept) ?? {};
	const found = emitsNothing ? [] : source.change.find(listRead.reading, kept);
	const buildInput = { context, source, before, timeLimit, deadline };
	const built = await buildItemsInTime(buildInput, found);
	return conclude(input, { ...before, kept }, seen, listRead, built);
}

/** @returns what to emit and what to keep, if a poll has read and built this */
function conclude(
	input: PollInput,
	before: State & { kept: Kept },
	seen: Set<string>,
	{ reading, list, missed }: ListRead,
	built: Built,
): PollOutput {
	const left = listUnread(reading, built, input.memory);
	const settled = [...reading.records.keys()].filter(
		(fingerprint) => !left.unread.has(fingerprint),
	);
	const isNew = (fingerprint: string) => reading.unseen.has(fingerprint);
	const fingerprints = reading.isWhole
		? mergeFingerprints(seen, settled)
		: addFingerprints(before, settled.filter(isNew));
	const kept = input.source.change.keep?.(reading, before.kept, built.items);
	const state = { ...input.identity, fingerprints, ...toUnread(left), kept };
	const emits = built.items.size > 0;
	const savedLengths = listSavedLengths(input.saved, state, emits);
	const memory = { ...left, list, savedLengths, kept };
	const late = missed.filter((fingerprint) => built.items.has(fingerprint));
	if (list && late.length > 0) {
		const what = `New ${input.source.list.property} that were found late: ${late.length}.`;
		const why = 'They stand in the middle of the list, of which this was a check.';
		logForNode(input.context, 'info', `${what} ${why}`);
		memory.list = { ...list, intervalMs: MIN_INTERVAL_MS };
	}
	return { items: [...built.items.values()], state, memory };
}

/** @returns what is left to the next poll. What a short read did not meet was not tried, and is left as it was */
function listUnread(reading: Reading, built: Built, memory?: Memory): LeftRecords {
	const earlier = reading.isWhole ? [] : [...(memory?.unread ?? [])];
	const unmet = earlier.filter(([fingerprint]) => !reading.records.has(fingerprint));
	const isCutShortUnmet = unmet.some(([fingerprint]) => fingerprint === memory?.cutShort);
	const cutShort = built.cutShort ?? (isCutShortUnmet ? memory?.cutShort : undefined);
	return { unread: new Map([...unmet, ...built.unread]), cutShort };
}
