import type { Client } from '../client/client';
import { fetchPages } from '../client/list';

import type { RecordSource } from './event';
import { Reading } from './reading';

/** Reads a list to its end; throws UserError if that is not possible. */
export async function readWhole(
	client: Client,
	{ list, idField, pageOptions }: RecordSource,
	seen: ReadonlySet<string>,
): Promise<Reading> {
	const reading = new Reading(true, seen, idField);
	const onEnd = (layout: Reading['layout']) => {
		reading.layout = layout;
	};
	for await (const records of fetchPages(client, list, { ...pageOptions, onEnd })) {
		reading.add(records);
	}
	return reading;
}
