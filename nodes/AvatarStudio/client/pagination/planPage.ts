/** How a service divides a list into pages, as far as is known. */
export interface PageLayout {
	/** Number of the first page. */
	firstPage: 0 | 1;
	/** The page size to request. */
	size: number;
	/** How many records the longest page had: the service may cap the size. */
	length: number;
	/** Whether the service honors every size up to that length, so that pages can overlap. */
	canOverlap: boolean;
}

/** A page to request. */
export interface PlannedPage {
	number: number;
	/** The page size to request. */
	size: number;
	/** Position of its first record in the list. */
	offset: number;
	/** How many records it holds if it is full. */
	length: number;
}

/**
 * Plans the page that reads on at a position. If possible it begins with a record before that: of
 * the sizes that divide the list so, the one with the most new records. Only small positions can be
 * divided by every size.
 */
export function planPage(
	position: number,
	{ firstPage, size, length, canOverlap }: PageLayout,
): PlannedPage {
	const number = firstPage + Math.ceil(position / length);
	let page: PlannedPage = { number, size, offset: position, length };
	let mostNew = 0;
	for (let smaller = canOverlap ? length : 0; smaller > mostNew + 1; smaller--) {
		const overlap = position % smaller;
		if (overlap === 0 || smaller - overlap <= mostNew) continue;
		mostNew = smaller - overlap;
		const offset = position - overlap;
		page = { number: firstPage + offset / smaller, size: smaller, offset, length: smaller };
	}
	return page;
}
