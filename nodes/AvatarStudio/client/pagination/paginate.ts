import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../errors/requestError';

import { findFirstPage, type AssertServiceResponds, type FirstPage } from './findFirstPage';
import { planPage, type PageLayout, type PlannedPage } from './planPage';
import { Prefetcher, type FetchPage } from './prefetcher';
import { Snapshot } from './snapshot';

const PREFETCH = 4;

/** How many pages in a row may fail to continue a list before it is read without overlaps. */
const MAX_SETBACKS = 3;
const MAX_READINGS = 5;

export interface PageOptions {
	/** Records to request per page. */
	size: number;
	/** Number of the first page; 'auto' detects it. */
	first: 0 | 1 | 'auto';
	/** How many records are wanted in all. */
	limit: number;
	/** Number of pages in flight at a time, counting the one awaited; 4 by default. */
	prefetch?: number;
	/** Take the first end that is reached although it is unproven, because the list will be read again. */
	acceptsGaps?: boolean;
}

/**
 * Reads a paginated list and yields each record once, as the pages arrive.
 *
 * `service/openapi.yaml` states neither the number of the first page nor the largest page size nor
 * the order nor how a list ends, and lists change while they are read (docs/assumptions.md). One
 * rule covers all of that: each page begins with a record of the page before it. So pages are
 * requested in sizes that overlap, and
 * - a page that does not begin so is no end, whether it is empty, refused or moved on because
 *   records were deleted: the reading goes back by a page;
 * - no page beyond the last is needed: the list ends with a page that holds only known records
 *   and has room for more.
 * Pages of a few records cannot overlap, nor can those of a service that ignores the page size.
 * Such a list is read until two readings agree.
 *
 * @yields the new records of each page, never an empty array, at most `limit` in all
 * @throws RequestError if a page is refused, or the list changes in each reading
 */
export async function* paginate(
	fetchPage: FetchPage,
	options: PageOptions,
	assertServiceResponds: AssertServiceResponds,
): AsyncGenerator<IDataObject[], void> {
	const prefetcher = new Prefetcher(fetchPage);
	try {
		const firstPage = await findFirstPage(prefetcher, options, assertServiceResponds);
		if (firstPage) yield* new Paginator(prefetcher, options, firstPage).read();
	} finally {
		prefetcher.discard();
	}
}

/**
 * How a reading ends:
 * - complete: each page overlapped the one before it, up to the end or the limit;
 * - unproven: no more records came, but between pages some may be missing;
 * - broken: its pages did not continue each other.
 */
type ReadingEnd = 'complete' | 'unproven' | 'broken';

class Paginator {
	private readonly seen = new Set<string>();

	private readonly layout: PageLayout;

	/** Whether the longest page was a full one; a single page may be the whole list. */
	private isLengthKnown: boolean;

	private readonly plan = (position: number): PlannedPage => planPage(position, this.layout);

	constructor(
		private readonly prefetcher: Prefetcher,
		private readonly options: PageOptions,
		private readonly first: FirstPage,
	) {
		const { length } = first.records;
		const { size } = options;
		this.layout = { firstPage: first.number, size, length, canOverlap: true };
		this.isLengthKnown = length === size;
		prefetcher.add(this.plan(0), Promise.resolve(first));
	}

	async *read(): AsyncGenerator<IDataObject[], void> {
		let previous: Snapshot | undefined;
		for (let readings = 0; readings < MAX_READINGS; readings++) {
			const snapshot = new Snapshot();
			const end = yield* this.readOnce(snapshot);
			if (end === 'complete') return;
			if (end === 'unproven' && (this.options.acceptsGaps || previous?.equals(snapshot))) return;
			previous = end === 'unproven' ? snapshot : undefined;
		}
		throw new RequestError(
			'The list changed each time it was read',
			'Run the node again. If this keeps happening, set a larger Page Size, so that fewer requests are needed.',
		);
	}

	private async *readOnce(snapshot: Snapshot): AsyncGenerator<IDataObject[], ReadingEnd> {
		const { layout } = this;
		layout.firstPage = this.first.number;
		let isLastFull = false;
		let setbacks = 0;
		while (setbacks <= MAX_SETBACKS) {
			const remaining = this.options.limit - this.seen.size;
			if (remaining <= 0) return 'complete';
			const page = this.plan(snapshot.position);
			// The page after one that is not full is probably the last.
			const isLong = isLastFull && snapshot.position > layout.length;
			const { prefetch = PREFETCH } = this.options;
			const count = isLong ? Math.min(prefetch, Math.ceil(remaining / layout.length)) : 1;
			const { records, refusal } = await this.prefetcher.next(page, count, this.plan);
			const identities = records.map(getIdentity);
			const unseen = records.filter((_, at) => {
				const { size } = this.seen;
				return this.seen.add(identities[at]!).size > size;
			});
			if (unseen.length > 0) yield unseen.slice(0, remaining);

			// A service that counts from 1 may respond to page 0 with page 1.
			if (layout.firstPage === 0 && page.number === 1 && snapshot.startsWith(identities[0])) {
				layout.firstPage = 1;
				continue;
			}
			if (records.length > page.size) layout.canOverlap = false;
			layout.length = Math.max(layout.length, records.length);
			const isOverlapping = layout.canOverlap && page.offset < snapshot.end;
			const isFull = records.length === page.length;
			if (isOverlapping && !snapshot.isContinuedBy(identities, isFull)) {
				snapshot.stepBack(layout.length);
				isLastFull = false;
				setbacks++;
				continue;
			}
			// A service that limits how many records can be read refuses as well, after full pages.
			if (refusal && isLastFull) throw refusal;
			const added = snapshot.add(identities, isOverlapping ? page.offset : snapshot.position);
			if (added === 0 && !(isOverlapping && isFull)) {
				const isProven = isOverlapping || records.length > page.size;
				return isProven && snapshot.hasOverlaps ? 'complete' : 'unproven';
			}
			this.isLengthKnown ||= snapshot.position > layout.length;
			isLastFull = isFull && this.isLengthKnown;
			setbacks = added > 0 && page.offset > 0 ? 0 : setbacks + 1;
		}
		layout.canOverlap = false;
		this.isLengthKnown = true;
		return 'broken';
	}
}

/** A download link differs in each response, at least in its query. */
function getIdentity({ id, url, ...rest }: IDataObject): string {
	if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
	return JSON.stringify({ ...rest, url: typeof url === 'string' ? url.split('?')[0] : url });
}
