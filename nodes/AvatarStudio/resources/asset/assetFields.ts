import type { IDataObject } from 'n8n-workflow';

import { DEFAULT_PAGE_SIZE } from '../../client/list';
import type { PageOptions } from '../../client/paginate';
import { UserError } from '../../errors/userError';
import type { Field } from '../../execution/parameters';

export const name: Field = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. Spring campaign intro',
	description: 'Name of the asset in the studio application',
};

/** @param label of the option that detects the type, and a hint how */
export function buildType(label: string, hint: string): Field {
	const options = [
		{ name: 'Audio', value: 'Audio', description: 'Speech, a sound or a recording' },
		{ name: 'Custom', value: 'custom', description: 'A type not in this list' },
		{ name: label, value: 'detect', description: hint },
		{ name: 'Image', value: 'Image', description: 'A picture, such as a background or a logo' },
		{ name: 'Music', value: 'Music', description: 'Background music' },
		{ name: 'Video', value: 'Video', description: 'A video clip' },
	];
	return {
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options,
		default: 'detect',
		description: 'Type of the asset',
	};
}

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
 * @param kind what the file is, for a type that is to be detected: see `getMediaKind`
 * @param problem the message if that is no type of an asset
 */
export function resolveType(
	{ type = 'detect', customType: custom }: IDataObject,
	kind: string | undefined,
	problem: string,
): IDataObject[string] {
	if (type !== 'detect' && type !== 'custom') return type;
	const detected = ['Audio', 'Image', 'Video'].find((it) => it.toLowerCase() === kind);
	const resolved = type === 'custom' ? custom : detected;
	if (resolved !== undefined) return resolved;
	// Marked as required, n8n would also demand Custom Type if Type is an expression.
	if (type === 'custom') throw new UserError('Custom Type is empty', 'Enter a value.');
	throw new UserError(problem, 'Set Type, or use another file.');
}

/** `service/openapi.yaml` does not state the number of the first page. */
export const firstPage: Field = {
	displayName: 'First Page',
	name: 'firstPage',
	type: 'options',
	options: [
		{
			name: 'Detect Automatically',
			value: 'auto',
			description: 'Start at page 0, or at page 1 if page 0 is empty or rejected',
		},
		{ name: 'Page 0', value: '0', description: 'For an API that counts pages from 0' },
		{ name: 'Page 1', value: '1', description: 'For an API that counts pages from 1' },
	],
	default: 'auto',
	description: 'Number of the first page. Change only if lists come back incomplete.',
};

export const pageSize: Field = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_PAGE_SIZE,
	description: 'Number of assets to request at a time. Change only if lists come back incomplete.',
};

/** @returns the options of a list by the values of these fields, and by how many records are wanted */
export function toPageOptions(
	{ firstPage: page, pageSize: size = DEFAULT_PAGE_SIZE }: IDataObject,
	limit = Infinity,
): PageOptions {
	const firstNumber = page === '0' || page === '1' ? (Number(page) as 0 | 1) : 'auto';
	return { size: Math.min(size as number, limit), firstNumber, limit };
}

/** Links expire: `service/openapi.yaml`, `Asset.url`. A copy is shown below an operation's own fields. */
export const linkNotice: Field = {
	displayName:
		'The link in the "url" field works for 12 hours. Store the asset\'s ID instead of its link, or use Download to keep the file.',
	name: 'linkNotice',
	type: 'notice',
	default: '',
};
