import type { INodeProperties } from 'n8n-workflow';

export const name: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Spring campaign intro',
	description: 'The name the asset is to have',
};
