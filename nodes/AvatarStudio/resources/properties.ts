import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../transport/parameters';

import type { Resource } from './operation';

/**
 * Builds the properties of the node: Resource, one Operation field per resource, then the fields.
 *
 * @param resources the first resource with a shared field determines its position
 */
export function buildProperties(resources: Resource[]): INodeProperties[] {
	return [
		{
			displayName: 'Resource',
			name: 'resource',
			type: 'options',
			noDataExpression: true,
			options: resources
				.map(({ option }) => option)
				// localeCompare would add 7 ms to the 10 ms that loading the package takes.
				.sort((one, other) => (one.name < other.name ? -1 : 1)),
			default: 'video',
		},
		...resources.map(buildOperationProperty),
		...buildFieldProperties(resources),
	];
}

function buildOperationProperty({
	option,
	operations,
	defaultOperation,
}: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [option.value] } },
		options: operations.map((operation) => operation.option),
		default: defaultOperation,
	};
}

/**
 * A field is one property for all resources that list it for the same operations. n8n evaluates an
 * expression once for every property of that name, shown or not (n8n-core, routing-node.js), so
 * each further property of the same name costs every item as much as the first.
 */
function buildFieldProperties(resources: Resource[]): INodeProperties[] {
	const properties = [...collectFields(resources)].flatMap(([field, operationsByResource]) => {
		const resourcesByOperations = new Map<string, string[]>();
		for (const [resource, operations] of operationsByResource) {
			const key = operations.join();
			resourcesByOperations.set(key, [...(resourcesByOperations.get(key) ?? []), resource]);
		}
		return [...resourcesByOperations].map(([operations, resourceNames]) =>
			toProperty(field, { resource: resourceNames, operation: operations.split(',') }),
		);
	});
	const isNotice = ({ type }: INodeProperties) => type === 'notice';
	return [...properties.filter((property) => !isNotice(property)), ...properties.filter(isNotice)];
}

/** @returns the operations that list each field, by resource */
function collectFields(resources: Resource[]): Map<Field, Map<string, string[]>> {
	const fields = new Map<Field, Map<string, string[]>>();
	for (const { option: resourceOption, operations } of resources) {
		const resource = String(resourceOption.value);
		for (const { option, fields: operationFields } of operations) {
			for (const field of operationFields) {
				const operationsByResource = fields.get(field) ?? new Map<string, string[]>();
				const listed = operationsByResource.get(resource) ?? [];
				operationsByResource.set(resource, [...listed, String(option.value)]);
				fields.set(field, operationsByResource);
			}
		}
	}
	return fields;
}

/** Converts a field into n8n's own type and limits where it is shown. */
export function toProperty(
	field: Field,
	show: NonNullable<INodeProperties['displayOptions']>['show'] = {},
): INodeProperties {
	const property: Field = { ...field };
	delete property.format;
	delete property.isLocal;
	delete property.lookupHint;
	delete property.lookUp;
	delete property.allowsObject;
	if (property.type === 'collection') {
		property.options = (property.options as Field[]).map((entry) => toProperty(entry));
	}
	if (property.displayOptions ?? Object.keys(show).length > 0) {
		property.displayOptions = {
			...property.displayOptions,
			show: { ...show, ...property.displayOptions?.show },
		};
	}
	return property;
}
