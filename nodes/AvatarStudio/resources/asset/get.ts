import { operation } from '../operation';

import { buildLinkNotice } from './assetFields';
import { assetId } from './assetId';

export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get asset',
	description: 'Get the details of an asset and a download link',
	route: 'GET /v1/assets/{assetId}',
	fields: [assetId, buildLinkNotice()],
});
