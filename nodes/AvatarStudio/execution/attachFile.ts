import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { isObject } from '../client/response/json';
import { formatErrorText } from '../errors/nodeError';
import { toUserError } from '../errors/requestError';
import { UserError } from '../errors/userError';

import { downloadFile } from './downloadFile';
import { isHttpUrl } from './formats';
import { requestItems, type ItemExecution } from './itemExecution';

/**
 * Sends the request of an item and, if the user wants it, attaches the file that the response links
 * to. What was created may have cost money, so the item does not fail if the file cannot be
 * attached: `fileError` says why.
 */
export async function requestItemsWithFile(item: ItemExecution): Promise<INodeExecutionData[]> {
	const items = await requestItems(item);
	if (!item.parameters.downloadFile) return items;
	return await Promise.all(items.map(async (created) => await attachFile(item, created)));
}

async function attachFile(
	item: ItemExecution,
	created: INodeExecutionData,
): Promise<INodeExecutionData> {
	if (created.binary) return created;
	const { binaryPropertyName = 'data', linkField: wanted } = item.parameters;
	const { json } = created;
	try {
		const url = chooseLink(json, wanted as string | undefined);
		const binary = await downloadFile(item, url, binaryPropertyName as string);
		return { json, binary };
	} catch (error) {
		return { json: { ...json, fileError: formatErrorText(toUserError(error)) } };
	}
}

/** @throws UserError if it is not clear which link leads to the file */
function chooseLink(response: IDataObject, wanted: string | undefined): string {
	const links = new Map(collectLinks(response, ''));
	const fields = [...links.keys()].map((field) => `"${field}"`).join(', ');
	if (wanted !== undefined) {
		const link = links.get(wanted.trim());
		if (link !== undefined) return link;
		throw new UserError(
			`The response contains no link in "${wanted}"`,
			fields === '' ? 'It contains no links at all.' : `It contains links in ${fields}.`,
		);
	}
	const [url, ...others] = new Set(links.values());
	if (url !== undefined && others.length === 0) return url;
	throw url === undefined
		? new UserError(
				'The response contains no link to a file',
				'The file may not be ready yet. Look in the studio application.',
			)
		: new UserError(
				'The response contains several links',
				`Set Link Field to one of these: ${fields}.`,
			);
}

/** @returns the URLs in a response with the path of their fields, such as `result.url` */
function collectLinks(value: unknown, path: string): [field: string, url: string][] {
	if (isHttpUrl(value)) return [[path, value]];
	if (!isObject(value) && !Array.isArray(value)) return [];
	return Object.entries(value).flatMap(([key, entry]) =>
		collectLinks(entry, path === '' ? key : `${path}.${key}`),
	);
}
