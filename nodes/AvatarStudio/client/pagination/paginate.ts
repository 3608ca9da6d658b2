import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../errors/userError';

import { findFirstPage, type ConfirmEmpty } from './findFirstPage';
import { planPage, type PageLayout } from './planPage';
import { Prefetcher, type FetchPage } from './prefetcher';
import { getIdentity, Snapshot } from './snapshot';

const PREFETCH = 4;

/** How many pages in a row may fail to continue a list before it is read without overlaps. */
const MAX_SETBACKS = 3;
const MAX_READINGS = 5;

export interface PageOptions {
	/** Records to request per page. */
	size: number;
	/** Number of the first page; 'auto' detects it. */
	firstNumber: 0 | 1 | 'auto';
	/** How many records are wanted in all. */
	limit: number;
	/** Number of pages in flight at a time, counting the one awaited; 4 by default. */
	prefetch?: number;
	/** Take the first end that is reached, even an unproven one: the trigger reads again, a picker can bear it. */
	acceptsGaps?: boolean;
}

/**
 * How a reading of the list ends:
 * - complete: each page overlapped the one before it, up to the end;
 * - unproven: no more records came, but some may be missing between pages;
 * - broken: its pages did not continue each other.
 */
type ReadingEnd = 'complete' | 'unproven' | 'broken';

interface Reading {
	end: ReadingEnd;
	layout: PageLayout;
	/** Why the first page did not come. */
	rejection?: RequestError;
}

/**
 * Reads a paginated list and yields each record once, as the pages arrive.
 *
 * `service/openapi.yaml` states neither the number of the first page nor the largest page size nor
 * the order nor how a list ends, and lists change while they are read (docs/assumptions.md). One
 * rule covers all of that: each page begins with a record of the page before it. So pages are
 * requested in sizes that overlap, and
 * - a page that does not begin so is no end, whether it is empty, rejected or moved on because
 *   records were deleted: the reading goes back by a page;
 * - no page beyond the last is needed: the list ends with a page that holds only known records
 *   and has room for more.
 * Pages of a few records cannot overlap, nor can those of a service that ignores the page size.
 * Such a list is read until two readings agree, unless each response holds the whole list.
 *
 * @yields the new records of each page, never an empty array, at most `limit` in all
 * @throws RequestError if a page is rejected, or the list changes in each reading
 */
export async function* paginate(
	fetchPage: FetchPage,
	options: PageOptions,
	confirmEmpty: ConfirmEmpty,
): AsyncGenerator<IDataObject[], void> {
	const prefetcher = new Prefetcher(fetchPage);
	const seen = new Set<string>();
	let remaining = options.limit;
	try {
		for await (const records of readPages(prefetcher, options, confirmEmpty)) {
			const unseen = records.filter((record) => {
				const { size } = seen;
				return seen.add(getIdentity(record)).size > size;
			});
			if (unseen.length > 0) yield unseen.slice(0, remaining);
			remaining -= unseen.length;
			if (remaining <= 0) return;
		}
	} finally {
		prefetcher.discard();
	}
}

/** Reads the list until a reading is complete or two agree. */
async function* readPages(
	prefetcher: Prefetcher,
	options: PageOptions,
	confirmEmpty: ConfirmEmpty,
): AsyncGenerator<IDataObject[], void> {
	const found = await findFirstPage(prefetcher, options, confirmEmpty);
	if (!found) return;
	const { page: firstPage, size } = found;
	const { number: firstNumber, records } = firstPage;
	let layout: PageLayout = { firstNumber, size, capacity: records.length, canOverlap: true };
	// The first reading begins with it.
	prefetcher.add(planPage(0, layout), Promise.resolve(firstPage));

	let previous: Snapshot | undefined;
	let rejection: RequestError | undefined;
	for (let readings = 0; readings < MAX_READINGS; readings++) {
		const snapshot = new Snapshot();
		// That page 0 looked like page 1 may have been a change of the list.
		const reading = yield* readOnce(prefetcher, options, { ...layout, firstNumber }, snapshot);
		const { end } = reading;
		({ layout, rejection } = reading);
		if (end === 'complete') return;
		if (end === 'unproven' && (options.acceptsGaps || previous?.equals(snapshot))) return;
		previous = end === 'unproven' ? snapshot : undefined;
	}
	if (rejection) throw rejection;
	throw new RequestError(
		'The list changed each time it was read',
		'Run the node again. If this keeps happening, set a larger Page Size, so that fewer requests are needed.',
		{ code: 'rejected' },
	);
}

async function* readOnce(
	prefetcher: Prefetcher,
	{ limit, prefetch = PREFETCH }: PageOptions,
	initialLayout: PageLayout,
	snapshot: Snapshot,
): AsyncGenerator<IDataObject[], Reading> {
	let layout = initialLayout;
	let isLastFull = false;
	let setbacks = 0;
	while (setbacks <= MAX_SETBACKS) {
		const { position } = snapshot;
		// The page after one that is not full is probably the last.
		const shouldPrefetch = isLastFull && position > layout.capacity;
		const pagesLeft = Math.max(1, Math.ceil((limit - position) / layout.capacity));
		const count = shouldPrefetch ? Math.min(prefetch, pagesLeft) : 1;
		const { page, records, rejection } = await prefetcher.next(position, count, layout);
		// Whether or not the page continues the list, its records are in it.
		yield records;

		const identities = records.map(getIdentity);
		// A service that counts from 1 may respond to page 0 with page 1.
		if (layout.firstNumber === 0 && page.number === 1 && snapshot.startsWith(identities[0])) {
			layout = { ...layout, firstNumber: 1 };
			continue;
		}
		layout = {
			...layout,
			capacity: Math.max(layout.capacity, records.length),
			canOverlap: layout.canOverlap && records.length <= page.size,
		};
		const isOverlapping = layout.canOverlap && snapshot.overlaps(page.offset);
		const isFull = records.length === page.capacity;
		if (isOverlapping && !snapshot.isContinuedBy(identities, isFull)) {
			snapshot.stepBack(layout.capacity);
			isLastFull = false;
			setbacks++;
			continue;
		}
		// A service that limits how many records can be read rejects as well, after full pages.
		if (rejection && isLastFull) throw rejection;
		// The list began with records, so this is no end: another reading tells.
		if (records.length === 0 && position === 0) return { end: 'broken', layout, rejection };
		const added = snapshot.add(identities, page.offset);
		if (added === 0 && !(isOverlapping && isFull)) {
			const isProven = isOverlapping || records.length > page.size;
			return { end: isProven && !snapshot.hasGap ? 'complete' : 'unproven', layout };
		}
		// A single page may be the whole list.
		const isCapacityKnown = layout.capacity === layout.size || snapshot.position > layout.capacity;
		isLastFull = isFull && isCapacityKnown;
		setbacks = added > 0 && page.offset > 0 ? 0 : setbacks + 1;
	}
	return { end: 'broken', layout: { ...layout, canOverlap: false, size: layout.capacity } };
}
