import { createHash } from 'node:crypto';

import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { parseBaseUrl } from './authenticate';
import type { RequestContext } from './sendRequest';

export const CREDENTIAL_TYPE = 'avatarStudioApi';

/** Reads the fields of the credential. */
export type GetCredential = () => Promise<ICredentialDataDecryptedObject>;

/**
 * Reads the credential once for requests that share it: n8n decrypts it each time, which took half
 * the CPU time of reading a list. Items never share it, because a field may be an expression on the
 * item.
 *
 * @returns a function that reads it again only after n8n could not read it
 */
export function readCredentialOnce(context: RequestContext): GetCredential {
	let credential: ReturnType<GetCredential> | undefined;
	return async () =>
		await (credential ??= context.getCredentials(CREDENTIAL_TYPE).catch((error: unknown) => {
			credential = undefined;
			throw error;
		}));
}

/**
 * Identifies the account that the service counts requests by, without keeping its API key.
 *
 * @throws RequestError if the base URL is not usable
 */
export function getAccount({ baseUrl, apiKey }: ICredentialDataDecryptedObject): string {
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	const hash = createHash('sha256').update(key).digest('base64');
	return `${parseBaseUrl(baseUrl)} ${hash}`;
}
