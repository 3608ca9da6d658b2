import type { IDataObject } from 'n8n-workflow';

import { hasPageSize } from '../client/cursorPages';
import { DEFAULT_PAGE_SIZE, MIN_PAGE_SIZE, type ListEndpoint } from '../client/list';
import type { PageOptions } from '../client/paginate';
import type { Field } from '../execution/field';

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

/** `service/openapi.yaml` does not state the number of the first page. */
const firstPage: Field = {
	displayName: 'First Page',
	name: 'firstPage',
	type: 'options',
	options: [
		{
			name: 'Detect Automatically',
			value: 'auto',
			description: 'Start at page 0, or at page 1 if page 0 is empty or rejected',
		},
		{ name: 'Page 0', value: '0', description: 'For an API that counts pages from 0' },
		{ name: 'Page 1', value: '1', description: 'For an API that counts pages from 1' },
	],
	default: 'auto',
	description: 'Number of the first page. Change only if lists come back incomplete.',
};

/** Builds the options that a list has because of how it is paged. They name its records. */
export function buildPageOptions({ property, paging }: ListEndpoint): Field[] {
	if (!paging) return [];
	const pageSize: Field = {
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_PAGE_SIZE,
		description: `Number of ${property} to request at a time. Change only if lists come back incomplete.`,
	};
	if ('byNumber' in paging) return [firstPage, pageSize];
	return hasPageSize(paging) ? [pageSize] : [];
}

/**
 * @param wanted how many records are wanted: a page need not be longer
 * @returns how to read a list, by First Page and Page Size. A Page Size that the user set is not changed
 *   if the service rejects it.
 */
export function toPageOptions(
	{ firstPage: page, pageSize }: IDataObject,
	wanted = Infinity,
): Partial<PageOptions> {
	const firstNumber = page === '0' || page === '1' ? (Number(page) as 0 | 1) : 'auto';
	const isSizeSet = typeof pageSize === 'number';
	const size = Math.min(isSizeSet ? pageSize : DEFAULT_PAGE_SIZE, wanted);
	return { size, minSize: isSizeSet ? size : MIN_PAGE_SIZE, firstNumber, limit: wanted };
}
