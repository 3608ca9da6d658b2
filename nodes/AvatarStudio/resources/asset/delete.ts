import { deleted } from '../../transport/deleted';
import { UUID } from '../../transport/fields';
import { send } from '../../transport/send';
import type { Operation } from '../resource';

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
