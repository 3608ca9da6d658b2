import type { INodeProperties } from 'n8n-workflow';

import { UUID } from '../../transport/fields';

/** From the list, or by ID. */
export const assetModes: INodeProperties['modes'] = [
	{
		displayName: 'From List',
		name: 'list',
		type: 'list',
		default: 'undefined',
		placeholder: 'Select an asset…',
		typeOptions: { searchListMethod: 'searchAssets', searchable: true },
	},
	{
		displayName: 'By ID',
		name: 'id',
		type: 'string',
		default: '',
		placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
		validation: [
			{
				type: 'regex',
				properties: {
					regex: UUID.pattern.source.replace(/[a-f]/g, (letter) => letter + letter.toUpperCase()),
					errorMessage: `This is not ${UUID.is}. ${UUID.next}`,
				},
			},
		],
	},
];

export const assetId: INodeProperties = {
	displayName: 'Asset',
	name: 'assetId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The asset to work on',
	modes: assetModes,
};
