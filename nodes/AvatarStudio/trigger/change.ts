import type { IDataObject } from 'n8n-workflow';

import type { Reading } from './reading';
import type { Kept } from './state';

/** A record that an event tells of. */
export type FoundRecord = [fingerprint: string, record: IDataObject];

/** What an event tells of: how the list that a poll has read differs from what earlier polls have seen of it. */
export interface Change {
	/**
	 * @param count how many records there are now, as the last page tells
	 * @param expected how many there were, plus the new ones that the ends of the list show
	 * @returns whether the ends of the list show all that has changed. If not, the list is read whole at once
	 */
	isExplained: (count: number, expected: number) => boolean;
	/**
	 * @param kept what earlier polls have kept
	 * @returns the records to tell of, in the order in which they are emitted
	 */
	find: (reading: Reading, kept: Kept) => FoundRecord[];
	/**
	 * For an event that has to know something of a record when it is no longer listed. None needs it yet; the
	 * recipes of CONTRIBUTING.md have one that does.
	 *
	 * @param kept what earlier polls have kept
	 * @param emitted by fingerprints, the records that this poll emits
	 * @returns what to keep from now on
	 */
	keep?: (reading: Reading, kept: Kept, emitted: ReadonlyMap<string, unknown>) => Kept;
}

/** The records that no earlier poll has seen. */
export const NEW_RECORDS: Change = {
	// Fewer records than expected mean that some were deleted. If that hides a new one in the middle of the
	// list, the next whole read finds it.
	isExplained: (count, expected) => count <= expected,
	find: (reading) => reading.listUnseen(),
};
