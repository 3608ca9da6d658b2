import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../client/response/json';
import { quote } from '../errors/formatText';
import { UserError } from '../errors/userError';

import type { Field } from './field';

/** The names of the entries of collections, over all operations or events of a node. */
export interface Entries {
	/** By the name of the collection. */
	byCollection: ReadonlyMap<string, ReadonlySet<string>>;
	/**
	 * Names that only entries have. Beside the collection they are a mistake. A name that a field has as well is
	 * none: it may be a value that the editor has kept from another operation.
	 */
	entryOnlyNames: ReadonlySet<string>;
	misnomers: Misnomers;
}

/** Names that no field has, but that workflows use, each with the names of the fields that it may mean. */
export type Misnomers = Readonly<Record<string, string[]>>;

/** Lists the entries of all collections of a node. */
export function collectEntries(fields: Field[], misnomers: Misnomers = {}): Entries {
	const byCollection = new Map<string, Set<string>>();
	for (const field of fields.filter(({ type }) => type === 'collection')) {
		const others = byCollection.get(field.name) ?? [];
		byCollection.set(field.name, new Set([...others, ...listNames(field)]));
	}
	const all = [...byCollection.values()].flatMap((names) => [...names]);
	const entryOnlyNames = new Set(all.filter((name) => fields.every((it) => it.name !== name)));
	return { byCollection, entryOnlyNames, misnomers };
}

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
	entries: Entries,
): asserts value is IDataObject {
	const { displayName, name } = field;
	const available = `Available: ${listNames(field).join(', ')}.`;
	if (!isObject(value)) {
		throw new UserError(`${displayName} must be an object, neither text nor a list`, available);
	}
	const unknown = findUnknown(value, entries.byCollection.get(name));
	if (unknown === undefined) return;
	const hint = describePlace(unknown, fields) ?? available;
	throw new UserError(`${displayName} has no ${quote(unknown)}`, hint);
}

/**
 * Refuses what n8n drops in silence: an entry beside its collection, an entry of a collection that the
 * operation does not have, and a misnomer. The description declares them, hidden, so that n8n keeps them.
 *
 * @param held what the workflow holds, by name
 * @param fields all fields of the operation
 * @throws UserError that says where the entry belongs
 */
export function assertNothingIgnored(
	held: IDataObject,
	fields: Field[],
	{ byCollection, entryOnlyNames, misnomers }: Entries,
): void {
	for (const [name, value] of Object.entries(held)) {
		const isSet = value !== '';
		if (isSet && entryOnlyNames.has(name)) throw createStrayError(name, fields);
		const meant = Object.hasOwn(misnomers, name) ? misnomers[name] : undefined;
		if (isSet && meant) throw createMisnomerError(name, meant, fields);
		const known = byCollection.get(name);
		if (!known || fields.some((field) => field.name === name)) continue;
		if (!isObject(value)) throw createAbsentError(quote(name), 'it', name, fields);
		const unknown = findUnknown(value, known);
		if (unknown === undefined) continue;
		throw createAbsentError(quote(name), `${quote(unknown)} in it`, unknown, fields);
	}
}

function createStrayError(name: string, fields: Field[]): UserError {
	const collection = findCollection(name, fields);
	if (!collection) return createAbsentError(quote(name), 'it', name, fields);
	return new UserError(
		`${quote(name)} stands beside ${collection.displayName}, where n8n ignores it`,
		`Write it as ${collection.name}.${name}.`,
	);
}

function createMisnomerError(name: string, meant: string[], fields: Field[]): UserError {
	const paths = meant.flatMap((it) => {
		const collection = findCollection(it, fields);
		if (collection) return [`${collection.name}.${it}`];
		return fields.some((field) => field.name === it) ? [it] : [];
	});
	return new UserError(
		`${quote(name)} is no field of this operation, so n8n ignores it`,
		paths.length > 0 ? `Write it as ${paths.join(' or ')}.` : 'Remove it.',
	);
}

function createAbsentError(
	absent: string,
	ignored: string,
	wanted: string,
	fields: Field[],
): UserError {
	const hint = describePlace(wanted, fields) ?? 'Remove it.';
	return new UserError(`${absent} does not exist here, so n8n ignores ${ignored}`, hint);
}

function findUnknown(value: IDataObject, known?: ReadonlySet<string>): string | undefined {
	return Object.keys(value).find((name) => !known?.has(name));
}

/** @returns where an operation has an entry or a field of a name, if it has one */
function describePlace(name: string, fields: Field[]): string | undefined {
	const collection = findCollection(name, fields);
	if (collection) return `It is in ${collection.displayName}.`;
	const field = fields.find((it) => it.name === name);
	return field && `${field.displayName} is a field of its own: write it as ${name}.`;
}

function findCollection(name: string, fields: Field[]): Field | undefined {
	return fields.find((field) => listNames(field).includes(name));
}

/** @returns the entries of a collection; none of any other field */
export function listEntries({ type, options = [] }: Field): Field[] {
	return type === 'collection' ? (options as Field[]) : [];
}

/** @returns the fields, and the entries of those that are collections */
export function listWithEntries(fields: Field[]): Field[] {
	return [...fields, ...fields.flatMap(listEntries)];
}

function listNames(field: Field): string[] {
	return listEntries(field).map(({ name }) => name);
}
