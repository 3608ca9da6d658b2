import type { IDataObject } from 'n8n-workflow';

import type { RequestError } from '../../errors/requestError';

import type { PageOptions } from './paginate';
import { REFUSES_PAGE, type Prefetcher } from './prefetcher';

/** A service that counts from 1 may break at page 0, for which it computes a negative offset. */
const FAILS_AT_PAGE_ZERO = new Set([...REFUSES_PAGE, 500]);

/** @throws `refusal` unless the service responds to other requests with this address and key */
export type AssertServiceResponds = (refusal: RequestError) => Promise<void>;

/** The first page of a list. */
export interface FirstPage {
	number: 0 | 1;
	records: IDataObject[];
}

/**
 * Reads the first page of a list. Page 1 is the first if it holds records and page 0 does not.
 * Each is requested twice before the list counts as empty: a single fault may not decide that.
 *
 * Some services refuse the pages of an empty list (docs/assumptions.md). A refusal may mean the page
 * size or a wrong address as well. So the list counts as empty only if pages of one record bring
 * none, and if they are all refused too, only while the service responds otherwise.
 *
 * @returns undefined if the list is empty
 * @throws RequestError if the pages are refused for another reason
 */
export async function findFirstPage(
	prefetcher: Prefetcher,
	{ size, first }: PageOptions,
	assertServiceResponds: AssertServiceResponds,
): Promise<FirstPage | undefined> {
	const refusals = new Map<number, RequestError>();
	const fetchRecords = async (page: 0 | 1, pageSize: number): Promise<IDataObject[]> => {
		const { records, refusal } = await prefetcher.fetch(page, pageSize, FAILS_AT_PAGE_ZERO);
		if (refusal) refusals.set(page, refusal);
		return records;
	};
	let found: FirstPage | undefined;
	for (const number of first === 'auto' ? ([0, 1, 0, 1] as const) : [first, first]) {
		const records = await fetchRecords(number, size);
		if (records.length > 0 && (number === 0 || first === 1)) return { number, records };
		if (found) return found;
		if (records.length > 0) found = { number, records };
	}
	const [refusal] = refusals.values();
	if (found || !refusal) return found;

	refusals.clear();
	for (const number of [0, 1, 0, 1] as const) {
		const records = await fetchRecords(number, 1);
		const isBroken = refusals.get(1)?.details.status === 500;
		if (isBroken || records.length > 0) throw refusal;
	}
	if (refusals.size === 2) await assertServiceResponds(refusal);
	return undefined;
}
