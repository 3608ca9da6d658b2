import type { RequestError } from '../errors/requestError';
import { createStatusError, toFirewallError } from '../errors/statusError';
import { shorten } from '../errors/values';

import { assertReachable } from './hosts';
import { parseRetryAfter } from './limiter/rateLimitHeaders';
import { parseUrl } from './parseUrl';
import { isDeeperThan, tryParseJson } from './response/json';
import { redactKey } from './response/redactKey';
import { isWebPage, readExplanation, type HttpResponse } from './response/response';
import { extractErrorMessage } from './response/serviceMessage';
import { send, type Attempt, type RequestContext } from './send';

export const MAX_REDIRECTS = 5;
/** n8n copies the body recursively; JavaScript's stack holds some thousand levels. */
const MAX_ERROR_BODY_DEPTH = 20;
/** Statuses a firewall answers with; nginx and Apache title their own error pages with the status. */
const FIREWALL_STATUSES = new Set([403, 429, 503]);

/**
 * Waits for the turn of a request at the host of `address`, then sends it. `onResponse` takes each
 * response that says something about the limits of that host, as soon as its headers have arrived.
 */
export type TakeTurn = <T>(
	address: string,
	send: (onResponse: (response: HttpResponse) => void) => Promise<T>,
) => Promise<T>;

/**
 * Sends a request and follows the redirects of a GET: with the API key on the service's own origin
 * only, of a download to any host that reaches as far as the service's.
 *
 * @param baseUrl the address of the service
 * @param takeTurn waits for the turn of each request: the host of a redirect has limits of its own
 * @param read takes what is needed from the first response with a status below 300
 * @throws RequestError for any other status, and for a redirect that is not followed
 */
export async function sendAndFollowRedirects<T>(
	context: RequestContext,
	attempt: Attempt,
	baseUrl: string,
	takeTurn: TakeTurn,
	read: (response: HttpResponse) => Promise<T>,
): Promise<T> {
	let current = attempt;
	for (let redirects = 0; ; redirects++) {
		if (attempt.withoutKey) assertReachable(current.url, baseUrl);
		const mayFollow = redirects < MAX_REDIRECTS;
		const request = current;
		const result = await takeTurn(current.url, async (onResponse) => {
			const response = await sendOnce(context, request, mayFollow, onResponse);
			return response instanceof URL ? response : { value: await read(response) };
		});
		if (!(result instanceof URL)) return result.value;
		current = { ...attempt, url: result.href, qs: undefined };
	}
}

/** @returns the response, or the target of a redirect to follow */
async function sendOnce(
	context: RequestContext,
	attempt: Attempt,
	mayFollow: boolean,
	onResponse: (response: HttpResponse) => void,
): Promise<HttpResponse | URL> {
	const { withoutKey, method } = attempt;
	const response = await send(context, attempt);
	const target = getRedirectTarget(response);
	const isOtherOrigin = target?.origin !== new URL(response.url).origin;
	const isAllowed = withoutKey ? /^https?:$/.test(target?.protocol ?? '') : !isOtherOrigin;
	const isFollowed = isAllowed && method === 'GET' && mayFollow;
	// To its own limiter, a redirect would count as an admission of what may yet be refused.
	if (!isFollowed || isOtherOrigin) onResponse(response);
	if (target && isFollowed) {
		response.body.destroy();
		return target;
	}
	if (response.status < 300) return response;
	const error = await readErrorResponse(response);
	if (!target) throw error;
	const address = redactKey(target.origin + target.pathname, response.apiKey);
	throw error.with({
		serviceMessage: undefined,
		summary: `The service redirected the request to ${shorten(address)}`,
		hint: isOtherOrigin
			? 'The API key was not sent there. If you trust that address, set it as Base URL in the credential.'
			: 'The redirect was not followed. Check Base URL in the credential: part of the path may be missing.',
	});
}

/** @returns where a response redirects its request to, if it does */
export function getRedirectTarget({ status, url, headers }: HttpResponse): URL | undefined {
	const { location } = headers;
	const isRedirect = status >= 300 && status < 400 && typeof location === 'string';
	return isRedirect ? parseUrl(location, url) : undefined;
}

async function readErrorResponse(response: HttpResponse): Promise<RequestError> {
	const { status, headers } = response;
	const retryAfterMs = parseRetryAfter(headers['retry-after'], headers.date);
	const text = await readExplanation(response).catch(() => '');
	const json = tryParseJson(text);
	const isShallow = json !== undefined && !isDeeperThan(json, MAX_ERROR_BODY_DEPTH);
	const serviceMessage = extractErrorMessage(text);
	const error = createStatusError(status, retryAfterMs).with({
		serviceMessage,
		responseBody: isShallow ? json : text || undefined,
	});
	const isFirewall =
		FIREWALL_STATUSES.has(status) &&
		isWebPage(response) &&
		!serviceMessage?.startsWith(String(status));
	return isFirewall ? toFirewallError(error) : error;
}
