import { parseUrl } from './parseUrl';
import { assertReachable } from './reach';
import type { HttpResponse } from './response/response';
import type { PreparedRequest } from './send';

const MAX_REDIRECTS = 5;

/**
 * Makes a request and those it is redirected to: with the API key on the service's own origin only,
 * of a download to any host that reaches as far as the service's.
 *
 * @param sendHop returns the response to one request, or the target of a redirect to follow
 */
export async function followRedirects<T>(
	request: PreparedRequest,
	baseUrl: string,
	sendHop: (hop: PreparedRequest, mayFollow: boolean) => Promise<T | URL>,
): Promise<T> {
	let hop = request;
	for (let redirects = 0; ; redirects++) {
		if (request.withoutKey) assertReachable(hop.url, baseUrl);
		const mayFollow = request.method === 'GET' && redirects < MAX_REDIRECTS;
		const result = await sendHop(hop, mayFollow);
		if (!(result instanceof URL)) return result;
		hop = { ...request, url: result.href, qs: undefined };
	}
}

/** @returns where a response redirects its request to, if it does */
export function getRedirectTarget({ status, url, headers }: HttpResponse): URL | undefined {
	const { location } = headers;
	const isRedirect = status >= 300 && status < 400 && typeof location === 'string';
	return isRedirect ? parseUrl(location, url) : undefined;
}
