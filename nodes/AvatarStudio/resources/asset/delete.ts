import type { IDataObject } from 'n8n-workflow';

import { toUserError } from '../../errors/userError';
import { makeRequest } from '../../execution/makeRequest';
import { operation } from '../operation';

import { assetId } from './asset';

export const deleteAsset = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete asset',
	description: 'Delete an asset permanently, one for each input item',
	route: 'DELETE /v1/assets/{assetId}',
	fields: [assetId],
	execute: async (item) => {
		const json: IDataObject = { deleted: true, id: item.parameters.assetId };
		await makeRequest(item).catch((error: unknown) => {
			const { code, outcome } = toUserError(error).details;
			// A 404 itself is `notDone`: any other outcome is that of an earlier attempt.
			const mayBeDeleted = outcome !== 'notDone';
			if (code !== 'notFound' || !mayBeDeleted) throw error;
			json.note =
				'Probably deleted by an attempt whose response was lost. The next one got 404, which a gateway or a wrong ID may also cause.';
		});
		return [{ json }];
	},
});
