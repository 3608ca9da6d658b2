import { deleted } from '../../transport/deleted';
import { send } from '../../transport/executeItem';
import { UUID } from '../../transport/parameters';
import type { Operation } from '../properties';

import { assetId } from './assetId';

const fields = [assetId];

export const deleteAsset: Operation = {
	option: {
		name: 'Delete',
		value: 'delete',
		action: 'Delete asset',
		description: 'Delete an asset for good',
		routing: {
			request: { method: 'DELETE', url: '/v1/assets/{assetId}' },
			send: { paginate: true },
			operations: {
				pagination: send({
					fields,
					shapes: { assetId: UUID },
					receive: async (item) => await deleted(item, 'assetId'),
				}),
			},
		},
	},
	fields,
};
