import type { IDataObject } from 'n8n-workflow';

import { RequestError } from '../../transport/errors/requestError';
import type { PageOptions } from '../../transport/pagination/paginate';
import type { Field } from '../../transport/parameters';

const DEFAULT_PAGE_SIZE = 100;
const FIRST_PAGES: Record<string, PageOptions['first']> = { auto: 'auto', 0: 0, 1: 1 };

/** `service/openapi.yaml` does not state the number of the first page. */
export const firstPage: Field = {
	displayName: 'First Page',
	name: 'firstPage',
	type: 'options',
	options: [
		{ name: 'Find Out', value: 'auto', description: 'Ask for page 0, then for page 1' },
		{ name: 'Page 0', value: '0' },
		{ name: 'Page 1', value: '1' },
	],
	default: 'auto',
	description:
		'The number the service gives to the first page, which its specification does not tell',
};

export const pageSize: Field = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: DEFAULT_PAGE_SIZE,
	description: 'How many assets to ask for in one request',
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
	const first = FIRST_PAGES[page as string];
	if (first === undefined) {
		throw new RequestError({
			message: 'First Page is not one of its choices',
			hint: 'Choose one.',
		});
	}
	return { size: Math.min(size as number, limit), first, limit };
}
