import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../execution/parameters';

import type { Resource } from './operation';
import { buildRefusalRouting } from './refuseUnknown';

/**
 * Builds the properties of the node: Resource, one Operation field per resource, then the fields.
 *
 * @param resources in the order in which the editor lists them; the first is selected in a new node,
 *   and the first with a shared field determines its position
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
		...buildFieldProperties(resources),
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
	const fields = resources.flatMap(({ operations }) => operations.flatMap((it) => it.fields));
	return [...new Set(fields)].flatMap((field) => {
		const resourcesByOperations = new Map<string, string[]>();
		for (const { option, operations } of resources) {
			const listing = operations.filter((operation) => operation.fields.includes(field));
			if (listing.length === 0) continue;
			const key = listing.map((operation) => operation.option.value).join();
			const others = resourcesByOperations.get(key) ?? [];
			resourcesByOperations.set(key, [...others, String(option.value)]);
		}
		return [...resourcesByOperations].map(([key, resource]) =>
			toProperty(field, { resource, operation: key.split(',') }),
		);
	});
}

/** The keys of a field that n8n's own description has no place for. */
const OWN_KEYS = [
	'allowsObject',
	'findBy',
	'format',
	'isLocal',
	'picker',
	'isMergedLast',
	'failsIfExpressionIsEmpty',
	'refusesExpression',
] as const;

/** Converts a field into n8n's own type and limits where it is shown. */
export function toProperty(field: Field, show?: Record<string, string[]>): INodeProperties {
	const property: Field = { ...field };
	for (const key of OWN_KEYS) delete property[key];
	const { displayOptions, options, type } = field;
	if (type === 'collection') property.options = (options as Field[]).map((it) => toProperty(it));
	if (show) {
		property.displayOptions = { ...displayOptions, show: { ...show, ...displayOptions?.show } };
	}
	return property;
}
