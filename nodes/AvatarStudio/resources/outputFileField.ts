import type { INodeProperties } from 'n8n-workflow';

export const fileField: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output field to put the file in',
	description: 'The name of the output field that holds the file',
};
