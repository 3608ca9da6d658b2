import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { Client } from '../../client/client';
import { fetchPages } from '../../client/list';
import { readRecord } from '../../client/response/response';
import { toUserError } from '../../errors/userError';
import { getLimit, limit, returnAll } from '../limit';
import { operation } from '../operation';
import { buildFilters, buildOptions } from '../sharedFields';
import { toText } from '../texts';

import { assetList, createAssetRequest } from './asset';
import { firstPage, linkNotice, pageSize, toPageOptions } from './assetFields';
import { kinds, matchAsset, nameContains, type AssetFilters } from './assetFilters';

const filters = buildFilters([nameContains, kinds]);
const options = buildOptions([firstPage, pageSize]);

export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many assets',
	description: 'Get many assets of the account, optionally filtered',
	route: 'GET /v1/assets',
	fields: [returnAll, limit, filters, options, linkNotice],
	execute: async ({ client, parameters }) => {
		const wanted = getLimit(parameters);
		// The service offers no filters, so every page may be needed.
		const isFiltered = [nameContains, kinds].some(({ name }) => name in parameters);
		const pageOptions = toPageOptions(parameters, isFiltered ? Infinity : wanted);
		const items: INodeExecutionData[] = [];
		for await (const page of fetchPages(client, assetList, pageOptions)) {
			const assets = await Promise.all(page.map((it) => selectAsset(client, it, parameters)));
			const selected = assets.filter((asset) => asset !== undefined);
			for (const json of selected.slice(0, wanted - items.length)) items.push({ json });
			if (items.length === wanted) break;
		}
		return items;
	},
});

/** @returns the asset unless it is excluded: one whose kind stays unknown is passed on */
async function selectAsset(
	client: Client,
	listed: IDataObject,
	wanted: AssetFilters,
): Promise<IDataObject | undefined> {
	const match = matchAsset(listed, wanted);
	if (match !== undefined) return match ? listed : undefined;
	const request = createAssetRequest(listed);
	const details = await client.request(request, readRecord).catch((error: unknown) => {
		// Deleted since it was listed.
		if (toUserError(error).details.status === 404) return undefined;
		throw error;
	});
	const asset = { ...listed, ...details };
	const isExcluded = matchAsset({ ...asset, name: toText(asset.name) }, wanted) === false;
	return details && !isExcluded ? asset : undefined;
}
