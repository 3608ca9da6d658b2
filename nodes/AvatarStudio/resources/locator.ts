import type { INodePropertyMode } from 'n8n-workflow';

import type { Field } from '../execution/parameters';

import { findById, findInList, findNamed } from './names';
import { buildPicker } from './picker';
import type { RecordType } from './recordType';

interface LocatorDefinition extends Pick<Field, 'findBy' | 'picker'> {
	description: string;
	/** The modes besides From List. */
	modes: INodePropertyMode[];
}

/**
 * Builds the field with which a user chooses a record, such as `assetId` for records called "Asset".
 * Unless it is defined otherwise, its list is the whole list of the service, By ID takes an ID or a
 * name, and By Name the name of exactly one record.
 */
export function buildLocator(type: RecordType, { modes, ...definition }: LocatorDefinition): Field {
	const label = type.label.toLowerCase();
	const records = type.list.property;
	return {
		displayName: type.label,
		name: `${label}Id`,
		type: 'resourceLocator',
		required: true,
		default: { mode: 'list', value: '' },
		findBy: { id: findById(type), name: findInList(type, findNamed) },
		picker: buildPicker(type),
		...definition,
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				placeholder: `Select ${/^[aeiou]/.test(label) ? 'an' : 'a'} ${label}…`,
				typeOptions: {
					// Under this name, `buildListSearches` adds the picker to the methods of the node.
					searchListMethod: `search${records.charAt(0).toUpperCase()}${records.slice(1)}`,
					searchable: true,
				},
			},
			...modes,
		],
	};
}

/** Builds the modes By ID and By Name. */
export function buildModes(
	{ label }: RecordType,
	exampleName: string,
): Pick<LocatorDefinition, 'modes'> {
	return {
		modes: [
			{
				displayName: 'By ID',
				name: 'id',
				type: 'string',
				placeholder: 'e.g. 123e4567-e89b-12d3-a456-426614174000',
			},
			{
				displayName: 'By Name',
				name: 'name',
				type: 'string',
				placeholder: `e.g. ${exampleName}`,
				hint: `If it does not match exactly one ${label.toLowerCase()}, the item fails`,
			},
		],
	};
}
