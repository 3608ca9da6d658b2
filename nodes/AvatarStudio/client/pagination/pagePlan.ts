/** A page to request. */
export interface PlannedPage {
	/** Its number, counted from 0. */
	index: number;
	/** The page size to request. */
	size: number;
	/** Position of its first record in the list. */
	offset: number;
	/** How many records it holds if it is full. */
	length: number;
}

/**
 * Plans the page that reads on at position `end`. It begins with a record before `end`: of all
 * sizes that divide the list so, the one that brings most.
 *
 * @param maxSize the largest size the service honours
 * @returns undefined if every size up to the largest divides `end`, as only small ones do
 */
export function planOverlappingPage(end: number, maxSize: number): PlannedPage | undefined {
	let planned: PlannedPage | undefined;
	for (let size = maxSize; size > 1; size--) {
		const overlap = end % size;
		const brings = planned ? planned.offset + planned.size - end : 0;
		if (brings >= size - 1) break;
		if (overlap === 0 || size - overlap <= brings) continue;
		planned = { index: Math.floor(end / size), size, offset: end - overlap, length: size };
	}
	return planned;
}

/** Plans the page after `end` positions in a list that is cut into pages of one length. */
export function planNextPage(end: number, size: number, length: number): PlannedPage {
	return { index: Math.ceil(end / length), size, offset: end, length };
}
