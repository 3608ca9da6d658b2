import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../execution/field';

import { assertShort } from './texts';

/** A filter that the node applies to a list. To add one, add an entry to the table of its list. */
export interface RecordFilter {
	field: Field;
	/**
	 * @param wanted the value of the field, as its type has it
	 * @param timeZone that of the workflow, for a date that states none
	 * @returns whether a record matches; undefined if the record does not say, so that its details are
	 *   needed
	 */
	matches: (record: IDataObject, wanted: unknown, timeZone: string) => boolean | undefined;
	/** Whether a record is selected if not even its details say whether it matches. */
	selectsUnknown?: boolean;
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
export function createSelection(
	table: RecordFilter[],
	parameters: IDataObject,
	timeZone: string,
): Selection {
	const set = table.filter(({ field }) => parameters[field.name] !== undefined);
	const tests = set.map(({ field, matches, selectsUnknown = false }) => {
		const wanted = parameters[field.name];
		if (typeof wanted === 'string') assertShort(wanted);
		return { selectsUnknown, matches: (record: IDataObject) => matches(record, wanted, timeZone) };
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
