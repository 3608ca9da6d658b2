import { send } from '../../transport/executeItem';
import { UUID } from '../../transport/parameters';
import type { Operation } from '../properties';

import { assetId } from './assetId';
import { name } from './name';

const fields = [assetId, name];

export const update: Operation = {
	option: {
		name: 'Update',
		value: 'update',
		action: 'Update asset',
		description: 'Give an asset another name',
		routing: {
			request: { method: 'PATCH', url: '/v1/assets/{assetId}' },
			send: { paginate: true },
			operations: { pagination: send({ fields, shapes: { assetId: UUID } }) },
		},
	},
	fields,
};
