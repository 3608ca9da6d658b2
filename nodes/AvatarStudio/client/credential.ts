import { createHash } from 'node:crypto';

import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { UserError } from '../errors/userError';

import { assertAccountFieldsAreValid, getAccountHeaders } from './accountFields';
import { parseUrl } from './parseUrl';
import { getReach, isLoopback } from './reach';

export const CREDENTIAL_TYPE = 'avatarStudioApi';

export type Credential = ICredentialDataDecryptedObject;

/** The HTTP Request node passes legacy options, whose redirect switches have other names. */
type AnyRequestOptions = IHttpRequestOptions & {
	uri?: string;
	rejectUnauthorized?: boolean;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
};

/**
 * Parses a Base URL as users paste it: with spaces around it, slashes or `/v1` at its end, or a path
 * prefix.
 *
 * @returns origin and path prefix without a trailing slash, such as `https://api.example.com/eu`
 * @throws UserError naming the field, unless it is `https:`, or `http:` on a loopback host
 */
export function parseBaseUrl(baseUrl: unknown): string {
	const text = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (text === '') throw new UserError('Base URL is empty', 'Enter it in the credential.');
	const url = parseUrl(text);
	const isEncrypted = url?.protocol === 'https:';
	const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname);
	if (!url || !(isEncrypted || isLocal)) {
		throw new UserError(
			'Base URL is not an https:// address',
			'Correct it in the credential, like https://api.example.com: the API key must only be sent encrypted.',
		);
	}
	if (url.username + url.password + url.search + url.hash !== '') {
		throw new UserError(
			'Base URL contains more than an address',
			'Remove the user name, the question mark or the hash from it in the credential.',
		);
	}
	// The look-behind keeps the expression from starting again at each slash of a long run of them.
	return url.origin + url.pathname.replace(/(?<!\/)\/+(v1\/*)?$/, '');
}

/**
 * Identifies the account that a credential is for, by all of it that is sent to the service. What follows
 * from two credentials with the same text:
 * - Their requests share what the service allows (`findLimiter` in client.ts).
 * - A list that one has read is the list of the other, within a run (`fetchSharedRecords`), and how it is
 *   paged is known (`getKnownList`).
 * - What an agent creates with one is not created again with the other (`createOnce`).
 * - The trigger takes the records it has seen with one for seen with the other (`identify` in state.ts).
 * - How long the renderings of one took tells when to look for those of the other (`getRenderTimes`).
 *
 * @throws UserError as `parseBaseUrl` does
 */
export function identifyAccount(credential: Credential): string {
	const headers = JSON.stringify(getAccountHeaders(credential));
	const hash = createHash('sha256').update(headers).digest('base64');
	return `${parseBaseUrl(credential.baseUrl)} ${hash}`;
}

/**
 * Adds the API key to a request, changed in place, for a path or an address of the Base URL's origin.
 * n8n must never follow its redirects: it would carry the key to another host, and n8n 1.x ignores
 * `allowedDomains` (test/credentials/allowedDomains.test.ts).
 *
 * @throws UserError if a field is invalid, the request is for another host, or it goes through a
 *   proxy that could read the key
 */
export function authenticate(
	credentials: IDataObject,
	options: AnyRequestOptions,
): AnyRequestOptions {
	const baseUrl = parseBaseUrl(credentials.baseUrl);
	assertAccountFieldsAreValid(credentials);
	const target = resolveTarget(baseUrl, options.url ?? options.uri ?? '');
	assertKeyIsSafe(options, baseUrl);
	delete options.baseURL;
	delete options.uri;
	options.url = target;
	// Behind some content networks, another Host leads to the site of another customer.
	const headers = Object.entries(options.headers ?? {}).filter(([name]) => !/^host$/i.test(name));
	options.headers = { ...Object.fromEntries(headers), ...getAccountHeaders(credentials) };
	options.allowedDomains = new URL(baseUrl).hostname;
	options.disableFollowRedirect = true;
	options.followRedirect = false;
	options.followAllRedirects = false;
	return options;
}

/** @returns the address of a path or an address; throws UserError if it is not of the service */
function resolveTarget(baseUrl: string, pathOrUrl: string): string {
	const { origin } = new URL(baseUrl);
	const target = parseUrl(pathOrUrl) ? pathOrUrl : baseUrl + pathOrUrl;
	const targetOrigin = new URL(target).origin;
	if (targetOrigin === origin) return target;
	throw new UserError(
		`The API key is for ${origin} only and was not sent to ${targetOrigin}`,
		'If that is the address of the service, set it as Base URL in the credential.',
	);
}

/**
 * Throws UserError if somebody between n8n and the service could read what is sent. The environment of n8n may
 * set a proxy that this node cannot see, so any certificate is accepted for hosts of a private network only.
 */
function assertKeyIsSafe(options: AnyRequestOptions, baseUrl: string): void {
	const { skipSslCertificateValidation, rejectUnauthorized, agentOptions, proxy } = options;
	const acceptsAnyCertificate =
		skipSslCertificateValidation === true || rejectUnauthorized === false;
	const trustsMore = acceptsAnyCertificate || Boolean(agentOptions);
	if (proxy !== undefined && trustsMore) {
		throw new UserError(
			'Ignore SSL Issues and SSL Certificates cannot be used with a proxy',
			'Whoever runs the proxy could read the API key. Turn one of them off in the node.',
		);
	}
	if (!acceptsAnyCertificate || getReach(baseUrl) < 2) return;
	throw new UserError(
		'Ignore SSL Issues cannot be used for an address on the internet',
		'Whoever is between n8n and the service, such as a proxy, could read the API key. Turn it off in the node. If the certificate is from a private authority, add that authority to n8n (NODE_EXTRA_CA_CERTS).',
	);
}
