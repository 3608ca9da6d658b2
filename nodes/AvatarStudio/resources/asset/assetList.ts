import type { ListEndpoint } from '../../transport/pagination/list';

/** The list of assets, for Get Many, the picker and the trigger. */
export const assetList: ListEndpoint = {
	url: '/v1/assets',
	property: 'assets',
	page: (page, size) => ({ Page: page, PageSize: size }),
};
