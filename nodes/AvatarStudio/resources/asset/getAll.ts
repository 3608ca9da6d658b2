import { collect, fetchPages } from '../../transport/pagination/list';
import type { Field } from '../../transport/parameters';
import { getLimit, limit, returnAll } from '../fields/limit';
import { operation } from '../operation';

import { assetList } from './assetList';
import { linkNotice } from './linkNotice';
import { firstPage, pageSize, toPageOptions } from './pageFields';

const options: Field = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	isLocal: true,
	placeholder: 'Add option',
	default: {},
	options: [firstPage, pageSize],
};

export const getAll = operation({
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many assets',
	description: 'List the assets of the account, each as an item of its own',
	route: 'GET /v1/assets',
	fields: [returnAll, limit, options, linkNotice],
	execute: async ({ context, rateLimiter, parameters, request }) => {
		const pageOptions = toPageOptions(parameters, getLimit(parameters));
		const pages = fetchPages(context, rateLimiter, assetList, pageOptions, request);
		const assets = await collect(pages, assetList.property);
		return assets.map((json) => ({ json }));
	},
});
