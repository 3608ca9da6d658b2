import type { IDataObject } from 'n8n-workflow';

import type { ListLayout } from '../client/listProgress';

import type { FoundRecord } from './change';
import { getFingerprint } from './state';

/** What a poll has read of a list, beside what earlier polls have seen of it. No event is in it. */
export class Reading {
	/** The records by their fingerprints, in the order of the list. */
	readonly records = new Map<string, IDataObject>();
	/** The fingerprints of those that no earlier poll has seen, in the same order. */
	readonly unseen = new Set<string>();
	/** How the records are spread over pages; not set if the list has no numbered pages, or was not read as expected. */
	layout?: ListLayout;

	/**
	 * @param isWhole whether it is of the whole list, so that a record which is not listed is gone
	 * @param seen fingerprints of the records that earlier polls have seen
	 * @param idField the field that identifies a record
	 */
	constructor(
		readonly isWhole: boolean,
		private readonly seen: ReadonlySet<string>,
		private readonly idField: string,
	) {}

	add(records: IDataObject[]): void {
		for (const record of records) {
			const fingerprint = getFingerprint(record, this.idField);
			this.records.set(fingerprint, record);
			if (!this.seen.has(fingerprint)) this.unseen.add(fingerprint);
		}
	}

	isNew(record: IDataObject): boolean {
		return !this.seen.has(getFingerprint(record, this.idField));
	}

	/** @returns the unseen records in the order in which they were added, as far as the list shows it */
	listUnseen(): FoundRecord[] {
		const unseen = [...this.unseen];
		const { before } = this.findKnown();
		// In front of the first known record, the newest comes first.
		const sorted = [...unseen.slice(0, before).reverse(), ...unseen.slice(before)];
		return sorted.map((fingerprint) => [fingerprint, this.records.get(fingerprint)!]);
	}

	/** @returns the fingerprints of the unseen records that stand between known ones */
	listBetween(): string[] {
		const { before, behind } = this.findKnown();
		return [...this.unseen].slice(before, this.unseen.size - behind);
	}

	/** @returns how many unseen records come before the first known one, and how many behind the last one */
	private findKnown() {
		const isKnown = [...this.records.keys()].map((fingerprint) => !this.unseen.has(fingerprint));
		const first = isKnown.indexOf(true);
		if (first < 0) return { before: 0, behind: isKnown.length };
		return { before: first, behind: isKnown.length - 1 - isKnown.lastIndexOf(true) };
	}
}
