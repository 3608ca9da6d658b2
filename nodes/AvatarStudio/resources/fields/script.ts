import type { Field } from '../../transport/parameters';

export const script: Field = {
	displayName: 'Script',
	name: 'script',
	type: 'string',
	typeOptions: { rows: 5 },
	required: true,
	default: '',
	placeholder: 'e.g. Welcome to our spring collection!',
	description: 'Text to speak, in the language of the voice',
};
