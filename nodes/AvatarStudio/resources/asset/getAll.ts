import { getMany } from '../getMany';
import { operation } from '../operation';

import { assetType } from './asset';
import { linkNotice } from './assetFields';
import { ASSET_FILTERS } from './assetFilters';

export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many assets',
	description: 'Get many assets of the account, optionally filtered',
	route: 'GET /v1/assets',
	...getMany(assetType, ASSET_FILTERS, [linkNotice]),
});
