import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { RequestError } from '../errors/requestError';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i;

/** The HTTP Request node hands over older options, whose redirect switches have other names. */
type AnyRequestOptions = IHttpRequestOptions & {
	uri?: string;
	followRedirect?: boolean;
	followAllRedirects?: boolean;
};

/**
 * The address every path is appended to, made from a Base URL as a person pastes it: spaces
 * around it, trailing slashes and a trailing `/v1` go, a path prefix stays.
 *
 * @returns origin and path prefix without a trailing slash, such as `https://api.example.com/eu`
 * @throws Failure naming the field, where it is not an `https:` address (`http:` on a loopback
 *   host is one too; specification, section 5.2)
 */
export function parseBaseUrl(baseUrl: unknown): string {
	const pasted = typeof baseUrl === 'string' ? baseUrl.trim() : '';
	if (pasted === '') throw invalidCredential('Base URL is empty', 'Enter it in the credential.');
	if (!URL.canParse(pasted)) {
		throw invalidCredential(
			'Base URL is not a web address',
			'Enter it in the credential as https://…, without a route.',
		);
	}
	const url = new URL(pasted);
	if (url.protocol !== 'https:' && !(url.protocol === 'http:' && LOOPBACK.test(url.hostname))) {
		throw invalidCredential(
			'Base URL does not start with https://',
			'Correct it in the credential: the API key may only travel encrypted.',
		);
	}
	if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
		throw invalidCredential(
			'Base URL is more than an address',
			'Take the user name, the question mark or the hash out of it in the credential.',
		);
	}
	return url.origin + url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
}

/**
 * Puts the API key on a request, and fences the request in: it goes to the Base URL's host or
 * nowhere. A path is resolved against the Base URL; an absolute address (Custom API Call, a
 * redirect on the same host) must lie on the Base URL's origin.
 *
 * Redirects are never followed by n8n's HTTP layer, because that layer would carry the key to
 * the other host (n8n 1.x knows no `allowedDomains`); transport/exchange.ts follows those that
 * stay at home.
 *
 * @param credentials the credential's fields, `baseUrl` and `apiKey`
 * @param options the request, changed in place
 * @throws Failure where Base URL or API Key is unusable, or the request is for another host
 */
export function authenticate(
	credentials: IDataObject,
	options: AnyRequestOptions,
): AnyRequestOptions {
	const address = parseBaseUrl(credentials.baseUrl);
	const apiKey = typeof credentials.apiKey === 'string' ? credentials.apiKey.trim() : '';
	if (apiKey === '') throw invalidCredential('API Key is empty', 'Enter it in the credential.');
	if (!/^[\x21-\x7e]+$/.test(apiKey)) {
		throw invalidCredential(
			'API Key holds a space, a line break or a letter no key has',
			'Paste it again in the credential.',
		);
	}

	const { origin, hostname } = new URL(address);
	const asked = options.url ?? options.uri ?? '';
	const target = URL.canParse(asked) ? asked : address + asked;
	if (new URL(target).origin !== origin) {
		throw invalidCredential(
			`The API key is for ${origin} only and was not sent to ${new URL(target).origin}`,
			'If that is the address of the service, set it as Base URL in the credential.',
		);
	}

	delete options.baseURL;
	delete options.uri;
	options.url = target;
	options.headers = { ...options.headers, 'x-api-key': apiKey };
	options.allowedDomains = hostname;
	options.disableFollowRedirect = true;
	options.followRedirect = false;
	options.followAllRedirects = false;
	return options;
}

/** @returns the text with the key masked, wherever it stands in it */
export function redactKey(text: string, key: unknown): string {
	return typeof key === 'string' && key !== '' ? text.replaceAll(key, '*****') : text;
}

function invalidCredential(happened: string, next: string): RequestError {
	return new RequestError({ message: happened, hint: next });
}
