import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { readFields } from '../../transport/fields';
import type { Item } from '../../transport/item';
import { gathered, listPages } from '../../transport/list';
import { send } from '../../transport/send';
import { limit, returnAll } from '../limit';
import type { Operation } from '../resource';

import { assetList } from './assetList';
import { linkNotice } from './linkNotice';
import { firstPage, pageOptions, pageSize, type PageChoice } from './pageFields';

const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [firstPage, pageSize],
};

const fields = [returnAll, limit, options];

async function assets({ context, gate, call }: Item): Promise<INodeExecutionData[]> {
	const chosen = readFields(context, fields) as PageChoice & {
		returnAll?: boolean;
		limit?: number;
	};
	const most = chosen.returnAll ? Infinity : (chosen.limit ?? 50);
	const chunks = listPages(context, gate, assetList, pageOptions(chosen, most), call);
	const records = await gathered(chunks, assetList.property);
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
