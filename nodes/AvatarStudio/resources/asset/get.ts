import { operation } from '../operation';

import { assetId } from './asset';
import { linkNotice } from './assetFields';

export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get asset',
	description: 'Get the details of an asset and a download link',
	route: 'GET /v1/assets/{assetId}',
	fields: [assetId, linkNotice],
});
