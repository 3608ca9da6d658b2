import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import type { Field } from '../execution/parameters';

import type { Resource } from './operation';

/**
 * Builds the properties of the node: Resource, one Operation field per resource, then the fields.
 *
 * @param resources in the order in which the editor lists them; the first is selected in a new node,
 *   and the first with a shared field determines its position
 */
export function buildProperties(resources: Resource[]): INodeProperties[] {
	return [
		buildChoice('Resource', 'resource', resources),
		...resources.map(({ option, operations }) => ({
			...buildChoice('Operation', 'operation', operations),
			displayOptions: { show: { resource: [option.value] } },
		})),
		...buildFieldProperties(resources),
	];
}

function buildChoice(
	displayName: string,
	name: string,
	choices: { option: INodePropertyOptions }[],
): INodeProperties {
	const options = choices.map(({ option }) => option);
	const { value } = options[0]!;
	return { displayName, name, type: 'options', noDataExpression: true, options, default: value };
}

/**
 * A field is one property for all resources that list it for the same operations. n8n evaluates an
 * expression once for every property of that name, shown or not (n8n-core, routing-node.js), so
 * each further property of the same name costs every item as much as the first.
 */
function buildFieldProperties(resources: Resource[]): INodeProperties[] {
	const listings = resources.flatMap(({ operations }) => operations.map(({ fields }) => fields));
	const isNotice = ({ type }: Field) => type === 'notice';
	const fields = new Set([
		// A notice that an operation lists first is shown above all fields, any other below them.
		...listings.flatMap(([first]) => first ?? []).filter(isNotice),
		...listings.flat().filter((field) => !isNotice(field)),
		...listings.flat(),
	]);
	return [...fields].flatMap((field) => {
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
}

/** Converts a field into n8n's own type and limits where it is shown. */
export function toProperty(
	field: Field,
	show: NonNullable<INodeProperties['displayOptions']>['show'] = {},
): INodeProperties {
	const property: Field = { ...field };
	delete property.format;
	delete property.isLocal;
	delete property.needsValues;
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
