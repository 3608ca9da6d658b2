import type { IDataObject } from 'n8n-workflow';

import { DEFAULT_PAGE_SIZE, MIN_PAGE_SIZE, type ListEndpoint } from '../client/list';
import type { PageOptions } from '../client/paginate';
import type { Field } from '../execution/parameters';

/** `service/openapi.yaml` does not state the number of the first page. */
export const firstPage: Field = {
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

/** Builds the field for the number of records in a page, which names the records of the list. */
export function buildPageSize({ property }: ListEndpoint): Field {
	return {
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: DEFAULT_PAGE_SIZE,
		description: `Number of ${property} to request at a time. Change only if lists come back incomplete.`,
	};
}

/**
 * @param limit how many records are wanted, of which no more than one page may be needed
 * @returns how to read a list, by the values of these fields; only a size that the user set is kept if
 *   the service rejects it
 */
export function toPageOptions(
	{ firstPage: page, pageSize }: IDataObject,
	limit = Infinity,
): Partial<PageOptions> {
	const firstNumber = page === '0' || page === '1' ? (Number(page) as 0 | 1) : 'auto';
	const isSizeSet = typeof pageSize === 'number';
	const size = Math.min(isSizeSet ? pageSize : DEFAULT_PAGE_SIZE, limit);
	return { size, minSize: isSizeSet ? size : MIN_PAGE_SIZE, firstNumber, limit };
}
