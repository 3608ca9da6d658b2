import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { getNodeType, NODE } from './engine/engine';

/** The properties of a node type as n8n has them after loading, without n8n's own. */
export function getProperties(type = NODE): INodeProperties[] {
	return getNodeType(type).description.properties.filter(({ name }) => name !== 'requestOptions');
}

/** Those and all that lie within them. */
export function flattenProperties(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [
		property,
		...flattenProperties(getNestedProperties(property)),
	]);
}

/** The fields within a collection. */
export function getNestedProperties({ type, options = [] }: INodeProperties): INodeProperties[] {
	return type === 'collection' ? (options as INodeProperties[]) : [];
}

/** The choices of a field that offers some. */
export function getOptions({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return ['options', 'multiOptions'].includes(type) ? (options as INodePropertyOptions[]) : [];
}

/** The fields a person sees with these parameters set, notices aside. */
export function getVisibleProperties(parameters: INodeParameters): INodeProperties[] {
	const { description } = getNodeType(NODE);
	const node = { typeVersion: 1 };
	const all =
		NodeHelpers.getNodeParameters(
			description.properties,
			parameters,
			true,
			false,
			node,
			description,
		) ?? {};
	return getProperties().filter(
		(property) =>
			property.type !== 'notice' &&
			property.name in all &&
			NodeHelpers.displayParameter(all, property, node, description),
	);
}
