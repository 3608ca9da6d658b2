import { UUID } from '../../transport/formats';
import type { Field } from '../../transport/parameters';

export const assetId: Field = {
	displayName: 'Asset',
	name: 'assetId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	description: 'The asset to work on',
	format: UUID,
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
			validation: [
				{
					type: 'regex',
					properties: {
						regex: String.raw`\s*[\da-fA-F]{8}(-[\da-fA-F]{4}){3}-[\da-fA-F]{12}\s*`,
						errorMessage: `Asset must be ${UUID.expected}. ${UUID.hint}`,
					},
				},
			],
		},
	],
};
