import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../execution/field';

import { assertShort, containsText, toText } from './texts';

/** A filter that the node applies to a list. To add one, add an entry to the table of its list. */
export interface RecordFilter {
	field: Field;
	/**
	 * @param wanted the value of the field, as its type has it
	 * @returns whether a record matches; undefined if the record does not say, so that its details are
	 *   needed
	 */
	matches: (record: IDataObject, wanted: unknown) => boolean | undefined;
	/** Whether a record is selected if not even its details say whether it matches. */
	selectsUnknown?: boolean;
}

/**
 * Builds the filter by a part of the name.
 *
 * @param records what the list has, such as "assets"
 */
export function buildNameContains(records: string) {
	return {
		field: {
			displayName: 'Name Contains',
			name: 'nameContains',
			type: 'string',
			default: '',
			placeholder: 'e.g. portrait',
			description: `Only ${records} with this text in their name, not case-sensitive; "Bar" also finds "Bär". Wildcards such as * are not supported.`,
		},
		matches: ({ name }: IDataObject, wanted: unknown) => {
			// A record that is requested by its ID has a name (`service/openapi.yaml`); one that is listed may not.
			if (name === undefined || name === null) return undefined;
			return containsText(toText(name), wanted as string);
		},
	} satisfies RecordFilter;
}

/** The filters that a user set, ready to test records. */
export interface Selection {
	isFiltered: boolean;
	/** @returns whether a listed record is selected; undefined if its details must be known for that */
	matches: (listed: IDataObject) => boolean | undefined;
	/** @returns whether a record is selected, once nothing more can be learned about it */
	matchesDetails: (record: IDataObject) => boolean;
}

/**
 * Prepares the filters of a table for which the parameters have a value.
 *
 * @throws UserError if a text is too long to compare with every record
 */
export function createSelection(table: RecordFilter[], parameters: IDataObject): Selection {
	const set = table.filter(({ field }) => parameters[field.name] !== undefined);
	const tests = set.map(({ field, matches, selectsUnknown = false }) => {
		const wanted = parameters[field.name];
		if (typeof wanted === 'string') assertShort(wanted);
		return { selectsUnknown, matches: (record: IDataObject) => matches(record, wanted) };
	});
	return {
		isFiltered: tests.length > 0,
		matches: (listed) => {
			const results = tests.map(({ matches }) => matches(listed));
			if (results.includes(false)) return false;
			return results.includes(undefined) ? undefined : true;
		},
		matchesDetails: (record) =>
			tests.every(({ matches, selectsUnknown }) => matches(record) ?? selectsUnknown),
	};
}
