import { operation } from '../operation';

import { assetId } from './assetId';
import { linkNotice } from './fields';

export const get = operation({
	name: 'Get',
	value: 'get',
	action: 'Get asset',
	description: 'Get an asset with a download link that works for 12 hours',
	route: 'GET /v1/assets/{assetId}',
	fields: [assetId, linkNotice],
});
