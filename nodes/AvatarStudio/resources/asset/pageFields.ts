import type { INodeProperties } from 'n8n-workflow';

import { RequestError } from '../../transport/errors/requestError';
import type { PageOptions } from '../../transport/pagination/paginate';

const PAGE_SIZE = 100;
const FIRST_PAGES: Record<string, 0 | 1 | 'auto'> = { auto: 'auto', 0: 0, 1: 1 };

/** A person may have to say it, because the specification does not. */
export const firstPage: INodeProperties = {
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

export const pageSize: INodeProperties = {
	displayName: 'Page Size',
	name: 'pageSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: PAGE_SIZE,
	description: 'How many assets to ask for in one request',
};

/** The values of those fields; one that is not set is not there. */
export interface PageParameters {
	firstPage?: string;
	pageSize?: number;
}

/**
 * How a list is read, by what the person chose.
 *
 * @param limit how many records are wanted in all
 */
export function toPageOptions(chosen: PageParameters, limit = Infinity): PageOptions {
	const first = FIRST_PAGES[chosen.firstPage ?? 'auto'];
	if (first === undefined) {
		throw new RequestError({
			message: 'First Page is not one of its choices',
			hint: 'Choose one.',
		});
	}
	return { size: Math.min(chosen.pageSize ?? PAGE_SIZE, limit), first, limit };
}
