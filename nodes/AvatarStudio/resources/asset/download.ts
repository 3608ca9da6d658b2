import { downloaded } from '../../transport/download';
import { send } from '../../transport/executeItem';
import { UUID } from '../../transport/parameters';
import { fileField } from '../outputFileField';
import type { Operation } from '../properties';

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
