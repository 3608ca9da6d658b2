import type { Field } from '../../execution/parameters';
import { ID } from '../formats';
import { findInList, findNamed } from '../names';

import { assetList, describeAsset } from './asset';

const KIND = { label: 'Asset', describe: describeAsset };

export const assetId: Field = {
	displayName: 'Asset',
	name: 'assetId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The asset that the operation applies to. Its ID or its exact name will do.',
	findBy: { name: findInList(assetList, KIND, findNamed) },
	format: ID,
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			placeholder: 'Select an asset…',
			typeOptions: { searchListMethod: 'searchAssets', searchable: true },
		},
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. Spring campaign intro',
			hint: 'If it does not match exactly one asset, the item fails',
		},
	],
};
