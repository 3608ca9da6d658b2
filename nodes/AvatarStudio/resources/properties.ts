import type { INodeProperties } from 'n8n-workflow';

import type { Field } from '../execution/parameters';

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
	const fields = new Set(
		resources.flatMap(({ operations }) => operations.flatMap((operation) => operation.fields)),
	);
	const properties = [...fields].flatMap((field) => {
		const shownFor = new Map<string, { resource: string[]; operation: string[] }>();
		for (const { option, operations } of resources) {
			const listing = operations.filter((operation) => operation.fields.includes(field));
			if (listing.length === 0) continue;
			const values = listing.map((operation) => String(operation.option.value));
			const show = shownFor.get(values.join()) ?? { resource: [], operation: values };
			show.resource.push(String(option.value));
			shownFor.set(values.join(), show);
		}
		return [...shownFor.values()].map((show) => toProperty(field, show));
	});
	const isNotice = ({ type }: INodeProperties) => type === 'notice';
	const countOperations = ({ displayOptions }: INodeProperties) =>
		displayOptions!.show!.operation!.length;
	// An operation's own notice comes before those it shares.
	const notices = properties
		.filter(isNotice)
		.sort((one, other) => countOperations(one) - countOperations(other));
	return [...properties.filter((property) => !isNotice(property)), ...notices];
}

/** Converts a field into n8n's own type and limits where it is shown. */
export function toProperty(
	field: Field,
	show: NonNullable<INodeProperties['displayOptions']>['show'] = {},
): INodeProperties {
	const property: Field = { ...field };
	delete property.format;
	delete property.isLocal;
	delete property.unknownValueHint;
	delete property.findBy;
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
