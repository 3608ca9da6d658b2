import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { getApiKey, parseBaseUrl } from './authenticate';

export const CREDENTIAL_TYPE = 'avatarStudioApi';

/** The fields of the credential, as the user entered them. */
export type Credential = ICredentialDataDecryptedObject;

/**
 * Identifies the account that the service counts requests by, without keeping its API key.
 *
 * @throws UserError if the base URL is not usable
 */
export function identifyAccount(credential: Credential): string {
	const hash = createHash('sha256').update(getApiKey(credential)).digest('base64');
	return `${parseBaseUrl(credential.baseUrl)} ${hash}`;
}
