import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../execution/field';

import type { Resource } from './operation';
import { buildRefusalRouting } from './refuseUnknown';

/**
 * Builds the properties of the node: Resource, one Operation field per resource, then the fields.
 *
 * @param resources in the order in which the editor lists them; the first is selected in a new node
 */
export function buildProperties(resources: Resource[]): INodeProperties[] {
	return [
		{
			...buildChoice('Resource', 'resource', resources),
			routing: buildRefusalRouting(resources),
		},
		...resources.map(({ option, operations }) => ({
			...buildChoice('Operation', 'operation', operations),
			displayOptions: { show: { resource: [option.value] } },
		})),
		...addHiddenCopies(buildFieldProperties(resources)),
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
 * expression once for every property of that name, shown or not (n8n-core, routing-node.js).
 */
function buildFieldProperties(resources: Resource[]): INodeProperties[] {
	const lists = resources.flatMap(({ operations }) => operations.map((it) => it.fields));
	setNamesakes(lists.flat());
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
 * them, whoever else shares them.
 */
function mergeInOrder(lists: Field[][]): Field[] {
	const merged: Field[] = [];
	for (const list of lists) {
		// A field that is not there yet is put before the next one of its operation that is.
		let place = merged.length;
		for (const field of [...list].reverse()) {
			const index = merged.indexOf(field);
			if (index < 0) merged.splice(place, 0, field);
			else place = index;
		}
	}
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

/**
 * When a user chooses another operation, the editor keeps the entries of its collections of the same
 * name, and shows none that the new operation does not have. So a collection learns which those are.
 *
 * @param fields all fields of a node
 */
export function setNamesakes(fields: Field[]): void {
	for (const field of fields.filter(({ type }) => type === 'collection')) {
		field.namesakes = fields.filter(({ type, name }) => type === field.type && name === field.name);
	}
}

/** The values of other fields with which a field is shown, by their names. */
type Conditions = Record<string, string[]>;

/** The keys of a field that n8n's own description has no place for. */
const OWN_KEYS = [
	'allowsObject',
	'defaultOfTool',
	'findBy',
	'namesakes',
	'format',
	'isLocal',
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
 * n8n drops unknown entries of a collection, and a collection that is no object, before this node runs.
 * So that the node can refuse them, a hidden property keeps them, one for all collections of a name:
 * n8n evaluates an expression once for every property of that name.
 *
 * @returns the properties, and after them the hidden ones, because the last of a name prevails
 */
export function addHiddenCopies(properties: INodeProperties[]): INodeProperties[] {
	const collections = properties.filter(({ type }) => type === 'collection');
	const names = new Set(collections.map(({ name }) => name));
	const hidden = [...names].map((name) => {
		const namesakes = collections.filter((it) => it.name === name);
		return toHiddenCopy(namesakes[0]!, { show: mergeConditions(namesakes) });
	});
	return [...properties, ...hidden];
}

/** @returns the conditions under which at least each of the properties is shown */
function mergeConditions(properties: INodeProperties[]): Conditions {
	const merged: Conditions = {};
	for (const { displayOptions } of properties) {
		for (const [name, values = []] of Object.entries(displayOptions!.show!)) {
			merged[name] = [...new Set([...(merged[name] ?? []), ...(values as string[])])];
		}
	}
	return merged;
}

/** Builds a property that keeps the value of a field as it is. It stands after the field itself. */
export function toHiddenCopy(
	{ displayName, name, default: preset }: INodeProperties,
	displayOptions: IDisplayOptions,
): INodeProperties {
	return { displayName, name, type: 'hidden', default: preset, displayOptions };
}
