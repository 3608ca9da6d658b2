import type { RequestError } from '../../errors/requestError';

import type { PageOptions } from './paginate';
import { REFUSES_PAGE, type FetchedPage, type Prefetcher } from './prefetcher';

/** A service that counts from 1 may break at page 0, for which it computes a negative offset. */
const FAILS_AT_PAGE_ZERO = new Set([...REFUSES_PAGE, 500]);

/** @throws `refusal` unless the service responds to other requests with this address and key */
export type AssertServiceResponds = (refusal: RequestError) => Promise<void>;

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
): Promise<FetchedPage | undefined> {
	const fetch = async (number: number, pageSize: number) =>
		await prefetcher.fetch(number, pageSize, number === 0 ? FAILS_AT_PAGE_ZERO : REFUSES_PAGE);
	let found: FetchedPage | undefined;
	let refusal: RequestError | undefined;
	for (const number of first === 'auto' ? [0, 1, 0, 1] : [first, first]) {
		const page = await fetch(number, size);
		if (page.records.length > 0 && (number === 0 || first === 1)) return page;
		if (found) return found;
		if (page.records.length > 0) found = page;
		refusal ??= page.refusal;
	}
	if (found || !refusal) return found;

	const refusedPages = new Set<number>();
	for (const number of [0, 1, 0, 1]) {
		const page = await fetch(number, 1);
		if (page.records.length > 0) throw refusal;
		if (page.refusal) refusedPages.add(number);
	}
	if (refusedPages.size === 2) await assertServiceResponds(refusal);
	return undefined;
}
