import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../client/response/json';
import { quote } from '../errors/formatText';
import { UserError } from '../errors/userError';

import type { Field } from './field';

/**
 * Checks the entries of a collection. When the user changes the operation, the editor keeps the entries
 * of the old one's collection of the same name, hidden, so these are ignored.
 *
 * @param fields all fields of the operation
 * @throws UserError if the value of a collection is not an object, or has an entry that does not exist
 */
export function assertEntries(
	field: Field,
	value: unknown,
	fields: Field[],
): asserts value is IDataObject {
	const { displayName, namesakes = [] } = field;
	const available = `Available: ${listEntries(field).join(', ')}.`;
	if (!isObject(value)) {
		throw new UserError(`${displayName} must be an object, neither text nor a list`, available);
	}
	const known = new Set([field, ...namesakes].flatMap(listEntries));
	const unknown = Object.keys(value).find((name) => !known.has(name));
	if (unknown === undefined) return;
	const place = fields.find((it) => listEntries(it).includes(unknown));
	const hint = place ? `It is in ${place.displayName}.` : available;
	throw new UserError(`${displayName} has no ${quote(unknown)}`, hint);
}

function listEntries({ type, options = [] }: Field): string[] {
	return type === 'collection' ? options.map(({ name }) => name) : [];
}
