import { operation } from '../operation';

import { assetId } from './assetId';
import { name } from './fields';

export const update = operation({
	name: 'Update',
	value: 'update',
	action: 'Update asset',
	description: 'Rename an asset',
	route: 'PATCH /v1/assets/{assetId}',
	fields: [assetId, name],
});
