/** A list as one reading found it: its records from the first one on, by their identities. */
export class Snapshot {
	/** Position in the service's list at which to read on. */
	position = 0;

	/** Whether each page overlapped the one before it. */
	isGapless = true;

	private readonly indexes = new Map<string, number>();

	private furthest = 0;

	startsWith(identity = ''): boolean {
		return this.indexes.get(identity) === 0;
	}

	covers(offset: number): boolean {
		return offset < this.furthest;
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
		if (size > 0 && added > 0 && !this.covers(offset)) this.isGapless = false;
		this.position = offset + page.length;
		this.furthest = this.position;
		return added;
	}

	/** Reads on further in front. At the start of the list the snapshot begins anew. */
	stepBack(distance: number): void {
		this.position = Math.max(0, this.position - distance);
		if (this.position > 0) return;
		this.furthest = 0;
		this.isGapless = true;
		this.indexes.clear();
	}

	equals({ indexes }: Snapshot): boolean {
		return [...indexes.keys()].join('\n') === [...this.indexes.keys()].join('\n');
	}
}
