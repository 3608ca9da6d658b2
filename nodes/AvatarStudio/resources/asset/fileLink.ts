import type { IBinaryData } from 'n8n-workflow';

import { parseBaseUrl } from '../../client/authenticate';
import { CREDENTIAL_TYPE } from '../../client/credential';
import { RequestError, type ErrorText } from '../../errors/requestError';
import type { Item } from '../../execution/item';

/** The service may repeat the link in its responses, which end up in saved executions. */
const LINK_LIFETIME = '1 hour';

const OUTDATED: ErrorText = [
	'This version of n8n cannot create links to files',
	'Update n8n to version 1.90 or later, or use Asset: Import From URL.',
];
const IN_MEMORY: ErrorText = [
	'n8n keeps this file in memory and cannot create a link to it',
	'Set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or to database in queue mode), or use Asset: Import From URL.',
];

/** Hosts of the machine itself, then of its network; all others are public. */
const LOOPBACK = /^(localhost|127(\.\d+){3}|0\.0\.0\.0|\[::1?\])$/i;
const PRIVATE =
	/^(10(\.\d+){3}|192\.168(\.\d+){2}|172\.(1[6-9]|2\d|3[01])(\.\d+){2}|169\.254(\.\d+){2}|\[f[cde][\da-f:]*\]|[^.[\]]+|.*\.(local|internal))$/i;

/** @returns from where a host can be reached: 0 its own machine, 1 its network, 2 anywhere */
function getReach(url: string): number {
	const host = new URL(url).hostname.replace(/\.$/, '');
	if (LOOPBACK.test(host)) return 0;
	return PRIVATE.test(host) ? 1 : 2;
}

/**
 * Creates a signed link to a file that n8n holds, for the service to download it from. The link
 * opens that one file only.
 *
 * @throws RequestError before anything is sent, if n8n cannot create the link or the service, by
 *   the host of its Base URL, could not follow it
 */
export async function createFileLink(item: Item, file: IBinaryData): Promise<string> {
	const { helpers } = item.context;
	// n8n before 1.90 does not have the helper that n8n-workflow declares.
	const isOutdated = typeof helpers.createBinarySignedUrl !== 'function';
	if (isOutdated || !file.id) throw new RequestError(...(isOutdated ? OUTDATED : IN_MEMORY));
	const { baseUrl } = await item.context.getCredentials(CREDENTIAL_TYPE);
	const link = helpers.createBinarySignedUrl(file, LINK_LIFETIME);
	if (getReach(link) < getReach(parseBaseUrl(baseUrl))) {
		throw new RequestError(
			`The service cannot download the file from n8n at ${new URL(link).host}`,
			'Set WEBHOOK_URL of n8n to an address that is reachable from the internet, or use Asset: Import From URL.',
		);
	}
	if (!file.id.includes('/temp/')) return link;
	// A file received by a webhook is renamed when the execution ends, which breaks its link.
	const content = await helpers.getBinaryStream(file.id);
	const copy = await helpers.prepareBinaryData(content, file.fileName, file.mimeType);
	return helpers.createBinarySignedUrl(copy, LINK_LIFETIME);
}
