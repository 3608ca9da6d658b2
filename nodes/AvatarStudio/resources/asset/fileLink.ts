import type { IBinaryData } from 'n8n-workflow';

import { getReach } from '../../client/reach';
import { quote } from '../../errors/formatText';
import { UserError } from '../../errors/userError';
import type { Item } from '../../execution/nodeRun';

/** As long as the service's own links: the last of many files may wait for hours. */
const LINK_LIFETIME = '12 hours';

/**
 * Creates a signed link for the service to download a file from; in a dry run, nobody can open it.
 *
 * @throws UserError if n8n cannot create the link, or the service could not follow it
 */
export async function createFileLink({ client, parameters }: Item, file: IBinaryData) {
	const { helpers } = client.context;
	const { data, fileName, id, mimeType } = file;
	let stored = file;
	// A Code node may give the content itself, and a file that a webhook received is renamed when the
	// execution ends, which breaks its link.
	if (id ? id.includes('/temp/') && !parameters.dryRun : data !== undefined) {
		const content = id ? await helpers.getBinaryStream(id) : Buffer.from(data, 'base64');
		stored = await helpers.prepareBinaryData(content, fileName, mimeType);
	}
	// As n8n writes it, on every version.
	if (stored.fileSize === '0 B') {
		throw new UserError(`The file ${quote(fileName ?? '')} is empty`, 'Use another file.');
	}
	if (!stored.id) {
		throw new UserError(
			'n8n keeps this file in memory and cannot create a link to it',
			'Set N8N_DEFAULT_BINARY_DATA_MODE to filesystem (or to database in queue mode), or use Asset: Import From URL. If a Code node made the file, enter its field instead of an expression.',
		);
	}
	const link = helpers.createBinarySignedUrl(stored, LINK_LIFETIME);
	if (getReach(link) < getReach(await client.getBaseUrl())) {
		throw new UserError(
			`The service cannot download the file from n8n at ${new URL(link).host}`,
			'Set WEBHOOK_URL of n8n to an address that is reachable from the internet, or use Asset: Import From URL.',
		);
	}
	// Whoever sees the token can download the file.
	return parameters.dryRun ? link.replace(/(?<=token=).*/, '…') : link;
}
