import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { RequestError } from './errors/requestError';
import { request, type Item } from './item';
import { HTTP_URL } from './parameters';
import { toFileItem } from './response/file';
import { isObject, readJson } from './response/response';

/** What an expired link is answered with; it lives 43200 s (specification, section 2.1). */
const EXPIRED = new Set([400, 401, 403, 404, 410]);

/**
 * Reads a record, then streams the file behind its `url`. The link's host is not the service's:
 * the request to it carries no key. A link that has expired is asked for again, once.
 *
 * @param property the name of the item's field for the file
 * @returns the record as JSON with the file
 * @throws Failure where there is no link, or no file behind it
 */
export async function downloaded(item: Item, property: string): Promise<INodeExecutionData[]> {
	const fetched = async () => await fileBehind(item, await recordWithLink(item), property);
	return [
		await fetched().catch(async (error: unknown) => {
			if (error instanceof LinkRefused) return await fetched();
			throw error;
		}),
	];
}

/** The link, not the service, said no. */
class LinkRefused extends RequestError {}

/**
 * Reads a record for its link, which is a fresh one each time.
 *
 * @throws Failure where it has none
 */
export async function recordWithLink(item: Item): Promise<IDataObject & { url: string }> {
	const record = await request(item, readJson);
	const url = isObject(record) ? record.url : undefined;
	if (isObject(record) && typeof url === 'string' && HTTP_URL.pattern.test(url)) {
		return { ...record, url };
	}
	throw new RequestError({
		message: 'The service gave no download link for this asset',
		hint: 'Run Asset: Get to see what it gives; the file may still be in preparation.',
	});
}

async function fileBehind(
	item: Item,
	record: IDataObject & { url: string },
	property: string,
): Promise<INodeExecutionData> {
	const { name, extension, url } = record;
	const naming = { name: textOr(name), extension: textOr(extension), link: url };
	const { binary } = await request(
		item,
		async (answer) => await toFileItem(item.context, answer, undefined, property, naming),
		{ url, skipAuthentication: true, headers: { accept: '*/*' } },
	).catch((error: unknown) => {
		if (!(error instanceof RequestError)) throw error;
		if (error.details.isStorageError) throw error;
		const isRefused = EXPIRED.has(error.details.status ?? 0);
		throw isRefused ? new LinkRefused({ ...error.details, ...REFUSED }) : ofFile(error, url);
	});
	return { json: record, binary };
}

const REFUSED = {
	message: 'The download link of the asset was refused',
	hint: 'A fresh link was tried as well. Check in the studio application that the file is there.',
};

/** The wordings speak of the service; the file comes from another host. */
function ofFile(failure: RequestError, url: string): RequestError {
	return failure.with({
		message: `The file of the asset did not come from ${new URL(url).host}. ${failure.details.message}`,
		hint: 'Try again later; if it goes on, check that the machine n8n runs on reaches that host.',
	});
}

function textOr(value: unknown): string | undefined {
	return typeof value === 'string' ? value : undefined;
}
