import type { Field } from '../../transport/parameters';

/** Sends fields that `service/openapi.yaml` does not list. */
export const customBody: Field = {
	displayName: 'Custom Body',
	name: 'customBody',
	type: 'json',
	default: '{}',
	description:
		'JSON object with request fields that this node does not offer. They override the fields above.',
};
