import type { INodeProperties } from 'n8n-workflow';

export const languageField: INodeProperties = {
	displayName: 'Language Name or ID',
	name: 'languageCode',
	type: 'options',
	typeOptions: { loadOptionsMethod: 'getVoiceLanguages' },
	default: '',
	description:
		'Only voices of this language. Choose from the list, or specify an ID using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
};
