import type { IDataObject } from 'n8n-workflow';

import { mayReject } from '../errors/statuses';
import type { RequestError } from '../errors/userError';

/** One page of a list. */
export interface Page {
	number: number;
	records: IDataObject[];
	/** What each record is known by. */
	identities: string[];
	/** Why the service rejected the page, which then has no records. */
	rejection?: RequestError;
}

/** Requests a page of at most `size` records; throws RequestError if it is rejected. */
export type FetchPage = (page: number, size: number) => Promise<IDataObject[]>;

/** The same, but a page that is rejected has no records and says why. Other errors are thrown. */
export type ReadPage = (number: number, size: number) => Promise<Page>;

export function toReadPage(fetchPage: FetchPage): ReadPage {
	return async (number, size) => {
		try {
			return createPage(number, await fetchPage(number, size));
		} catch (thrown) {
			const error = thrown as RequestError;
			const status = error.details?.status;
			const isPageZeroRejected = number === 0 && mayReject('pageZero', status);
			if (!isPageZeroRejected && !mayReject('page', status)) throw error;
			return { ...createPage(number, []), rejection: error };
		}
	};
}

function createPage(number: number, records: IDataObject[]): Page {
	return { number, records, identities: records.map((record) => identifyRecord(record)) };
}

/** @returns whether two pages hold the same records, in any order */
export function hasSameRecords(identities: string[], previous: string[]): boolean {
	const known = new Set(previous);
	return identities.length === previous.length && identities.every((it) => known.has(it));
}

/** Adds the identities of a page to those seen, and returns the records that were not among them. */
export function takeUnseen({ records, identities }: Page, seen: Set<string>): IDataObject[] {
	const unseen: IDataObject[] = [];
	for (const [index, record] of records.entries()) {
		const identity = identities[index]!;
		if (!seen.has(identity)) unseen.push(record);
		seen.add(identity);
	}
	return unseen;
}

/**
 * @returns what a record is known by: its ID, or else all it holds, without the query of its link,
 *   which differs in each response
 */
export function identifyRecord(record: IDataObject, idField = 'id'): string {
	const { [idField]: id, url } = record;
	if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
	return JSON.stringify({ ...record, url: typeof url === 'string' ? url.split('?')[0] : url });
}
