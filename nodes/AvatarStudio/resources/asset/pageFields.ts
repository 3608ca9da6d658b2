import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../transport/errors/requestError';
import type { PageOptions } from '../../transport/pagination/paginate';
import type { Field } from '../../transport/parameters';

const DEFAULT_PAGE_SIZE = 100;
const FIRST_PAGES = new Map<unknown, PageOptions['first']>([
	['auto', 'auto'],
	['0', 0],
	['1', 1],
]);

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

export const pageSize: Field = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_PAGE_SIZE,
	description: 'Number of assets to request at a time. Change only if lists come back incomplete.',
};

/**
 * Converts the values of these fields into the options of a paginated list.
 *
 * @param limit how many records are wanted
 */
export function toPageOptions(
	{ firstPage: page = 'auto', pageSize: size = DEFAULT_PAGE_SIZE }: IDataObject,
	limit = Infinity,
): PageOptions {
	const first = FIRST_PAGES.get(page);
	if (first === undefined) {
		throw new RequestError({
			message: 'First Page is not one of its options',
			hint: 'Select Detect Automatically, Page 0 or Page 1.',
		});
	}
	return { size: Math.min(size as number, limit), first, limit };
}
