import type { IDataObject } from 'n8n-workflow';

import type { Prefetcher } from './prefetcher';

/** How a service that counts from 1 may respond to page 0; a negative offset may break it. */
const REFUSES_PAGE_ZERO = new Set([400, 404, 416, 422, 500]);

/**
 * Reads the first page of a list. Page 1 is the first if it holds records and page 0 does not,
 * asked before and after it: a single fault may not decide where a list starts, nor that it is
 * empty.
 *
 * @param first number of the first page, if it is known
 * @returns its number and its records, none if the list is empty
 * @throws RequestError if each of the two pages is refused once
 */
export async function findFirstPage(
	prefetcher: Prefetcher,
	size: number,
	first: 0 | 1 | 'auto',
): Promise<{ firstPage: 0 | 1; records: IDataObject[] }> {
	if (first !== 'auto') {
		let { records } = await prefetcher.fetch(first, size, new Set());
		if (records.length === 0) ({ records } = await prefetcher.fetch(first, size, new Set()));
		return { firstPage: first, records };
	}
	const ask = async (page: 0 | 1) => {
		const fetched = await prefetcher.fetch(page, size, REFUSES_PAGE_ZERO);
		return { firstPage: page, ...fetched };
	};
	const zero = await ask(0);
	if (zero.records.length > 0) return zero;
	const one = await ask(1);
	const zeroAgain = await ask(0);
	if (zeroAgain.records.length > 0) return zeroAgain;
	if (one.records.length > 0) return one;
	const oneAgain = await ask(1);
	if (oneAgain.records.length > 0) return oneAgain;

	const refusal = zero.refusal ?? zeroAgain.refusal;
	if (refusal && (one.refusal ?? oneAgain.refusal)) throw refusal;
	return { firstPage: 0, records: [] };
}
