import { RequestError } from '../errors/userError';

import { MAX_ITEMS } from './response/response';

/** The requests that 100,000 records take if the service caps its pages at 20. */
const MAX_REQUESTS = 5_000;
/** The most characters of all responses together: 100,000 records take fewer, some 50 million. */
const MAX_LIST_LENGTH = 64 * 1024 * 1024;

/** What was read of a list so far: `length` is that of all responses, in characters. */
export interface ListTotal {
	requests: number;
	length: number;
	records: number;
}

/** Ends the reading of a list that may have no end, or would take too much memory. */
export function assertBounded({ requests, length, records }: ListTotal, property: string): void {
	if (requests <= MAX_REQUESTS && length <= MAX_LIST_LENGTH && records <= MAX_ITEMS) return;
	throw new RequestError(
		`There are more ${property} than the node reads: 100,000, or 64 MB in 5,000 pages`,
		'If they are looked up by name, use an ID. Otherwise set a Limit without filters, or a larger Page Size.',
		{ code: 'rejected' },
	);
}
