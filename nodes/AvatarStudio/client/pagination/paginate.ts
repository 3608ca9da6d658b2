import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../errors/requestError';

import { findFirstPage, type AssertServiceResponds } from './firstPage';
import { planNextPage, planOverlappingPage, type PlannedPage } from './pagePlan';
import { Prefetcher, type FetchedPage, type FetchPage } from './prefetcher';
import { Reading } from './reading';

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
	/** Take a list as it comes although it changes meanwhile, because it will be read again. */
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
 *   records were deleted: the list is read again from the page before it;
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
	const seen = new Set<string>();
	const paginator = new Paginator(fetchPage, options, assertServiceResponds);
	try {
		let remaining = options.limit;
		let records: IDataObject[] | undefined = await paginator.start();
		while (records) {
			const unseen = records.filter((record) => {
				const { size } = seen;
				return seen.add(getIdentity(record)).size > size;
			});
			if (unseen.length > 0) yield unseen.slice(0, remaining);
			remaining -= unseen.length;
			records = remaining > 0 ? await paginator.next(remaining) : undefined;
		}
	} finally {
		paginator.stop();
	}
}

class Paginator {
	private readonly prefetcher: Prefetcher;

	/** The first page known to hold records. */
	private earliestPage: 0 | 1 = 0;

	/** The first page, as far as this reading shows: page 0 may be the same as page 1. */
	private firstPage: 0 | 1 = 0;

	private isFirstPageKnown = true;

	/** How many records a full page has: the service may cap the size. */
	private length = 0;

	private canOverlap = true;

	/** Whether pages could overlap, but too many of them did not continue the list. */
	private hasGivenUp = false;

	private isLastFull = false;

	private reading = new Reading();

	private previous?: Reading;

	private readings = 1;

	private setbacks = 0;

	private mostRead = 0;

	private isEnded = false;

	constructor(
		fetchPage: FetchPage,
		private readonly options: PageOptions,
		private readonly assertServiceResponds: AssertServiceResponds,
	) {
		this.prefetcher = new Prefetcher(fetchPage);
	}

	/** Reads the first page. */
	async start(): Promise<IDataObject[]> {
		const { size, first } = this.options;
		const { firstPage, records } = await findFirstPage(
			this.prefetcher,
			size,
			first,
			this.assertServiceResponds,
		);
		this.earliestPage = firstPage;
		this.resetFirstPage();
		this.length = records.length;
		this.canOverlap = records.length <= size;
		this.isLastFull = records.length === size;
		this.isEnded = records.length === 0;
		this.reading.add(records.map(getIdentity), 0);
		return records;
	}

	/**
	 * Reads one more page.
	 *
	 * @returns its records, known ones as well, or undefined after the end
	 */
	async next(remaining: number): Promise<IDataObject[] | undefined> {
		if (this.isEnded) return undefined;
		const { size, prefetch = PREFETCH } = this.options;
		// The page after one that is not full is probably the last.
		const isLong = this.isLastFull && (this.length === size || this.reading.end > this.length);
		const count =
			isLong && this.isFirstPageKnown ? Math.min(prefetch, Math.ceil(remaining / this.length)) : 1;
		const plan = (end: number) => this.plan(end);
		const fetched = await this.prefetcher.next(this.reading.end, count, plan, this.firstPage);
		this.isEnded = this.readPage(fetched);
		return fetched.records;
	}

	stop(): void {
		this.prefetcher.discard();
	}

	private plan(end: number): PlannedPage {
		const overlapping = this.canOverlap ? planOverlappingPage(end, this.length) : undefined;
		return overlapping ?? planNextPage(end, this.options.size, this.length);
	}

	/** @returns whether the list ends with this page */
	private readPage({ page, records, refusal }: FetchedPage & { page: PlannedPage }): boolean {
		const { reading } = this;
		const identities = records.map(getIdentity);
		if (this.repeatsFirstPage(page, identities)) return false;
		if (records.length > page.size) this.canOverlap = false;
		this.length = Math.max(this.length, records.length);

		const isOverlapping = this.canOverlap && page.offset < reading.end;
		const isFull = records.length === page.length;
		const isAccepted = this.options.acceptsGaps && records.length > 0;
		if (isOverlapping && !isAccepted && !reading.isContinuedBy(identities, isFull)) {
			reading.stepBack(page.offset);
			this.isLastFull = false;
		} else {
			// A service that limits how many records can be read refuses as well, after full pages.
			const hasFullPages = this.length === this.options.size || reading.end > this.length;
			if (refusal && this.isLastFull && (hasFullPages || this.hasGivenUp)) throw refusal;
			const added = reading.add(identities, isOverlapping ? page.offset : reading.end);
			this.isLastFull = isFull;
			if (added === 0 && !(isOverlapping && isFull)) {
				return this.endReading(isOverlapping || records.length > page.size);
			}
			this.isFirstPageKnown ||= page.index > 0;
		}
		if (!this.isLastFull) this.prefetcher.discard();
		this.countSetbacks();
		return false;
	}

	/** A service that counts from 1 may respond to page 0 with page 1. */
	private repeatsFirstPage({ index, length }: PlannedPage, [identity]: string[]): boolean {
		const isRepeated = this.reading.getPosition(identity) === (index - 1) * length;
		if (this.isFirstPageKnown || !isRepeated) return false;
		this.firstPage = 1;
		this.isFirstPageKnown = true;
		this.prefetcher.discard();
		return true;
	}

	private countSetbacks(): void {
		const { length } = this.reading.identities;
		this.setbacks = length > this.mostRead ? 0 : this.setbacks + 1;
		this.mostRead = Math.max(this.mostRead, length);
		if (this.setbacks <= MAX_SETBACKS) return;
		this.canOverlap = false;
		this.hasGivenUp = true;
		this.readAgain(undefined);
	}

	/** @param isProven whether the last page overlaps or, of a service without pages, is all pages */
	private endReading(isProven: boolean): boolean {
		const { reading, previous } = this;
		if ((isProven && reading.hasOverlaps) || this.options.acceptsGaps) return true;
		if (previous && reading.equals(previous)) return true;
		this.readAgain(reading);
		return false;
	}

	/** @param previous the reading to compare the next one with, if it reached an end */
	private readAgain(previous: Reading | undefined): void {
		if (++this.readings > MAX_READINGS) {
			throw new RequestError(
				'The list changed each time it was read',
				'Run the node again. If this keeps happening, set a larger Page Size, so that fewer requests are needed.',
			);
		}
		this.prefetcher.discard();
		this.previous = previous;
		this.reading = new Reading();
		this.mostRead = 0;
		this.setbacks = 0;
		this.isLastFull = false;
		this.resetFirstPage();
	}

	private resetFirstPage(): void {
		this.firstPage = this.earliestPage;
		this.isFirstPageKnown = this.options.first !== 'auto' || this.firstPage === 1;
	}
}

/** A download link differs in each response, at least in its query. */
function getIdentity({ id, url, ...rest }: IDataObject): string {
	if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
	return JSON.stringify({ ...rest, url: typeof url === 'string' ? url.split('?')[0] : url });
}
