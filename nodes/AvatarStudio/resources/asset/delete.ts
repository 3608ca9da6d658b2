import type { IDataObject } from 'n8n-workflow';

import { fetchRecords } from '../../client/list';
import { discardBody } from '../../client/response/response';
import { toUserError } from '../../errors/userError';
import { operation } from '../operation';
import { voiceList } from '../voice/voice';

import { assetId } from './assetId';

const NOTE =
	'The service no longer found the asset (404) after an attempt whose response was lost: that attempt deleted it, unless it was not there before.';

export const deleteAsset = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete asset',
	description: 'Delete an asset permanently',
	route: 'DELETE /v1/assets/{assetId}',
	fields: [assetId],
	execute: async ({ client, parameters, request }) => {
		const json: IDataObject = { deleted: true, id: parameters.assetId };
		await client.request(request, discardBody).catch(async (error: unknown) => {
			const { outcome, status } = toUserError(error).details;
			if (status !== 404 || outcome !== 'unknown') throw error;
			// But a gateway without its service has no voices either.
			await fetchRecords(client, voiceList).catch(() => {
				throw error;
			});
			json.note = NOTE;
		});
		return [{ json }];
	},
});
