import { createHash } from 'node:crypto';

import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import { CREDENTIAL_TYPE, identifyAccount } from '../client/credential';

import type { RecordSource } from './sources';

/** 11 characters of base64 hold 66 bits: of 10^10 lists of 100,000 records, one has a collision. */
const HASH_LENGTH = 11;
/** Two characters show a changed key, but fit one in 4,096 of all possible keys. */
const CHECK_LENGTH = 2;
/** How many records that are not listed stay known, which takes 1.1 MB. */
const MAX_MISSING = 100_000;

/** What n8n keeps for the node between polls. Lists have no timestamps, so nothing less will do. */
export interface State {
	/** Hash of the event, filters and credential that the workflow has. */
	watched?: string;
	/** A check value of Base URL and key, which may change within the credential. */
	account?: string;
	/** Those of the records seen, oldest first: 110 kB for 10,000 assets. */
	fingerprints?: string;
	/** Whether records are left to the next poll, anywhere in the list. */
	hasUnread?: boolean;
}

/** Hashes the filters as they are stored: what an expression returns, such as the date, may change. */
export async function identify(context: IPollFunctions, { recordsName, filters }: RecordSource) {
	const { id = '' } = context.getNode().credentials?.[CREDENTIAL_TYPE] ?? {};
	const credential = await context.getCredentials(CREDENTIAL_TYPE);
	return {
		watched: hash(JSON.stringify([recordsName, filters, id])),
		account: hash(identifyAccount(credential)).slice(0, CHECK_LENGTH),
	};
}

/** @returns what identifies a record: a hash of its ID, or else of all it holds */
export function getFingerprint(record: IDataObject, idField: string): string {
	const { [idField]: id = null } = record;
	// A download link differs in each response.
	const identity = id === null || id === '' ? { ...record, url: undefined } : id;
	return hash(typeof identity === 'string' ? identity : JSON.stringify(identity));
}

function hash(text: string): string {
	return createHash('sha256').update(text).digest('base64url').slice(0, HASH_LENGTH);
}

export function parseFingerprints({ fingerprints = '' }: State): Set<string> {
	return new Set(fingerprints.match(new RegExp(`.{${HASH_LENGTH}}`, 'g')));
}

/** What is not listed stays known: no record is new again because a list is short for once. */
export function mergeFingerprints(seen: Set<string>, listed: string[]): string {
	const present = new Set(listed);
	const missing = [...seen].filter((fingerprint) => !present.has(fingerprint));
	return [...missing.slice(-MAX_MISSING), ...listed].join('');
}
