import type { IDataObject } from 'n8n-workflow';

import { CREDENTIAL_TYPE } from '../client/credential';
import { fetchPages, type ListEndpoint } from '../client/pagination/list';

import type { Item } from './item';

/**
 * Fetches a whole list once for all items of a node run that would send the same requests: the fields
 * of the credential and the Request Options may be expressions that differ from item to item. A later
 * item tries again if that failed.
 */
export async function fetchSharedList(item: Item, list: ListEndpoint): Promise<IDataObject[]> {
	const { context, caller, request, sharedLists } = item;
	const { proxy, skipSslCertificateValidation, timeout } = request;
	const options = { proxy, skipSslCertificateValidation, timeout };
	const { baseUrl, apiKey } = await context.getCredentials(CREDENTIAL_TYPE);
	const key = JSON.stringify([list.url, baseUrl, apiKey, options]);
	const fetchList = async () => {
		const records: IDataObject[] = [];
		for await (const page of fetchPages(context, caller, list, {}, options)) {
			for (const record of page) records.push(record);
		}
		return records;
	};
	let pending = sharedLists.get(key);
	if (!pending) {
		pending = fetchList();
		sharedLists.set(key, pending);
		pending.catch(() => sharedLists.delete(key));
	}
	return await pending;
}
