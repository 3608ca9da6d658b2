import type { IDataObject } from 'n8n-workflow';

import { hasSameRecords, takeUnseen, type Page } from './page';

/** How the records of a list are spread over its pages, as a read to its end found them. */
export interface ListLayout {
	/** The number of the first page. */
	firstNumber: number;
	/** The size that pages were requested with. */
	size: number;
	/** How many records a full page has: fewer than requested if the service caps its pages. */
	pageLength: number;
	/** How many records there are. */
	count: number;
	/** Whether each page but the last one is full, so that the last one tells the number of records. */
	isRegular: boolean;
}

/** What was read of a list so far. */
export class ListProgress {
	/** The most records that a page had. */
	longest = 0;
	/** Whether the latest page came so often that it shows the end: see `paginate`. */
	isRepeating = false;
	private readonly seen = new Set<string>();
	/** What the records of the previous page are known by. */
	private previous: string[] = [];
	/** How many times in a row the same page came again. */
	private repeats = 0;
	/** The number of the last page with a record that was not seen before, and how many records it had. */
	private lastNumber: number;
	private lastLength = 0;

	/**
	 * @param firstNumber where the list starts, as far as is known
	 * @param size the size that pages are requested with
	 */
	constructor(
		public firstNumber: number,
		readonly size: number,
	) {
		this.lastNumber = firstNumber;
	}

	/** How many records were seen, each once. */
	get count(): number {
		return this.seen.size;
	}

	get lastIdentity(): string | undefined {
		return [...this.seen].at(-1);
	}

	/** Whether the latest page was shorter than another, so that a list may end with it. */
	get isAfterShortPage(): boolean {
		return this.previous.length < this.longest;
	}

	/** Whether the latest page is as long as pages get: a first page of another length is probably the only one. */
	isFull({ number, records }: Page): boolean {
		return records.length === (number === this.firstNumber ? this.size : this.longest);
	}

	/** @returns the records of a page that were not seen before */
	add(page: Page): IDataObject[] {
		const { number, records, identities } = page;
		this.repeats = hasSameRecords(identities, this.previous) ? this.repeats + 1 : 0;
		// A service that counts from 1 may respond to page 0 with page 1, with which the list starts then.
		if (this.repeats === 1 && number === 1) {
			this.firstNumber = 1;
			this.lastNumber = 1;
		}
		const unseen = takeUnseen(page, this.seen);
		if (unseen.length > 0) {
			this.lastNumber = number;
			this.lastLength = records.length;
		}
		const maxRepeats = records.length > this.size ? 1 : 2;
		this.isRepeating = this.repeats === maxRepeats;
		this.longest = Math.max(this.longest, records.length);
		this.previous = identities;
		return unseen;
	}

	getLayout(): ListLayout {
		const { firstNumber, size, longest, count, lastNumber, lastLength } = this;
		const isRegular = count - lastLength === (lastNumber - firstNumber) * longest;
		return { firstNumber, size, pageLength: longest, count, isRegular };
	}
}
