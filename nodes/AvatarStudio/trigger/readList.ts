import type { IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { logForNode } from '../client/log';
import { toUserError } from '../errors/userError';

import type { RecordSource } from './event';
import type { ListMemory, Memory } from './memory';
import { hasEnds, readShort } from './readShort';
import { readWhole } from './readWhole';
import { Reading } from './reading';
import type { State } from './state';

/** How long after the first whole read the next one is due. The interval doubles with each. */
export const MIN_INTERVAL_MS = 600_000;
/** How late a record is found at most that no short read could see. */
const MAX_INTERVAL_MS = 3_600_000;

/** What it takes to read a list in a poll. */
export interface ListInput {
	context: IPollFunctions;
	client: Client<IPollFunctions>;
	source: RecordSource;
	before: State;
	/** Names the account, the list and the pages. */
	scope: string;
	seen: ReadonlySet<string>;
	/** What the process knows of the node. */
	memory?: Memory;
	/** Whether all that is listed has to be remembered, or compared with what was seen. */
	needsAll: boolean;
	/** Aborted when a poll has no time left for reading the list. */
	signal: AbortSignal;
}

export interface ListRead {
	reading: Reading;
	/** What the next poll has to know of the list. */
	list?: ListMemory;
	/** The fingerprints of what a proof has found although it was there at earlier short reads. */
	missed: string[];
}

/**
 * Reads what a poll has to see of a list: its ends, or all of it. The rules:
 * - It is read whole if all must be seen, if this process knows nothing of it, if n8n restored an older state,
 *   and at growing intervals as a proof that nothing was missed.
 * - If a short read meets anything unexpected, the list is read whole in the same poll.
 * - A whole read that takes too long is put off until the next one is due. Until then, short reads must suffice.
 *
 * @throws UserError if the list cannot be read
 */
export async function readList(input: ListInput): Promise<ListRead> {
	const { client, source, seen, memory } = input;
	const known = memory?.list;
	const mayReadShort = !input.needsAll && known?.scope === input.scope;
	if (!memory || !known || !mayReadShort) {
		const reading = await readWhole(client, source, seen);
		return { reading, list: createMemory(input, reading), missed: [] };
	}
	const isWholeReadDue = performance.now() - known.wholeReadAt >= known.intervalMs;
	const isOlder = !known.isPutOff && isStateOlder(input.before, memory);
	if (!isWholeReadDue && !isOlder) {
		const reading = await readShort(client, source, seen, known.layout, memory.unread);
		const isEnough = reading.layout !== undefined && !mustLookFor(reading, known, memory);
		const layout = isEnough ? reading.layout! : known.layout;
		if (isEnough || known.isPutOff) return { reading, list: { ...known, layout }, missed: [] };
	}
	return await readWholeAgain(input, known, memory, isWholeReadDue);
}

/** @returns whether n8n has another state than the last poll has left */
function isStateOlder({ fingerprints = '' }: State, { savedLengths }: Memory): boolean {
	return !savedLengths.includes(fingerprints.length);
}

/**
 * @returns whether a record that was left to this poll, and that a short read did not meet, has to be looked for
 *   in the whole list: at once if it was not tried for lack of time, else every ten minutes
 */
function mustLookFor({ records }: Reading, { wholeReadAt }: ListMemory, memory: Memory): boolean {
	const unmet = [...memory.unread].filter(([fingerprint]) => !records.has(fingerprint));
	const isUntried = unmet.some(([it, since]) => since === undefined || it === memory.cutShort);
	const isTimeToTry = performance.now() - wholeReadAt >= MIN_INTERVAL_MS;
	return isUntried || (unmet.length > 0 && isTimeToTry);
}

/** Reads the whole list, if there is time, although its ends can be read. */
async function readWholeAgain(
	input: ListInput,
	known: ListMemory,
	{ unread }: Memory,
	isWholeReadDue: boolean,
): Promise<ListRead> {
	const { context, client, source, seen, signal } = input;
	try {
		const reading = await readWhole(client, source, seen);
		const missed = isWholeReadDue ? findMissed(reading, known, unread) : [];
		return { reading, list: createMemory(input, reading, known), missed };
	} catch (thrown) {
		const error = toUserError(thrown);
		if (!signal.aborted) throw error;
		const what = `Reading all ${source.list.property} took longer than a poll may take.`;
		const next =
			'It is tried again in ten minutes; until then, only the ends of the list are read.';
		logForNode(context, 'warn', `${what} ${next}`);
		const reading = new Reading(false, seen, source.idField);
		const list = { ...known, ...startInterval(MIN_INTERVAL_MS), isPutOff: true };
		return { reading, list, missed: [] };
	}
}

/**
 * @returns the new records between known ones that short reads could not notice, because a deletion evened out
 *   the count. If the list has grown by more than its ends show, a short read would have noticed, so none was
 *   missed
 */
function findMissed(reading: Reading, known: ListMemory, unread: Memory['unread']): string[] {
	const between = new Set(reading.listBetween().filter((fingerprint) => !unread.has(fingerprint)));
	const isNew = (fingerprint: string) => !unread.has(fingerprint) && !between.has(fingerprint);
	const atEnds = [...reading.unseen].filter(isNew).length;
	const count = reading.layout?.count ?? Infinity;
	return count > known.layout.count + atEnds ? [] : [...between];
}

function createMemory(
	{ scope }: ListInput,
	{ layout }: Reading,
	known?: ListMemory,
): ListMemory | undefined {
	if (!layout || !hasEnds(layout)) return undefined;
	const intervalMs = known ? Math.min(2 * known.intervalMs, MAX_INTERVAL_MS) : MIN_INTERVAL_MS;
	return { scope, layout, ...startInterval(intervalMs), isPutOff: false };
}

function startInterval(intervalMs: number) {
	return { wholeReadAt: performance.now(), intervalMs };
}
