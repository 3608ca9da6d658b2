import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { getNodeType, NODE } from './engine/engine';

/** The properties of a node type as n8n loads them, without those that n8n adds. */
export function getProperties(type = NODE): INodeProperties[] {
	return getNodeType(type).description.properties.filter(({ name }) => name !== 'requestOptions');
}

/** These properties and all nested ones. */
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

/** The options of a field; empty if it has none. */
export function getOptions({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return ['options', 'multiOptions'].includes(type) ? (options as INodePropertyOptions[]) : [];
}
