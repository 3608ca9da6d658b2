import type { IDataObject } from 'n8n-workflow';

import type { Field } from '../execution/parameters';

export const returnAll: Field = {
	displayName: 'Return All',
	name: 'returnAll',
	type: 'boolean',
	default: false,
	description: 'Whether to return all results or only up to a given limit',
	isLocal: true,
};

export const limit: Field = {
	displayName: 'Limit',
	name: 'limit',
	type: 'number',
	displayOptions: { show: { returnAll: [false] } },
	typeOptions: { minValue: 1 },
	default: 50,
	description: 'Max number of results to return',
	isLocal: true,
	failsIfExpressionIsEmpty: true,
};

/** @returns how many records the user wants, Infinity for all */
export function getLimit(parameters: IDataObject): number {
	return parameters.returnAll ? Infinity : Number(parameters.limit ?? limit.default);
}
