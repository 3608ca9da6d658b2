import type { IDataObject } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { fetchPages } from '../../client/list';
import { readRecord } from '../../client/response/response';
import { toUserError } from '../../errors/userError';
import { collectRecords, getLimit, limit, returnAll } from '../limit';
import { operation } from '../operation';
import { buildFilters, buildOptions } from '../sharedFields';
import { toText } from '../texts';

import { assetList, createAssetRequest } from './asset';
import { firstPage, linkNotice, pageSize, toPageOptions } from './assetFields';
import { kinds, matchAsset, nameContains, type AssetFilters } from './assetFilters';

export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many assets',
	description: 'Get many assets of the account, optionally filtered',
	route: 'GET /v1/assets',
	fields: [
		returnAll,
		limit,
		buildFilters([nameContains, kinds]),
		buildOptions([firstPage, pageSize]),
		linkNotice,
	],
	execute: async ({ client, parameters }) => {
		const wanted = getLimit(parameters);
		const isFiltered = [nameContains, kinds].some(({ name }) => name in parameters);
		// The service offers no filters, so every page may be needed.
		const pageOptions = toPageOptions(parameters, isFiltered ? Infinity : wanted);
		const pages = filterPages(client, fetchPages(client, assetList, pageOptions), parameters);
		const assets = await collectRecords(pages, wanted);
		return assets.map((json) => ({ json }));
	},
});

/** An asset whose kind stays unknown is passed on rather than hidden. */
async function* filterPages(
	client: Client,
	pages: AsyncIterable<IDataObject[]>,
	filters: AssetFilters,
) {
	const selectAsset = async (listed: IDataObject): Promise<IDataObject[]> => {
		const match = matchAsset(listed, filters);
		if (match !== undefined) return match ? [listed] : [];
		const request = createAssetRequest(listed);
		const details = await client.request(request, readRecord).catch((error: unknown) => {
			// Deleted since it was listed.
			if (toUserError(error).details.status === 404) return undefined;
			throw error;
		});
		if (!details) return [];
		const asset = { ...listed, ...details };
		return matchAsset({ ...asset, name: toText(asset.name) }, filters) === false ? [] : [asset];
	};
	for await (const page of pages) yield (await Promise.all(page.map(selectAsset))).flat();
}
