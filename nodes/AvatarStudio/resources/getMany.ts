import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../client/client';
import { fetchPages } from '../client/list';
import { readRecord } from '../client/response/response';
import type { Request } from '../client/send';
import { toUserError } from '../errors/userError';
import type { Field } from '../execution/field';
import type { OperationRules } from '../execution/itemExecutor';

import { createSelection, type RecordFilter, type Selection } from './filters';
import { buildPageOptions, getLimit, limit, returnAll, toPageOptions } from './paging';
import type { RecordType } from './recordType';
import { buildFilters, buildOptions } from './sharedFields';

/** Builds the fields and the execution of Get Many for a list, which the node filters. */
export function getMany(
	type: RecordType,
	filters: RecordFilter[] = [],
	furtherFields: Field[] = [],
): Pick<OperationRules, 'fields' | 'execute'> {
	const collections = filters.length > 0 ? [buildFilters(filters)] : [];
	const entries = buildPageOptions(type.list);
	const options = entries.length > 0 ? [buildOptions(entries)] : [];
	return {
		fields: [returnAll, limit, ...collections, ...options, ...furtherFields],
		execute: async ({ client, parameters }) => {
			const wanted = getLimit(parameters);
			const selection = createSelection(filters, parameters);
			// The service offers no filters, so every page may be needed.
			const pageOptions = toPageOptions(parameters, selection.isFiltered ? Infinity : wanted);
			const items: INodeExecutionData[] = [];
			for await (const page of fetchPages(client, type.list, pageOptions)) {
				const records = page.map((listed) => selectRecord(client, type, listed, selection));
				const selected = (await Promise.all(records)).filter((record) => record !== undefined);
				for (const json of selected.slice(0, wanted - items.length)) items.push({ json });
				if (items.length === wanted) break;
			}
			return items;
		},
	};
}

/** @returns the record, with its details if a filter needs them, or undefined if it is excluded */
async function selectRecord(
	client: Client,
	{ createRequest }: RecordType,
	listed: IDataObject,
	selection: Selection,
): Promise<IDataObject | undefined> {
	const isSelected = selection.matches(listed);
	if (isSelected !== undefined) return isSelected ? listed : undefined;
	const details = createRequest ? await fetchDetails(client, createRequest(listed)) : {};
	const record = { ...listed, ...details };
	return details && selection.matchesDetails(record) ? record : undefined;
}

/** @returns the details of a record, or undefined if it was deleted since it was listed */
async function fetchDetails(client: Client, request: Request): Promise<IDataObject | undefined> {
	return await client.request(request, readRecord).catch((error: unknown) => {
		if (toUserError(error).details.code === 'notFound') return undefined;
		throw error;
	});
}
