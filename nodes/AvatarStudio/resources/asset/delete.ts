import { fetchRecords } from '../../client/list';
import { discardBody } from '../../client/response/response';
import { toUserError } from '../../errors/userError';
import { operation } from '../operation';
import { voiceList } from '../voice/voice';

import { assetId } from './assetId';

export const deleteAsset = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete asset',
	description: 'Delete an asset permanently',
	route: 'DELETE /v1/assets/{assetId}',
	fields: [assetId],
	execute: async ({ client, parameters, request }) => {
		await client.request(request, discardBody).catch(async (error: unknown) => {
			const { outcome, status } = toUserError(error).details;
			// An asset that is missing after an interrupted attempt was deleted by that attempt.
			if (status !== 404 || outcome !== 'unknown') throw error;
			// But a gateway without its service has no voices either.
			await fetchRecords(client, voiceList).catch(() => {
				throw error;
			});
		});
		return [{ json: { deleted: true, id: parameters.assetId } }];
	},
});
