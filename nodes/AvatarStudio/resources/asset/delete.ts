import type { INodeExecutionData } from 'n8n-workflow';

import { discardBody } from '../../client/response/response';
import { RequestError } from '../../errors/requestError';
import { sendItemRequest, type Item } from '../../execution/item';
import { operation } from '../operation';

import { assetId } from './assetId';

export const deleteAsset = operation({
	name: 'Delete',
	value: 'delete',
	action: 'Delete asset',
	description: 'Delete an asset permanently',
	route: 'DELETE /v1/assets/{assetId}',
	fields: [assetId],
	execute: confirmDeletion,
});

/** An asset that is missing after an interrupted attempt was deleted by that attempt. */
async function confirmDeletion(item: Item): Promise<INodeExecutionData[]> {
	await sendItemRequest(item, discardBody).catch((error: unknown) => {
		const wasDeletedBefore =
			error instanceof RequestError &&
			error.details.status === 404 &&
			[error.details, item].some(({ earlierAttemptUncertain }) => earlierAttemptUncertain);
		if (!wasDeletedBefore) throw error;
	});
	return [{ json: { deleted: true, id: item.parameters.assetId } }];
}
