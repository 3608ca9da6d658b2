import { fetchShared } from '../../transport/fetchShared';
import type { Item } from '../../transport/item';
import { collect, fetchPages } from '../../transport/pagination/list';
import { findByName, nonEmptyStrings } from '../search';

import { assetList, formatAssetLabel } from './asset';
import { toPageOptions } from './fields';

/**
 * Finds the asset that a text names: see `findByName`.
 *
 * @returns its ID
 */
export async function findAssetByName(text: string, item: Item): Promise<string> {
	const { context, caller, request } = item;
	const { proxy, skipSslCertificateValidation } = request;
	const options = { proxy, skipSslCertificateValidation };
	const assets = await fetchShared(item, assetList.property, async () => {
		const pages = fetchPages(context, caller, assetList, toPageOptions({}), options);
		return await collect(pages, assetList.property);
	});
	return findByName(assets, text, {
		record: 'asset',
		label: 'Asset',
		idField: 'id',
		matchesWords: false,
		getSearchText: ({ name }) => nonEmptyStrings(name).join(),
		formatLabel: formatAssetLabel,
		hint: 'Select an asset from the list, or get the names of assets with Asset: Get Many.',
	});
}
