import type { IDataObject } from 'n8n-workflow';

/** @returns what a record is known by: its ID, or else all it holds; a download link differs in each response */
export function getIdentity({ id, url, ...rest }: IDataObject): string {
	if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
	return JSON.stringify({ ...rest, url: typeof url === 'string' ? url.split('?')[0] : url });
}

/** A list as one reading found it: its records from the first one on, by their identities. */
export class Snapshot {
	/** Position in the service's list at which to read on. */
	position = 0;

	/** Whether a page did not overlap the one before it. */
	hasGap = false;

	private readonly indexes = new Map<string, number>();

	/** Up to where the list is known; `position` lies before it after a step back. */
	private end = 0;

	startsWith(identity = ''): boolean {
		return this.indexes.get(identity) === 0;
	}

	overlaps(offset: number): boolean {
		return offset < this.end;
	}

	/**
	 * @returns whether the page begins with known records, in the same order, and only then brings
	 *   others: then nothing lies between. One that is not full must reach the last known record
	 */
	isContinuedBy(page: string[], isFull: boolean): boolean {
		const { size } = this.indexes;
		const start = this.indexes.get(page[0] ?? '');
		if (start === undefined || (!isFull && start + page.length < size)) return false;
		return page.every((identity, at) => {
			const index = start + at;
			return this.indexes.get(identity) === (index < size ? index : undefined);
		});
	}

	/**
	 * @param offset position of the page's first record in the service's list
	 * @returns how many records were new
	 */
	add(page: string[], offset: number): number {
		const { size } = this.indexes;
		for (const identity of page) {
			if (!this.indexes.has(identity)) this.indexes.set(identity, this.indexes.size);
		}
		const added = this.indexes.size - size;
		if (size > 0 && added > 0 && !this.overlaps(offset)) this.hasGap = true;
		this.position = offset + page.length;
		this.end = this.position;
		return added;
	}

	/** Reads on further in front. At the start of the list the snapshot begins anew. */
	stepBack(distance: number): void {
		this.position = Math.max(0, this.position - distance);
		if (this.position > 0) return;
		this.end = 0;
		this.hasGap = false;
		this.indexes.clear();
	}

	equals({ indexes }: Snapshot): boolean {
		return [...indexes.keys()].join('\n') === [...this.indexes.keys()].join('\n');
	}
}
