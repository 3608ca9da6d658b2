import { operation } from '../operation';

import { assetId } from './assetId';
import { linkNotice } from './fields';

export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get asset',
	description: 'Get the details of an asset and a download link',
	route: 'GET /v1/assets/{assetId}',
	fields: [assetId, linkNotice],
});
