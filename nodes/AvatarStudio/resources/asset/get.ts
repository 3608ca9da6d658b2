import { send } from '../../transport/executeItem';
import { UUID } from '../../transport/parameters';
import type { Operation } from '../properties';

import { assetId } from './assetId';
import { linkNotice } from './linkNotice';

const fields = [assetId];

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get asset',
		description: 'Get one asset with a fresh download link, which works for 12 hours',
		routing: {
			request: { method: 'GET', url: '/v1/assets/{assetId}' },
			send: { paginate: true },
			operations: { pagination: send({ fields, shapes: { assetId: UUID } }) },
		},
	},
	fields: [...fields, linkNotice],
};
