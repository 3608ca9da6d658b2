import type { IBinaryData } from 'n8n-workflow';

import { getReach } from '../../client/hosts';
import { UserError, type ErrorText } from '../../errors/userError';
import type { ItemExecution } from '../../execution/itemExecution';

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

/**
 * Creates a signed link to a file that n8n holds, for the service to download it from. The link
 * opens that one file only. In a dry run, nothing can be downloaded from it.
 *
 * @throws UserError before anything is sent, if n8n cannot create the link or the service, by
 *   the host of its Base URL, could not follow it
 */
export async function createFileLink(
	{ client, parameters }: ItemExecution,
	file: IBinaryData,
): Promise<string> {
	const { helpers } = client.context;
	// n8n before 1.90 does not have the helper that n8n-workflow declares.
	const isOutdated = typeof helpers.createBinarySignedUrl !== 'function';
	if (isOutdated || !file.id) throw new UserError(...(isOutdated ? OUTDATED : IN_MEMORY));
	const link = helpers.createBinarySignedUrl(file, LINK_LIFETIME);
	if (getReach(link) < getReach(await client.getBaseUrl())) {
		throw new UserError(
			`The service cannot download the file from n8n at ${new URL(link).host}`,
			'Set WEBHOOK_URL of n8n to an address that is reachable from the internet, or use Asset: Import From URL.',
		);
	}
	// Whoever sees the token can download the file.
	if (parameters.dryRun) return link.replace(/(?<=token=).*/, '…');
	if (!file.id.includes('/temp/')) return link;
	// A file received by a webhook is renamed when the execution ends, which breaks its link.
	const content = await helpers.getBinaryStream(file.id);
	const copy = await helpers.prepareBinaryData(content, file.fileName, file.mimeType);
	return helpers.createBinarySignedUrl(copy, LINK_LIFETIME);
}
