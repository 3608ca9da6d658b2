import type { IBinaryData } from 'n8n-workflow';

import { getReach } from '../../client/reach';
import { quote } from '../../errors/formatText';
import { UserError } from '../../errors/userError';
import type { Item } from '../../execution/nodeRun';

/**
 * The last of many files may wait for hours. The service's own links work as long. Without a unit, it would
 * be milliseconds (findings/digits-are-milliseconds).
 */
const LINK_LIFETIME = '12 hours';

/**
 * Creates a signed link for the service to download a file from n8n. In a dry run its token is masked,
 * because whoever sees the token can download the file.
 *
 * @throws UserError if n8n cannot create the link, or the service could not follow it
 */
export async function createFileLink(item: Item, file: IBinaryData): Promise<string> {
	const isDryRun = item.parameters.dryRun === true;
	const stored = needsCopy(file, isDryRun) ? await storeCopy(item, file) : file;
	assertLinkable(stored);
	const link = item.client.context.helpers.createBinarySignedUrl(stored, LINK_LIFETIME);
	assertReachableBy(link, await item.client.getBaseUrl());
	return isDryRun ? link.replace(/(?<=token=).*/, '…') : link;
}

/**
 * @returns whether n8n must store a file before there can be a link to it. A Code node may give the
 *   content itself. A file that a webhook received is renamed when the execution ends, which would break
 *   its link.
 */
function needsCopy({ id, data }: IBinaryData, isDryRun: boolean): boolean {
	if (!id) return data !== undefined;
	return id.includes('/temp/') && !isDryRun;
}

async function storeCopy({ client }: Item, file: IBinaryData): Promise<IBinaryData> {
	const { helpers } = client.context;
	const { id, data, fileName, mimeType } = file;
	const content = id ? await helpers.getBinaryStream(id) : Buffer.from(data, 'base64');
	return await helpers.prepareBinaryData(content, fileName, mimeType);
}

function assertLinkable({ id, fileName, fileSize }: IBinaryData): void {
	// Every version of n8n writes the size of an empty file like this (n8n-core 2.41.1,
	// binary-data.service.js).
	if (fileSize === '0 B') {
		throw new UserError(`The file ${quote(fileName ?? '')} is empty`, 'Use another file.');
	}
	if (id) return;
	throw new UserError(
		'n8n keeps this file in memory and cannot create a link to it',
		'Set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or to database in queue mode), or use Asset: Import From URL. If a Code node made the file, enter its field instead of an expression.',
	);
}

function assertReachableBy(link: string, baseUrl: string): void {
	if (getReach(link) >= getReach(baseUrl)) return;
	throw new UserError(
		`The service cannot download the file from n8n at ${new URL(link).host}`,
		'Set N8N_WEBHOOK_URL of n8n (WEBHOOK_URL on n8n 1.x) to an address that is reachable from the internet, or use Asset: Import From URL.',
	);
}
