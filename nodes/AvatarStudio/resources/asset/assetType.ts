import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../transport/errors/requestError';
import type { Field } from '../../transport/parameters';

export const type: Field = {
	displayName: 'Type',
	name: 'type',
	type: 'options',
	required: true,
	options: [
		{ name: 'Audio', value: 'Audio', description: 'Speech, a sound or a recording' },
		{ name: 'Custom', value: 'custom', description: 'A type not in this list' },
		{ name: 'Image', value: 'Image', description: 'A picture, such as a background or a logo' },
		{ name: 'Music', value: 'Music', description: 'Background music' },
		{ name: 'Video', value: 'Video', description: 'A video clip' },
	],
	default: 'Image',
	description: 'Type of the asset',
};

export const customType: Field = {
	displayName: 'Custom Type',
	name: 'customType',
	type: 'string',
	displayOptions: { show: { type: ['custom'] } },
	default: '',
	placeholder: 'e.g. Assets',
	description: 'Type of the asset, as the API names it',
	isLocal: true,
};

/**
 * Custom Type is required when it is shown. It cannot be marked as required: n8n would then also
 * demand it if Type is an expression.
 */
export function resolveType({
	type: chosen,
	customType: custom,
}: IDataObject): IDataObject[string] {
	if (chosen !== 'custom') return chosen;
	if (custom !== undefined) return custom;
	throw new RequestError({ message: 'Custom Type is empty', hint: 'Enter a value.' });
}
