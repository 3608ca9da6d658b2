/** How the service divides a list into pages, as far as is known. */
export interface PageLayout {
	/** The number of the first page. */
	firstNumber: number;
	/** The page size to request. */
	size: number;
	/** How many records a page holds, as the longest one had: the service may cap the size. */
	capacity: number;
	/** Whether the service honors smaller sizes, so that pages can overlap. */
	canOverlap: boolean;
}

export interface PlannedPage {
	number: number;
	size: number;
	/** Position of its first record in the list. */
	offset: number;
	/** How many records it holds if it is full. */
	capacity: number;
}

/**
 * Plans the page to read on with at a position. If possible it begins with a record before that: of
 * the sizes that divide the list so, the one with the most new records.
 */
export function planPage(position: number, layout: PageLayout): PlannedPage {
	const { firstNumber, size, capacity, canOverlap } = layout;
	const number = firstNumber + Math.ceil(position / capacity);
	let page: PlannedPage = { number, size, offset: position, capacity };
	let mostNew = 0;
	for (let smaller = canOverlap ? capacity : 0; smaller > mostNew + 1; smaller--) {
		const overlap = position % smaller;
		if (overlap === 0 || smaller - overlap <= mostNew) continue;
		mostNew = smaller - overlap;
		const offset = position - overlap;
		page = { number: firstNumber + offset / smaller, size: smaller, offset, capacity: smaller };
	}
	return page;
}
