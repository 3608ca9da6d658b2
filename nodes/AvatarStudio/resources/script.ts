import type { INodeProperties } from 'n8n-workflow';

export const script: INodeProperties = {
	displayName: 'Script',
	name: 'script',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder: 'e.g. Welcome to our spring collection!',
	description: 'The text that is spoken, in the language of the voice',
};
