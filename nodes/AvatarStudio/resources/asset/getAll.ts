import type { INodeProperties } from 'n8n-workflow';

import { readFields } from '../../transport/fields';
import type { Item } from '../../transport/item';
import { gathered, listPages } from '../../transport/list';
import type { PageOptions } from '../../transport/pages';
import { send } from '../../transport/send';
import { limit, returnAll } from '../limit';
import type { Operation } from '../resource';

import { assetList, PAGE_SIZE } from './assetList';

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
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
		},
		{
			displayName: 'Page Size',
			name: 'pageSize',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: PAGE_SIZE,
			description: 'How many assets to ask for in one request',
		},
	],
};

const fields = [returnAll, limit, options];

/** How far to read, out of Return All, Limit and the options. */
function pageOptions(item: Item): PageOptions {
	const chosen = readFields(item.context, fields) as Partial<{
		returnAll: boolean;
		limit: number;
		pageSize: number;
		firstPage: 'auto' | '0' | '1';
	}>;
	const most = chosen.returnAll ? Infinity : (chosen.limit ?? (limit.default as number));
	const { firstPage = 'auto', pageSize = PAGE_SIZE } = chosen;
	return {
		size: Math.min(pageSize, most),
		first: firstPage === 'auto' ? 'auto' : firstPage === '0' ? 0 : 1,
		limit: most,
	};
}

export const getAll: Operation = {
	option: {
		name: 'Get Many',
		value: 'getAll',
		action: 'Get many assets',
		description: 'List the assets of the account, each as an item of its own',
		routing: {
			request: { method: 'GET', url: assetList.url },
			send: { paginate: true },
			operations: {
				pagination: send({
					receive: async (item) => {
						const { context, gate, call } = item;
						const chunks = listPages(context, gate, assetList, pageOptions(item), call);
						const records = await gathered(chunks, assetList.property);
						return records.map((json) => ({ json }));
					},
				}),
			},
		},
	},
	fields,
};
