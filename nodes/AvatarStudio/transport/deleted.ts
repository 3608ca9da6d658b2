import type { INodeExecutionData } from 'n8n-workflow';

import { RequestError } from './errors/requestError';
import { request, type Item } from './item';
import { discardBody } from './response/response';

/**
 * Sends a deletion. A record that is no longer there after a try that broke off was deleted by
 * that try.
 *
 * @param idField the name of the field with the record's ID
 * @returns n8n's usual answer to a deletion, with the ID
 */
export async function deleted(item: Item, idField: string): Promise<INodeExecutionData[]> {
	await request(item, discardBody).catch((error: unknown) => {
		const goneBefore =
			error instanceof RequestError &&
			error.details.status === 404 &&
			error.details.earlierAttemptUncertain;
		if (!goneBefore) throw error;
	});
	return [{ json: { deleted: true, id: item.values[idField] } }];
}
