import { downloaded } from '../../transport/download';
import { UUID } from '../../transport/fields';
import { send } from '../../transport/send';
import { fileField } from '../fileField';
import type { Operation } from '../resource';

import { assetId } from './assetId';

const fields = [assetId, fileField];

export const download: Operation = {
	option: {
		name: 'Download',
		value: 'download',
		action: 'Download asset',
		description: 'Get the file of an asset, next to the asset itself',
		routing: {
			request: { method: 'GET', url: '/v1/assets/{assetId}' },
			send: { paginate: true },
			operations: {
				pagination: send({
					fields,
					shapes: { assetId: UUID },
					receive: async (item) => await downloaded(item, item.values.binaryPropertyName as string),
					timeout: 300_000,
				}),
			},
		},
	},
	fields,
};
