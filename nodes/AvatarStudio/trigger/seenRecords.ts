import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../transport/errors/requestError';

/** 11 characters of base64 hold 66 bits: among 100,000 records two are alike once in 10^10 lists. */
const FINGERPRINT_LENGTH = 11;

/** How many records that are gone stay known, so that one a list leaves out once is not new again. */
const MAX_MISSING_KEPT = 10_000;
const MAX_RECORDS = 100_000;

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
export function getFingerprint(record: IDataObject, idField: string): string {
	const id = record[idField];
	// A download link is another one in each answer.
	const known = typeof id === 'string' ? id : JSON.stringify(id ?? { ...record, url: undefined });
	return createHash('sha256').update(known).digest('base64url').slice(0, FINGERPRINT_LENGTH);
}

/** @returns the marks of a memory */
export function parseFingerprints({ marks = '' }: SeenRecords): Set<string> {
	const set = new Set<string>();
	for (let at = 0; at < marks.length; at += FINGERPRINT_LENGTH)
		set.add(marks.slice(at, at + FINGERPRINT_LENGTH));
	return set;
}

/**
 * @param count how many records were listed so far
 * @param what what a person calls them
 * @throws Failure where they are more than the memory holds
 */
export function assertWithinLimit(count: number, what: string): void {
	if (count <= MAX_RECORDS) return;
	const most = MAX_RECORDS.toLocaleString('en');
	throw new RequestError({
		message: `There are more than ${most} ${what}, and the trigger can remember no more`,
		hint: `Delete ${what} that are no longer needed in the studio application.`,
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
export function mergeSeen(before: Set<string>, listed: Set<string>, isWhole: boolean): string {
	const others = [...before].filter((mark) => !listed.has(mark));
	return [...others.slice(isWhole ? -MAX_MISSING_KEPT : -MAX_RECORDS), ...listed].join('');
}
