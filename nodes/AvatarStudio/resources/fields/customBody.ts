import type { Field } from '../../transport/parameters';

/** Sends fields that `service/openapi.yaml` does not list. */
export const customBody: Field = {
	displayName: 'Custom Body',
	name: 'customBody',
	type: 'json',
	default: '{}',
	description:
		'Further fields of the request body as a JSON object, for what the service offers and this node has no field for. They win over the fields above.',
};
