/**
 * One reading of a list: the records from the first one on, without a gap, known by their
 * identities.
 */
export class Reading {
	/** In the order of the list. */
	readonly identities: string[] = [];

	/** How many positions of the list have been read. */
	end = 0;

	/** Whether each page overlapped the one before it. */
	hasOverlaps = true;

	private readonly positions = new Map<string, number>();

	getPosition(identity: string | undefined): number | undefined {
		return identity === undefined ? undefined : this.positions.get(identity);
	}

	/**
	 * @returns whether the page begins with records already read, in the same order, and only then
	 *   brings others: then nothing lies between. A page that is not full must reach the last record
	 *   read as well, or that one has moved. Before anything was read every page will do
	 */
	isContinuedBy(page: string[], isFull: boolean): boolean {
		const { length } = this.identities;
		const start = length === 0 ? 0 : this.getPosition(page[0]);
		if (start === undefined || page.length === 0) return false;
		if (!isFull && start + page.length < length) return false;
		return page.every((identity, at) =>
			start + at < length
				? this.identities[start + at] === identity
				: !this.positions.has(identity),
		);
	}

	/**
	 * Adds the records of a page that are new.
	 *
	 * @param offset position of the first one in the list
	 * @returns how many were new
	 */
	add(page: string[], offset: number): number {
		const { length } = this.identities;
		const isGapPossible = length > 0 && offset >= this.end;
		for (const identity of page) {
			if (this.positions.has(identity)) continue;
			this.positions.set(identity, this.identities.length);
			this.identities.push(identity);
		}
		const added = this.identities.length - length;
		if (isGapPossible && added > 0) this.hasOverlaps = false;
		this.end = offset + page.length;
		return added;
	}

	/** Forgets what lies behind a position, which has to be read again. */
	stepBack(position: number): void {
		const kept = Math.max(0, this.identities.length - (this.end - position));
		const dropped = this.identities.splice(position === 0 ? 0 : kept);
		for (const identity of dropped) this.positions.delete(identity);
		this.end = position;
	}

	equals({ identities }: Reading): boolean {
		return identities.join('\n') === this.identities.join('\n');
	}
}
