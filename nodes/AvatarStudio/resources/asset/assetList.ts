import type { ListEndpoint } from '../../transport/pagination/list';
import { voiceList } from '../voice/voiceList';

/** The list of assets, for Get Many, the list search and the trigger. */
export const assetList: ListEndpoint = {
	url: '/v1/assets',
	property: 'assets',
	getPageQuery: (page, size) => ({ Page: page, PageSize: size }),
	otherList: voiceList,
};
