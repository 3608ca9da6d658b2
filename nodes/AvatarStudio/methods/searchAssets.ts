import type { IDataObject, ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';

import { Caller } from '../client/limiter/caller';
import { fetchPages } from '../client/pagination/list';
import { assetList, formatAssetLabel } from '../resources/asset/asset';
import { matchesSearch, filterStrings } from '../resources/search';

import { withReadableErrors } from './withReadableErrors';

/** How many assets the list shows before the user has to scroll for more. */
const PAGE_LENGTH = 50;

/**
 * Lists the assets to choose from. The service cannot search assets, so this reads as many pages
 * as it takes to fill the list and matches the text itself.
 *
 * @param search what the user typed into the list
 * @param paginationToken number of assets already shown, returned by the previous call
 */
export async function searchAssets(
	this: ILoadOptionsFunctions,
	search = '',
	paginationToken = '0',
): Promise<INodeListSearchResult> {
	const start = Number(paginationToken);
	const end = start + PAGE_LENGTH;
	const matching: IDataObject[] = [];
	await withReadableErrors(this, async () => {
		const caller = Caller.forUser();
		for await (const page of fetchPages(this, caller, assetList, { acceptsGaps: true })) {
			matching.push(
				...page.filter((asset) => asset.id && matchesSearch(getSearchText(asset), search)),
			);
			if (matching.length > end) break;
		}
	});
	return {
		results: matching.slice(start, end).map((asset) => ({
			name: formatAssetLabel(asset),
			value: asset.id as string,
		})),
		paginationToken: matching.length > end ? String(end) : undefined,
	};
}

function getSearchText({ name, extension, type, id }: IDataObject): string {
	return filterStrings(name, extension, type, id).join(' ');
}
