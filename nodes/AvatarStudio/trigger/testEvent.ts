import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import type { Client } from '../client/client';
import { fetchPages } from '../client/list';
import { UserError } from '../errors/userError';

import { buildItem, mayBeReadLater } from './buildItems';
import type { RecordSource } from './event';

/** Fetches the first record that matches the filters, for the user to build the workflow with. */
export async function fetchTestEvent(
	client: Client<IPollFunctions>,
	source: RecordSource,
): Promise<INodeExecutionData> {
	for await (const records of fetchPages(client, source.list, source.pageOptions)) {
		for (const record of records) {
			const built = await buildItem(source, record);
			if (!built) continue;
			const { failure, ...item } = built;
			if (failure && mayBeReadLater(failure.details)) throw failure;
			return item;
		}
	}
	throw new UserError(
		`There are no ${source.list.property} that match`,
		'Add one in the studio application or change the filters, then fetch a test event again.',
	);
}
