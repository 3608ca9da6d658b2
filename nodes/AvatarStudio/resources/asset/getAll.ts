import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { send } from '../../transport/executeItem';
import type { Item } from '../../transport/item';
import { collect, fetchPages } from '../../transport/pagination/list';
import { readParameters } from '../../transport/parameters';
import { limit, returnAll } from '../limit';
import type { Operation } from '../properties';

import { assetList } from './assetList';
import { linkNotice } from './linkNotice';
import { firstPage, toPageOptions, pageSize, type PageParameters } from './pageFields';

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [firstPage, pageSize],
};

const fields = [returnAll, limit, options];

async function assets({ context, rateLimiter: gate, call }: Item): Promise<INodeExecutionData[]> {
	const chosen = readParameters(context, fields) as PageParameters & {
		returnAll?: boolean;
		limit?: number;
	};
	const most = chosen.returnAll ? Infinity : (chosen.limit ?? 50);
	const chunks = fetchPages(context, gate, assetList, toPageOptions(chosen, most), call);
	const records = await collect(chunks, assetList.property);
	return records.map((json) => ({ json }));
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
			operations: { pagination: send({ receive: assets }) },
		},
	},
	fields: [...fields, linkNotice],
};
