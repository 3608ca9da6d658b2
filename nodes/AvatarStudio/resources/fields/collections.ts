import type { Field } from '../../transport/parameters';

/** Builds the collection of what is rarely needed. Its entries only control the node. */
export function buildOptions(entries: Field[]): Field {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: entries,
		isLocal: true,
	};
}

/** Builds the collection of filters, which the node applies: the service offers none. */
export function buildFilters(entries: Field[]): Field {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options: entries,
		isLocal: true,
	};
}
