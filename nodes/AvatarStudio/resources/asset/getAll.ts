import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../errors/requestError';
import type { ItemExecution } from '../../execution/itemExecution';
import { buildFilters, buildOptions, collect, getLimit, limit, returnAll } from '../fields';
import { operation } from '../operation';

import { assetList } from './asset';
import {
	type AssetFilters,
	fetchDetails,
	kinds,
	matchesAssetFilters,
	nameContains,
} from './assetFilters';
import { firstPage, linkNotice, pageSize, toPageOptions } from './fields';

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
		const { kinds: types = [], nameContains: text = '' } = parameters as AssetFilters;
		const isFiltered = types.length > 0 || text !== '';
		// The service offers no filters, so every page may be needed.
		const pageOptions = toPageOptions(parameters, isFiltered ? Infinity : wanted);
		const pages = client.pages(assetList, pageOptions);
		const assets = await collect(selectAssets(item, pages, wanted), assetList.property);
		return assets.map((json) => ({ json }));
	},
});

async function* selectAssets(
	item: ItemExecution,
	pages: AsyncIterable<IDataObject[]>,
	wanted: number,
): AsyncGenerator<IDataObject[]> {
	let remaining = wanted;
	// If one asset cannot be read, none of the others is needed.
	const controller = new AbortController();
	const request = { ...item.request, signal: controller.signal };
	try {
		for await (const page of pages) {
			const assets = await Promise.all(
				page.map(
					async (listed) =>
						await fetchDetails({ ...item, request }, listed, item.parameters).catch(
							(error: unknown) => {
								// Deleted since it was listed.
								if (error instanceof RequestError && error.details.status === 404) return listed;
								throw error;
							},
						),
				),
			);
			const matching = assets.filter((asset) => matchesAssetFilters(asset, item.parameters));
			yield matching.slice(0, remaining);
			remaining -= matching.length;
			if (remaining <= 0) return;
		}
	} finally {
		controller.abort();
	}
}
