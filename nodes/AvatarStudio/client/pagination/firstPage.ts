import type { IDataObject } from 'n8n-workflow';

import type { RequestError } from '../../errors/requestError';

import { REFUSES_PAGE, type Prefetcher } from './prefetcher';

/** A service that counts from 1 may break at page 0, for which it computes a negative offset. */
const FAILS_AT_PAGE_ZERO = new Set([...REFUSES_PAGE, 500]);

/** @throws `refusal` unless the service responds to other requests with this address and key */
export type AssertServiceResponds = (refusal: RequestError) => Promise<void>;

/** The first page of a list. */
interface FirstPage {
	firstPage: 0 | 1;
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
 * @param first number of the first page, if it is known
 * @returns its number and its records, none if the list is empty
 * @throws RequestError if the pages are refused for another reason
 */
export async function findFirstPage(
	prefetcher: Prefetcher,
	size: number,
	first: 0 | 1 | 'auto',
	assertServiceResponds: AssertServiceResponds,
): Promise<FirstPage> {
	const [earliest, last] = first === 'auto' ? ([0, 1] as const) : [first, first];
	const refusals = new Map<number, RequestError>();
	const request = async (page: 0 | 1, pageSize = size): Promise<FirstPage> => {
		const { records, refusal } = await prefetcher.fetch(page, pageSize, FAILS_AT_PAGE_ZERO);
		if (refusal) refusals.set(page, refusal);
		return { firstPage: page, records };
	};
	let found: FirstPage = { firstPage: earliest, records: [] };
	for (let attempt = 0; attempt < 2; attempt++) {
		const page = await request(earliest);
		if (page.records.length > 0) return page;
		if (found.records.length > 0) return found;
		if (last !== earliest) found = await request(last);
	}
	const [refusal] = refusals.values();
	if (found.records.length > 0 || !refusal) return found;

	refusals.clear();
	for (const page of [0, 1, 0, 1] as const) {
		const { records } = await request(page, 1);
		const isBroken = refusals.get(1)?.details.status === 500;
		if (isBroken || records.length > 0) throw refusal;
	}
	if (refusals.size === 2) await assertServiceResponds(refusal);
	return found;
}
