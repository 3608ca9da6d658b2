import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { collectEntries, type Entries, type Misnomers } from '../execution/collection';
import type { Field } from '../execution/field';

import { listFields, type Operation, type Resource } from './operation';
import { buildRefusalRouting } from './refuseUnknown';

/** What models take for the name of a field, from other nodes. */
const MISNOMERS: Misnomers = {
	binaryProperty: ['binaryPropertyName'],
	inputDataFieldName: ['binaryPropertyName'],
	search: ['nameContains', 'query'],
	title: ['videoTitle', 'videoName', 'name'],
};

/**
 * Builds the properties of the node: Resource, one Operation field per resource, then the fields.
 *
 * @param resources in the order in which the editor lists them; the first is selected in a new node
 */
export function buildProperties(resources: Resource[]): INodeProperties[] {
	const fields = listFields(resources);
	const entries = collectEntries(fields, MISNOMERS);
	const addRouting = ({ option, buildRouting }: Operation) => ({
		option: { ...option, routing: buildRouting(entries) },
	});
	return [
		{
			...buildChoice('Resource', 'resource', resources),
			routing: buildRefusalRouting(resources),
		},
		...resources.map(({ option, operations }) => ({
			...buildChoice('Operation', 'operation', operations.map(addRouting)),
			displayOptions: { show: { resource: [option.value] } },
		})),
		...buildFieldProperties(resources),
		...buildHiddenCopies(fields),
		...buildStrayEntries(entries),
	];
}

export function buildChoice(
	displayName: string,
	name: string,
	choices: { option: INodePropertyOptions }[],
): INodeProperties {
	const options = choices.map(({ option }) => option);
	const { value } = options[0]!;
	return { displayName, name, type: 'options', noDataExpression: true, options, default: value };
}

/**
 * A field is one property for all resources that list it for the same operations: n8n evaluates an
 * expression once for every property of that name, shown or not (findings/hidden-fields-evaluate-too).
 */
function buildFieldProperties(resources: Resource[]): INodeProperties[] {
	const lists = resources.flatMap(({ operations }) => operations.map((it) => it.fields));
	return mergeInOrder(lists).flatMap((field) => {
		const resourcesByOperations = new Map<string, string[]>();
		for (const { option, operations } of resources) {
			const listing = operations.filter((operation) => operation.fields.includes(field));
			if (listing.length === 0) continue;
			const key = listing.map((operation) => operation.option.value).join();
			const others = resourcesByOperations.get(key) ?? [];
			resourcesByOperations.set(key, [...others, String(option.value)]);
		}
		return [...resourcesByOperations].flatMap(([key, resource]) =>
			listVariants(field).map((variant) =>
				toProperty(variant, { resource, operation: key.split(',') }),
			),
		);
	});
}

/**
 * Merges the fields of all operations so that each operation shows its own in the order in which it lists
 * them, whoever else shares them: in front of a field come those that any operation lists before it.
 */
function mergeInOrder(lists: Field[][]): Field[] {
	const merged: Field[] = [];
	const begun = new Set<Field>();
	const add = (field: Field) => {
		if (begun.has(field)) return;
		begun.add(field);
		for (const list of lists.filter((it) => it.includes(field))) {
			list.slice(0, list.indexOf(field)).forEach(add);
		}
		merged.push(field);
	};
	lists.flat().forEach(add);
	return merged;
}

/** @returns the field; one for the node and one for an agent's tool if their defaults differ */
function listVariants(field: Field): Field[] {
	const { defaultOfTool, displayOptions = {} } = field;
	if (defaultOfTool === undefined) return [field];
	const hide = { ...displayOptions.hide, '@tool': [true] };
	const show = { ...displayOptions.show, '@tool': [true] };
	return [
		{ ...field, displayOptions: { ...displayOptions, hide } },
		{ ...field, displayOptions: { ...displayOptions, show }, default: defaultOfTool },
	];
}

/** The values of other fields with which a field is shown, by their names. */
type Conditions = Record<string, string[]>;

/** The keys of a field that n8n's own description has no place for. */
const OWN_KEYS = [
	'allowsObject',
	'defaultOfTool',
	'findBy',
	'format',
	'isLocal',
	'loadChoices',
	'picker',
	'isMergedLast',
	'failsIfExpressionIsEmpty',
] as const;

/** Converts a field into n8n's own type and limits where it is shown. */
export function toProperty(field: Field, show?: Conditions): INodeProperties {
	const property: Field = { ...field };
	for (const key of OWN_KEYS) delete property[key];
	const { displayOptions, options, type } = field;
	if (type === 'collection') property.options = (options as Field[]).map((it) => toProperty(it));
	if (show) {
		property.displayOptions = { ...displayOptions, show: { ...show, ...displayOptions?.show } };
	}
	return property;
}

/**
 * n8n drops in silence what the description does not declare, or does not show: unknown entries of a
 * collection, a collection that is no object, and a field whose condition is met by "false" instead of
 * false (findings/undeclared-parameters-are-dropped). A hidden property of the same name keeps the value, so that this node can refuse or use it.
 *
 * @param fields all fields of a node
 * @returns properties to declare after the fields themselves, because the last of a name prevails
 */
function buildHiddenCopies(fields: Field[]): INodeProperties[] {
	const isDropped = ({ type, displayOptions }: Field) =>
		type === 'collection' || displayOptions?.show !== undefined;
	const byName = new Map(fields.filter(isDropped).map((field) => [field.name, field]));
	return [...byName.values()].map(toHiddenCopy);
}

export function toHiddenCopy({ name, default: preset }: Field): INodeProperties {
	return { displayName: name, name, type: 'hidden', default: preset };
}

/**
 * Declares each entry of a collection and each misnomer as a hidden property, so that n8n keeps the value of
 * one that stands beside its collection or for another field, and this node can refuse it.
 */
export function buildStrayEntries({ entryOnlyNames, misnomers }: Entries): INodeProperties[] {
	return [...entryOnlyNames, ...Object.keys(misnomers)].map(toStrayProperty);
}

/**
 * Builds a hidden property that counts as shown only if it has a value: n8n's routing engine goes over all
 * properties that are shown, twice for each item (findings/hidden-fields-evaluate-too).
 */
export function toStrayProperty(name: string): INodeProperties {
	const displayOptions = { show: { [`/${name}`]: [{ _cnd: { exists: true as const } }] } };
	return { displayName: name, name, type: 'hidden', default: '', displayOptions };
}
