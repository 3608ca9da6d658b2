import type { IPollFunctions } from 'n8n-workflow';

import type { ListLayout } from '../client/listProgress';

import type { Kept, State, Unread } from './state';

/** More triggers than any n8n was seen to have; each takes some 0.5 kB. */
const MAX_NODES = 1_000;

/** What it takes to read only the ends of a list, and when the whole list is read again as a proof. */
export interface ListMemory {
	/** Names the account, the list and the pages. */
	scope: string;
	layout: ListLayout;
	/** When the whole list was read, or took too long, by the clock of `performance.now()`. */
	wholeReadAt: number;
	/** How long after that it is due again, in milliseconds. */
	intervalMs: number;
	/** Whether the last whole read ran out of time: until the next one is due, short reads must suffice. */
	isPutOff: boolean;
}

/** The records that a poll leaves to the next one. */
export interface LeftRecords {
	/** Each by its fingerprint, with the time when reading it first failed, if it did. */
	unread: ReadonlyMap<string, number | undefined>;
	/** Which of them was cut short. */
	cutShort?: string;
}

/**
 * What a process knows of a node since its last poll. Nothing of it is saved, so after a restart the list is
 * read whole.
 *
 * The records left override those in the saved state, which is that of the last poll that emitted (see `poll`):
 * without this, the day in which a record is tried again would start over. Saved fingerprints may be older
 * without harm, because what they lack was never emitted.
 */
export interface Memory extends LeftRecords {
	/** Not set if the next poll can only read the whole list. */
	list?: ListMemory;
	/**
	 * The lengths that the saved fingerprints may have now. Others mean that n8n discarded what a poll returned,
	 * or restored an older state, so that records in the middle of the list may be new again.
	 */
	savedLengths: number[];
	/** What the event keeps of records. What is saved may lack those added since a poll has emitted. */
	kept?: Kept;
}

const memories = new Map<string, Memory>();

/** @returns what identifies a node; nodes of one workflow may share an ID (n8n issue 36340), so its name counts */
export function getNodeKey(context: IPollFunctions): string {
	const { id, name } = context.getNode();
	return JSON.stringify([context.getWorkflow().id, id, name]);
}

export function recall(nodeKey: string): Memory | undefined {
	return memories.get(nodeKey);
}

export function remember(nodeKey: string, memory: Memory): void {
	// The polls after that read whole lists, which is all that forgetting costs.
	if (memories.size >= MAX_NODES && !memories.has(nodeKey)) memories.clear();
	memories.set(nodeKey, memory);
}

/** @returns the state with what the process knows better */
export function getCurrentState(saved: State, memory?: Memory): State {
	if (!memory) return { ...saved };
	return { ...saved, ...toUnread(memory), kept: { ...saved.kept, ...memory.kept } };
}

/** @returns what the state says of the records that are left to the next poll */
export function toUnread({ unread, cutShort }: LeftRecords): Unread {
	const failed = [...unread].filter(([, since]) => since !== undefined);
	return { failedSince: Object.fromEntries(failed), cutShort };
}

/** @returns the lengths that the saved fingerprints may have after a poll, which n8n saves if it emits */
export function listSavedLengths(before: State, after: State, emits: boolean): number[] {
	const getLength = ({ fingerprints = '' }: State) => fingerprints.length;
	return emits ? [getLength(after)] : [getLength(after), getLength(before)];
}

/** For tests only: forgets all nodes, as a restart of n8n does. */
export function forgetNodes(): void {
	memories.clear();
}
