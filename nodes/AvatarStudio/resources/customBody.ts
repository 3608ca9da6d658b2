import type { INodeProperties } from 'n8n-workflow';

/** The way around every field that the specification does not name. */
export const customBody: INodeProperties = {
	displayName: 'Custom Body',
	name: 'customBody',
	type: 'json',
	default: '{}',
	description:
		'Further fields of the request body as a JSON object, for what the service offers and this node has no field for. They win over the fields above.',
};
