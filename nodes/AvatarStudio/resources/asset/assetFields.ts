import type { IDataObject } from 'n8n-workflow';

import { UserError } from '../../errors/userError';
import type { Field } from '../../execution/field';

export const name: Field = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	placeholder: 'e.g. Spring campaign intro',
	description:
		'Name of the asset in the studio application. If empty, the name of the file, without its extension. If set, several files are numbered.',
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
		required: true,
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
	description: 'Type of the asset, as the API names it, if Type is Custom',
	isLocal: true,
};

/**
 * Finds the type to send, by Type and Custom Type or, if it is to be detected, by the file.
 *
 * @param kind what the file is: see `getMediaKind`
 * @param problem the message if a file of that kind cannot be an asset
 * @throws UserError if there is no type
 */
export function resolveType(
	{ type, customType: custom }: IDataObject,
	kind: string | undefined,
	problem: string,
): IDataObject[string] {
	if (type === 'custom') {
		// n8n would demand Custom Type for any expression in Type if the field were required
		// (findings/required-field-of-an-expression).
		if (custom === undefined) throw new UserError('Custom Type is empty', 'Enter a value.');
		return custom;
	}
	if (type !== 'detect') return type;
	const detected = ['Audio', 'Image', 'Video'].find((it) => it.toLowerCase() === kind);
	if (detected === undefined) throw new UserError(problem, 'Set Type, or use another file.');
	return detected;
}

/** Links expire (`service/openapi.yaml`, `Asset.url`). */
export const linkNotice: Field = {
	displayName:
		'The link in the "url" field works for 12 hours. Store the asset\'s ID instead of its link, or use Download to keep the file.',
	name: 'linkNotice',
	type: 'notice',
	default: '',
};
