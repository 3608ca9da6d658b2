import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { parseBaseUrl } from './authenticate';

export const CREDENTIAL_TYPE = 'avatarStudioApi';

/** The fields of the credential, as the user entered them. */
export type Credential = ICredentialDataDecryptedObject;

/**
 * Identifies the account that the service counts requests by, without keeping its API key.
 *
 * @throws UserError if the base URL is not usable
 */
export function identifyAccount({ baseUrl, apiKey }: Credential): string {
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	const hash = createHash('sha256').update(key).digest('base64');
	return `${parseBaseUrl(baseUrl)} ${hash}`;
}
