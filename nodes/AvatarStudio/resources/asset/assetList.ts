import type { List } from '../../transport/list';

/** The list of assets, for Get Many, the picker and the trigger. */
export const assetList: List = {
	url: '/v1/assets',
	property: 'assets',
	page: (page, size) => ({ Page: page, PageSize: size }),
};
