import type { RequestError } from '../../errors/userError';

import { REJECTS_PAGE, type FetchedPage, type Prefetcher } from './prefetcher';
import { getIdentity } from './snapshot';

/** A service that counts from 1 may break at page 0, for which it computes a negative offset. */
const FAILS_AT_PAGE_ZERO = new Set([...REJECTS_PAGE, 500]);

/** @throws `rejection` unless the service responds to other requests with this address and key */
export type ConfirmEmpty = (rejection: RequestError) => Promise<void>;

/**
 * Reads the first page of a list. Page 1 is the first if it holds records and page 0 does not. Each
 * is requested twice before the list counts as empty: a single fault may not decide that. A page 0 that
 * is rejected may be there all the same: then a page 1 of one record begins with another one.
 *
 * A rejection may mean that the list is empty, the page size or a wrong address (docs/assumptions.md).
 * Pages of one record tell: if they hold any, the service is asked for half as many at a time until
 * it accepts that. The list counts as empty if they hold none, and if they are all rejected too, only
 * while the service responds otherwise.
 *
 * @returns the page and the size that was accepted, or undefined if the list is empty
 * @throws RequestError if the pages are rejected for another reason
 */
export async function findFirstPage(
	prefetcher: Prefetcher,
	{ size, firstNumber }: { size: number; firstNumber: 0 | 1 | 'auto' },
	confirmEmpty: ConfirmEmpty,
): Promise<{ page: FetchedPage; size: number } | undefined> {
	const fetch = async (number: number, pageSize: number) =>
		await prefetcher.fetch(number, pageSize, number === 0 ? FAILS_AT_PAGE_ZERO : REJECTS_PAGE);
	const find = async (numbers: number[], pageSize: number) => {
		const rejections = new Map<number, RequestError>();
		let page: FetchedPage | undefined;
		for (const number of numbers) {
			const fetched = await fetch(number, pageSize);
			const isFound = fetched.records.length > 0;
			if (isFound && (number === 0 || number === firstNumber)) return { page: fetched, rejections };
			if (page) break;
			if (isFound) page = fetched;
			if (fetched.rejection) rejections.set(number, fetched.rejection);
		}
		return { page, rejections };
	};
	const { page, rejections } = await find(
		firstNumber === 'auto' ? [0, 1, 0, 1] : [firstNumber, firstNumber],
		size,
	);
	const [rejection] = rejections.values();
	if (page && rejection) {
		const { page: shortest } = await find([page.number, page.number], 1);
		const [record] = shortest?.records ?? [];
		if (!record || getIdentity(record) !== getIdentity(page.records[0]!)) throw rejection;
	}
	if (page || !rejection) return page && { page, size };

	const smallest = await find([0, 1, 0, 1], 1);
	if (!smallest.page) {
		if (smallest.rejections.size === 2) await confirmEmpty(rejection);
		return undefined;
	}
	const number = firstNumber === 'auto' ? smallest.page.number : firstNumber;
	for (let smaller = size; smaller > 1; ) {
		smaller = Math.ceil(smaller / 2);
		const accepted = await fetch(number, smaller);
		const [record] = accepted.records;
		if (record && getIdentity(record) !== getIdentity(smallest.page.records[0]!)) break;
		if (record) return { page: accepted, size: smaller };
	}
	throw rejection;
}
