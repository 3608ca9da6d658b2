import { listFirst, MAX_LISTED_VALUES, shorten } from '../errors/values';

import { normalize } from './phrase';

/** What users know of a record. */
export interface Described {
	/** Empty if the record has none: then it cannot be found. */
	id: string;
	/** Labels in one line, each more exact than the one before. */
	labels: string[];
}

/**
 * Chooses a label for each record, so that no two look alike if that is possible.
 *
 * @param choices the labels of each record, each more exact than the one before
 */
export function labelDistinctly(choices: string[][]): string[] {
	const keys = choices.flatMap((labels) => [...new Set(labels.map(normalize))]);
	const counts = new Map<string, number>();
	for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
	const isDistinct = (label: string) => counts.get(normalize(label)) === 1;
	return choices.map((labels) => labels.find(isDistinct) ?? labels.at(-1)!);
}

/** Lists up to five records with their IDs, for messages. */
export function listRecords(records: Described[]): string {
	const labels = labelDistinctly(
		records.slice(0, MAX_LISTED_VALUES).map((record) => record.labels),
	);
	return listFirst(records, ({ id }, index) => `${shorten(labels[index]!)} (${shorten(id)})`);
}
