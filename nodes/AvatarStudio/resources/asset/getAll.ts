import type { IDataObject } from 'n8n-workflow';

import { fetchPages } from '../../client/list';
import { readRecord } from '../../client/response/response';
import { RequestError } from '../../errors/userError';
import type { Item } from '../../execution/item';
import { collectRecords, getLimit, limit, returnAll } from '../limit';
import { operation } from '../operation';
import { buildFilters, buildOptions } from '../sharedFields';

import { assetList, createAssetRequest } from './asset';
import { firstPage, linkNotice, pageSize, toPageOptions } from './assetFields';
import { kinds, matchAsset, nameContains } from './assetFilters';

const filters = buildFilters([nameContains, kinds]);
const options = buildOptions([firstPage, pageSize]);

export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many assets',
	description: 'Get many assets of the account, optionally filtered',
	route: 'GET /v1/assets',
	fields: [returnAll, limit, filters, options, linkNotice],
	execute: async (item) => {
		const { client, parameters } = item;
		const wanted = getLimit(parameters);
		const isFiltered = [nameContains, kinds].some(({ name }) => name in parameters);
		// The service offers no filters, so every page may be needed.
		const pageOptions = toPageOptions(parameters, isFiltered ? Infinity : wanted);
		const pages = fetchPages(client, assetList, pageOptions);
		const assets = await collectRecords(filterPages(pages, item), wanted, assetList.property);
		return assets.map((json) => ({ json }));
	},
});

/** An asset whose kind stays unknown is passed on rather than hidden. */
async function* filterPages(pages: AsyncIterable<IDataObject[]>, { client, parameters }: Item) {
	// If one asset cannot be read, none of the others is needed.
	const controller = new AbortController();
	const { signal } = controller;
	const addDetails = async (listed: IDataObject) => {
		if (matchAsset(listed, parameters) !== 'unknown') return listed;
		const request = createAssetRequest(listed, { signal });
		const details = await client.request(request, readRecord).catch((error: unknown) => {
			// Deleted since it was listed.
			if (error instanceof RequestError && error.details.status === 404) return undefined;
			throw error;
		});
		return details && { ...listed, ...details };
	};
	try {
		for await (const page of pages) {
			const assets = await Promise.all(page.map(addDetails));
			const remaining = assets.filter((asset) => asset !== undefined);
			yield remaining.filter((asset) => matchAsset(asset, parameters, true) !== 'excluded');
		}
	} finally {
		controller.abort();
	}
}
