import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

/** One operation: how the editor offers it, its route and answer, and the fields it has. */
export interface Operation {
	option: INodePropertyOptions;
	fields: INodeProperties[];
}

/** One resource with its operations, in the order the editor lists them. */
export interface Resource {
	option: INodePropertyOptions;
	operations: Operation[];
	/** The operation that is chosen when the person picks the resource. */
	defaultOperation: string;
}

/**
 * The properties of the node: Resource, one Operation field for each resource, then the fields.
 *
 * A field that several operations share is one property: n8n evaluates an expression once for
 * every property of that name, shown or not (n8n-core, routing-node.js), so a second property
 * of the same name costs each item as much as the first.
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
				// By locale it would take 7 ms longer to load the package, which takes 10.
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
	defaultOperation: preset,
}: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [option.value] } },
		options: operations.map((operation) => operation.option),
		default: preset,
	};
}

function buildFieldProperties(resources: Resource[]): INodeProperties[] {
	const shown = new Map<INodeProperties, { resource: Set<string>; operation: Set<string> }>();
	for (const { option, operations } of resources) {
		for (const operation of operations) {
			for (const field of operation.fields) {
				const where = shown.get(field) ?? { resource: new Set(), operation: new Set() };
				where.resource.add(String(option.value));
				where.operation.add(String(operation.option.value));
				shown.set(field, where);
			}
		}
	}
	const noticesLast = [...shown].sort(
		([one], [other]) => Number(one.type === 'notice') - Number(other.type === 'notice'),
	);
	return noticesLast.map(([field, { resource, operation }]) => ({
		...field,
		displayOptions: {
			...field.displayOptions,
			show: {
				resource: [...resource],
				operation: [...operation],
				...field.displayOptions?.show,
			},
		},
	}));
}
