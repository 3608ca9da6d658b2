import { fetchSharedList } from '../../transport/fetchSharedList';
import type { Item } from '../../transport/item';
import { findByName, filterStrings } from '../search';

import { assetList, formatAssetLabel } from './asset';

/**
 * Finds the asset that a text names: see `findByName`.
 *
 * @returns its ID
 */
export async function findAssetByName(text: string, item: Item): Promise<string> {
	return findByName(await fetchSharedList(item, assetList), text, {
		record: 'asset',
		label: 'Asset',
		idField: 'id',
		matchesWords: false,
		getSearchText: ({ name }) => filterStrings(name).join(),
		formatLabel: formatAssetLabel,
		hint: 'Select an asset from the list, or get the names of assets with Asset: Get Many.',
	});
}
