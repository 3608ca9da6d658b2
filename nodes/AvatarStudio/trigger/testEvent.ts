import type { INodeExecutionData } from 'n8n-workflow';

import { UserError } from '../errors/userError';

import type { RecordSource } from './recordSources';

/** How many records a test event requests one by one to find one that matches. */
const MAX_REQUESTS = 20;

/**
 * Fetches one record for the user to build the workflow with: the first that matches the filters,
 * else the first that could not be read.
 *
 * @throws UserError if there is neither
 */
export async function fetchTestEvent({
	recordsName,
	fetchPages,
	findFilterError,
	match,
	toItem,
}: RecordSource): Promise<INodeExecutionData> {
	let requests = 0;
	let filterError: UserError | undefined;
	let unreadable: INodeExecutionData | undefined;
	for await (const records of fetchPages()) {
		filterError = findFilterError(records);
		for (const record of records) {
			const result = match(record);
			if (result === 'excluded' || (result === 'unknown' && ++requests > MAX_REQUESTS)) continue;
			const item = await toItem(record, true);
			if (item && !item.json.error) return item;
			unreadable ??= item;
		}
	}
	if (unreadable) return unreadable;
	const summary =
		requests > MAX_REQUESTS
			? `Of ${requests} ${recordsName} without a stated type the first ${MAX_REQUESTS} do not match`
			: `There are no ${recordsName} that match`;
	const hint =
		'Add one in the studio application or change the filters, then fetch a test event again.';
	throw filterError ?? new UserError(summary, hint);
}
