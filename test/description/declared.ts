import {
	NodeHelpers,
	type INodeParameters,
	type INodeProperties,
	type INodePropertyOptions,
} from 'n8n-workflow';

import { loaded, NODE } from '../engine/engine';

/** The properties of a node type as n8n has them after loading, without n8n's own. */
export function declared(type = NODE): INodeProperties[] {
	return loaded(type).description.properties.filter(({ name }) => name !== 'requestOptions');
}

/** Those and all that lie within them. */
export function everywhere(properties: INodeProperties[]): INodeProperties[] {
	return properties.flatMap((property) => [property, ...everywhere(inside(property))]);
}

/** The fields within a collection. */
export function inside({ type, options = [] }: INodeProperties): INodeProperties[] {
	return type === 'collection' ? (options as INodeProperties[]) : [];
}

/** The choices of a field that offers some. */
export function choicesOf({ type, options = [] }: INodeProperties): INodePropertyOptions[] {
	return ['options', 'multiOptions'].includes(type) ? (options as INodePropertyOptions[]) : [];
}

/** The fields a person sees with these parameters set, notices aside. */
export function shown(parameters: INodeParameters): INodeProperties[] {
	const { description } = loaded(NODE);
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
	return declared().filter(
		(property) =>
			property.type !== 'notice' &&
			property.name in all &&
			NodeHelpers.displayParameter(all, property, node, description),
	);
}
