import type { Field } from '../../execution/field';
import { operation } from '../operation';

import { assetId } from './asset';
import { name } from './assetFields';

const newName: Field = {
	...name,
	displayName: 'New Name',
	required: true,
	description: 'Name of the asset in the studio application',
};

export const update = operation({
	name: 'Update',
	value: 'update',
	action: 'Rename asset',
	description: 'Rename an asset',
	route: 'PATCH /v1/assets/{assetId}',
	fields: [assetId, newName],
});
