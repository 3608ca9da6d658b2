import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../transport/failure';

/** 11 characters of base64 hold 66 bits: among 100,000 records two are alike once in 10^10 lists. */
const LENGTH = 11;

/** How many records that are gone stay known, so that one a list leaves out once is not new again. */
const GONE_KEPT = 10_000;
const MOST_KEPT = 100_000;

/**
 * The memory of a trigger: which records it has seen. The list has no timestamps, so nothing
 * less will do. It is a text of 11 bytes a record, 110 kB for 10,000 assets, in what n8n keeps
 * for the node between polls; oldest first.
 */
export interface SeenRecords {
	/** Which list of which account they were seen in: the records of another would all be new. */
	source?: string;
	marks?: string;
}

/** @returns the mark a record is known again by */
export function markOf(record: IDataObject, idField: string): string {
	const id = record[idField];
	// A download link is another one in each answer.
	const known = typeof id === 'string' ? id : JSON.stringify(id ?? { ...record, url: undefined });
	return createHash('sha256').update(known).digest('base64url').slice(0, LENGTH);
}

/** @returns the marks of a memory */
export function marksIn({ marks = '' }: SeenRecords): Set<string> {
	const set = new Set<string>();
	for (let at = 0; at < marks.length; at += LENGTH) set.add(marks.slice(at, at + LENGTH));
	return set;
}

/**
 * @param count how many records were listed so far
 * @param what what a person calls them
 * @throws Failure where they are more than the memory holds
 */
export function ensureRoom(count: number, what: string): void {
	if (count <= MOST_KEPT) return;
	const most = MOST_KEPT.toLocaleString('en');
	throw new Failure({
		happened: `There are more than ${most} ${what}, and the trigger can remember no more`,
		next: `Delete ${what} that are no longer needed in the studio application.`,
	});
}

/**
 * The memory after a poll that succeeded whole.
 *
 * @param before the marks before the poll
 * @param listed the marks of the records that were listed, oldest first where that is known
 * @param isWhole whether the list was read to its end
 * @returns every mark that was listed, and of the others the latest 10,000, or all that may
 *   still be in the part of the list that was not read
 */
export function remembered(before: Set<string>, listed: Set<string>, isWhole: boolean): string {
	const others = [...before].filter((mark) => !listed.has(mark));
	return [...others.slice(isWhole ? -GONE_KEPT : -MOST_KEPT), ...listed].join('');
}
