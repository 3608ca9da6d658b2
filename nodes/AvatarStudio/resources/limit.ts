import type { IDataObject } from 'n8n-workflow';

import { MAX_ITEMS } from '../client/response/items';
import { UserError } from '../errors/userError';
import type { Field } from '../execution/parameters';

export const returnAll: Field = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	isLocal: true,
};

export const limit: Field = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	displayOptions: { show: { returnAll: [false] } },
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	isLocal: true,
	needsValues: true,
};

/** @returns how many records the user wants, Infinity for all */
export function getLimit(parameters: IDataObject): number {
	return parameters.returnAll ? Infinity : Number(parameters.limit ?? limit.default);
}

/**
 * Collects the records of a list, and reads no page that is not needed.
 *
 * @param wanted how many, Infinity for all: see `getLimit`
 * @param recordsName what messages call the records
 * @throws UserError if they are more than n8n can take from one node
 */
export async function collectRecords(
	pages: AsyncIterable<IDataObject[]> | IDataObject[][],
	wanted: number,
	recordsName: string,
): Promise<IDataObject[]> {
	const records: IDataObject[] = [];
	for await (const page of pages) {
		for (const record of page.slice(0, wanted - records.length)) records.push(record);
		if (records.length > MAX_ITEMS) {
			throw new UserError(
				`There are more than ${MAX_ITEMS.toLocaleString('en')} ${recordsName}, the most n8n can take from one input item`,
				`Turn Return All off and set Limit to ${MAX_ITEMS.toLocaleString('en')} or less.`,
			);
		}
		if (records.length === wanted) break;
	}
	return records;
}
