import type { IDataObject, INodePropertyMode } from 'n8n-workflow';

import { fetchPages } from '../client/list';
import type { Field, Picker } from '../execution/field';

import { findById, findInList, findNamed } from './names';
import type { RecordType } from './recordType';
import { filterTexts, normalize, toText, toWords } from './texts';

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
	type: RecordType,
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
				hint: `If it does not match exactly one ${type.label.toLowerCase()}, the item fails`,
			},
		],
	};
}

/** Builds the picker of a list that the service cannot search: the node reads and searches it. */
function buildPicker(type: RecordType): Picker {
	return {
		pageLength: 50,
		search: async function* (text, client) {
			const wanted = toWords(text);
			for await (const page of fetchPages(client, type.list)) {
				const found = page.filter((record) => matchesSearch(type, record, wanted));
				yield found.map(type.describe);
			}
		},
	};
}

/** Not every script puts blanks between words, so a word that is wanted may be anywhere in the name. */
function matchesSearch(type: RecordType, record: IDataObject, wanted: string[]): boolean {
	const name = normalize(toText(record.name));
	const searched = type.listSearched?.(record) ?? [];
	const words = toWords(filterTexts(...searched, type.describe(record).id).join(' '));
	return wanted.every((part) => name.includes(part) || words.some((word) => word.startsWith(part)));
}
