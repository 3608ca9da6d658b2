import type { Field } from '../../transport/parameters';

export const name: Field = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Spring campaign intro',
	description: 'Name of the asset in the studio application',
};
