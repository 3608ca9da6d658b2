import { createHash } from 'node:crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { CREDENTIAL_TYPE } from '../client/credential';
import { identifyRecord } from '../client/page';

/** 11 characters of base64 hold 66 bits: of 10^10 lists of 100,000 records, one has a collision. */
const HASH_LENGTH = 11;
/** Two characters show that a key changed, except one time in 4,096, but do not identify the key. */
const CHECK_LENGTH = 2;
/** How many records stay known although the last poll did not find them, which takes 1.1 MB. */
const MAX_MISSING = 100_000;

/** Whose records the trigger watches, and which. */
export interface Identity {
	/** Hash of what the workflow says: event, filters, and which credential. */
	watched: string;
	/** A check value of what is in that credential, by `identifyAccount`: it changes with what is sent, such as the key. */
	account: string;
}

/** What is known of the records that are left to the next poll. */
export interface Unread {
	/**
	 * When reading a record first failed, in milliseconds since 1970, by its fingerprint. The record that
	 * was tried last stands last.
	 */
	failedSince?: Record<string, number | undefined>;
	/** The fingerprint of the record during which time ran out, unless it had the whole poll to itself. */
	cutShort?: string;
}

/** What an event keeps of records, by their fingerprints, which are hashes: see `Change.keep`. */
export type Kept = Record<string, IDataObject>;

/** What n8n keeps for the node between polls. Lists have no timestamps, so nothing less will do. */
export interface State extends Partial<Identity>, Unread {
	/** The fingerprints of the records seen, joined as `mergeFingerprints` does: 110 kB for 10,000 assets. */
	fingerprints?: string;
	kept?: Kept;
}

/**
 * @param event the value of the event, not its label: both name the same records
 * @returns hashes of what the workflow stores. The filters count as they are stored, because what an
 *   expression in them returns may change, such as the date; their order does not count
 */
export async function identify(client: Client<IPollFunctions>, event: string): Promise<Identity> {
	const { credentials, parameters } = client.context.getNode();
	const { id = '' } = credentials?.[CREDENTIAL_TYPE] ?? {};
	const filters = Object.entries(parameters.filters ?? {}).sort();
	return {
		watched: hash(JSON.stringify([event, filters, id])),
		account: hash(await client.identifyAccount()).slice(0, CHECK_LENGTH),
	};
}

/** @returns a hash of what a record is known by, without its link, because each poll gets another */
export function getFingerprint(record: IDataObject, idField: string): string {
	return hash(identifyRecord({ ...record, url: undefined }, idField));
}

function hash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

export function parseFingerprints({ fingerprints = '' }: State): Set<string> {
	return new Set(fingerprints.match(new RegExp(`.{${HASH_LENGTH}}`, 'g')));
}

/**
 * Records that a poll did not find stay known, so that none is new again because a list was short for
 * once.
 *
 * @param settled the fingerprints of the listed records, without those that are left to the next poll
 * @returns the fingerprints for the state, in the order in which they will be forgotten
 */
export function mergeFingerprints(seen: Set<string>, settled: string[]): string {
	const present = new Set(settled);
	const missing = [...seen].filter((fingerprint) => !present.has(fingerprint));
	return [...missing.slice(-MAX_MISSING), ...settled].join('');
}

/** @returns the fingerprints for the state after a poll that did not see the whole list */
export function addFingerprints({ fingerprints = '' }: State, settled: string[]): string {
	return [fingerprints, ...settled].join('');
}

/**
 * Sorts records so that none that takes all the time keeps the others from their turn for good:
 * - First comes the one that was cut short, which then has all the time. If it fails nevertheless, it is
 *   not cut short, so the others come first in the poll after that.
 * - Then come those that were never tried, in their order.
 * - Last come those that failed, beginning with the one that was tried the longest time ago.
 */
export function sortByTurn<T>(
	records: [fingerprint: string, T][],
	{ failedSince = {}, cutShort }: Unread,
): [fingerprint: string, T][] {
	const failed = Object.keys(failedSince);
	const turns = new Map(failed.map((fingerprint, index) => [fingerprint, index + 1]));
	if (cutShort !== undefined) turns.set(cutShort, -1);
	const getTurn = ([fingerprint]: [string, T]) => turns.get(fingerprint) ?? 0;
	return [...records].sort((one, other) => getTurn(one) - getTurn(other));
}
