/** A list as one reading found it: its records from the first one on, by their identities. */
export class Snapshot {
	/** Position in the service's list at which to read on. */
	position = 0;

	/** The furthest position read. */
	end = 0;

	/** Whether each page overlapped the one before it. */
	hasOverlaps = true;

	private readonly indexes = new Map<string, number>();

	startsWith(identity: string | undefined): boolean {
		return this.indexes.get(identity ?? '') === 0;
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
	 * Adds the new records of a page, and reads on after it.
	 *
	 * @param offset position of its first record in the service's list
	 * @returns how many were new
	 */
	add(page: string[], offset: number): number {
		const { size } = this.indexes;
		for (const identity of page) {
			if (!this.indexes.has(identity)) this.indexes.set(identity, this.indexes.size);
		}
		const added = this.indexes.size - size;
		if (size > 0 && added > 0 && offset >= this.end) this.hasOverlaps = false;
		this.position = offset + page.length;
		this.end = Math.max(this.end, this.position);
		return added;
	}

	/** Reads on further in front, or anew from the first record. */
	stepBack(distance: number): void {
		this.position -= distance;
		if (this.position > 0) return;
		this.position = 0;
		this.end = 0;
		this.hasOverlaps = true;
		this.indexes.clear();
	}

	equals({ indexes }: Snapshot): boolean {
		return [...indexes.keys()].join('\n') === [...this.indexes.keys()].join('\n');
	}
}
