import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../errors/userError';

import type { RecordSource } from './recordSources';
import { getExclusion, getFingerprint, MAX_RECORDS } from './savedState';

/** Beyond n8n's longest budget, five minutes, and the download of a large file. */
export const MAX_POLL_MS = 30 * 60_000;

const MAX_READS = 10;

/** How a poll reads the list. */
interface ReadOptions {
	/** What the records seen before are remembered by. */
	seen: Set<string>;
	/** Those that could not be processed yet: the number of polls that tried, by fingerprint. */
	held: Map<string, number>;
	/** Whether to read until a reading brings nothing more: what is missed then would be new later. */
	readsUntilStable: boolean;
	/** Whether unseen records may be emitted; if not, they would only take memory. */
	mayEmit: boolean;
	/** Whether to stop at a page without unseen records behind all held ones. */
	stopsAtKnown: boolean;
}

/**
 * Reads the list and tells the unseen records from the others. Those that the filters exclude are
 * remembered as they are listed: once they are renamed to match, they are new. What its details
 * excluded is not requested again until the list shows another name, type or extension.
 *
 * @returns what to remember each listed record by; the unseen records to process; whether the list was
 *   read to its end; whether unseen records were listed behind the place to stop; and what the last
 *   page says about the filters
 * @throws UserError if the list is too long to be remembered, or to be read in time
 */
export async function readList(
	{ fetchPages, findFilterError, idField, match, recordsName }: RecordSource,
	{ seen, held, readsUntilStable, mayEmit, stopsAtKnown }: ReadOptions,
) {
	const startedAt = performance.now();
	const rememberedBy = new Map<string, string>();
	const unseen = new Map<string, IDataObject>();
	let mayStop = false;
	let isMisplaced = false;
	let filterError: UserError | undefined;
	for (let reads = 0; reads < (readsUntilStable ? MAX_READS : 1); reads++) {
		const sizeBefore = rememberedBy.size;
		for await (const page of fetchPages(stopsAtKnown ? 1 : undefined)) {
			filterError = findFilterError(page);
			let isKnown = true;
			for (const record of page) {
				const fingerprint = getFingerprint(record, idField);
				if (rememberedBy.has(fingerprint)) continue;
				const result = mayEmit && !seen.has(fingerprint) ? match(record) : 'matching';
				const exclusion = result === 'matching' ? fingerprint : getExclusion(fingerprint, record);
				const mark = result === 'excluded' || seen.has(exclusion) ? exclusion : fingerprint;
				rememberedBy.set(fingerprint, mark);
				if (seen.has(mark)) continue;
				isKnown = false;
				if (mayEmit && mark === fingerprint) unseen.set(fingerprint, record);
			}
			if (rememberedBy.size > MAX_RECORDS) {
				throw new UserError(
					`There are more than ${MAX_RECORDS.toLocaleString('en')} ${recordsName}, the most the trigger can remember`,
					`Delete ${recordsName} that are no longer needed in the studio application.`,
				);
			}
			if (performance.now() - startedAt > MAX_POLL_MS) {
				throw new UserError(
					`The list of ${recordsName} could not be read within half an hour`,
					'Set a larger Page Size, or turn on Newest First if the service lists the newest first.',
				);
			}
			isMisplaced ||= mayStop && !isKnown;
			mayStop ||= isKnown && [...held.keys()].every((fingerprint) => rememberedBy.has(fingerprint));
			if (mayStop && stopsAtKnown) {
				return { rememberedBy, unseen, isWhole: false, isMisplaced, filterError };
			}
		}
		if (reads > 0 && rememberedBy.size === sizeBefore) break;
	}
	return { rememberedBy, unseen, isWhole: true, isMisplaced, filterError };
}
