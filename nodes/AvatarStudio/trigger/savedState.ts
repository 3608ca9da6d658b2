import { createHash } from 'node:crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, identifyAccount, parseBaseUrl } from '../client/credential';

import type { RecordSource } from './recordSources';

/** Two hexadecimal digits show a changed key, but fit one in 256 of all possible keys. */
const KEY_CHECK_LENGTH = 2;

/** 11 characters of base64 hold 66 bits: of 10^10 lists of 100,000 records, one has a collision. */
const HASH_LENGTH = 11;

/** How many missing records stay known beside a list of new ones. */
const MAX_MISSING_KEPT = 10_000;
export const MAX_RECORDS = 100_000;

/**
 * What the trigger knows, in the data n8n keeps for the node between polls. Lists have no
 * timestamps, so nothing less will do. `fingerprints` takes 11 bytes per record (110 kB for 10,000
 * assets), oldest first.
 */
export interface SavedState {
	/** The event, filters and credential the records were selected by. */
	source?: string;
	/** Base URL and a check value of the key. */
	account?: string;
	/** What the records seen are remembered by. */
	fingerprints?: string;
	/** Records that could not be processed yet: the number of polls that tried, by fingerprint. */
	held?: Record<string, number>;
	/** When a list with the newest first was last read to its end, in milliseconds since 1970. */
	verifiedAt?: number;
}

/**
 * Identifies what the records are of: `source` is the workflow's event, filters and credential as it
 * stores them, which only publishing it changes, and n8n then saves the state; what an expression of a
 * filter returns may change at any time, such as the date. `account` is the credential's content,
 * which can change at any time.
 */
export async function identify(
	context: IPollFunctions,
	{ recordsName, filters }: RecordSource,
): Promise<Required<Pick<SavedState, 'source' | 'account'>>> {
	const setFilters = Object.entries(filters)
		.map(([name, value]) => [name, [value].flat().map(String).sort().join()])
		.filter(([, text]) => text !== '')
		.sort();
	const { id = '' } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const credential = await context.getCredentials(CREDENTIAL_TYPE);
	const digest = createHash('sha256').update(identifyAccount(credential)).digest('hex');
	return {
		source: hash(JSON.stringify([recordsName, setFilters, id])),
		account: `${parseBaseUrl(credential.baseUrl)} ${digest.slice(0, KEY_CHECK_LENGTH)}`,
	};
}

/** @returns the fingerprint that identifies a record */
export function getFingerprint(record: IDataObject, idField: string): string {
	const { [idField]: id } = record;
	const isMissing = id === undefined || id === null || id === '';
	// A download link differs in each response.
	const identity = isMissing ? { ...record, url: undefined } : id;
	return hash(typeof identity === 'string' ? identity : JSON.stringify(identity));
}

/** @returns what stands for an excluded record until it is listed with something else to compare */
export function getExclusion(fingerprint: string, { name, type, extension }: IDataObject): string {
	return hash(JSON.stringify([fingerprint, name, type, extension]));
}

function hash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

/** @returns the saved fingerprints, oldest first */
export function parseSeen({ fingerprints = '' }: SavedState): Set<string> {
	return new Set(fingerprints.match(new RegExp(`.{${HASH_LENGTH}}`, 'g')));
}

/**
 * Merges what was seen before with what a successful poll listed. Records that are missing stay
 * known, so that a list which is empty or short for once makes none of them new: the latest
 * 10,000, and any number of them until others take their place.
 *
 * @param seen what was remembered before the poll, oldest first
 * @param listed what the listed records are remembered by, oldest first if the order is known
 * @param isWholeList whether the list was read to its end
 * @returns those of all listed records, preceded by the missing ones that stay known
 */
export function mergeSeen(seen: Set<string>, listed: Set<string>, isWholeList: boolean): string {
	const missing = [...seen].filter((fingerprint) => !listed.has(fingerprint));
	const kept = isWholeList ? Math.max(MAX_MISSING_KEPT, seen.size - listed.size) : MAX_RECORDS;
	return [...missing.slice(-kept), ...listed].join('');
}
