import { extractErrorMessage } from '../errors/extractErrorMessage';
import type { RequestError } from '../errors/requestError';
import { describeStatus } from '../errors/statusErrors';

import { redactKey } from './authenticate';
import { parseUrl } from './parseUrl';
import { isDeeperThan, tryParseJson } from './response/json';
import { getHeader, readBytes, type HttpResponse } from './response/response';
import { sendRequest, type Attempt, type RequestContext, type RequestOptions } from './sendRequest';

const MAX_REDIRECTS = 5;
const MAX_ERROR_BODY_BYTES = 64 * 1024;
/** n8n copies the body recursively; JavaScript's stack holds some thousand levels. */
const MAX_ERROR_BODY_DEPTH = 20;

/**
 * Sends a request; a GET follows redirects on the service's own host, other methods follow none.
 *
 * @returns the first response with a status below 300
 * @throws RequestError for any other status, and for a redirect that is not followed
 */
export async function followRedirects(
	context: RequestContext,
	options: RequestOptions & Attempt,
): Promise<HttpResponse> {
	let current = options;
	for (let redirects = 0; ; redirects++) {
		const response = await sendRequest(context, current);

		if (response.status < 300) return response;

		const { url } = response;
		const { location } = response.headers;
		const error = await readErrorResponse(response);
		const target = typeof location === 'string' ? parseUrl(location, url) : undefined;
		if (response.status >= 400 || !target) throw error;
		const isOtherHost = target.origin !== new URL(url).origin;
		if (isOtherHost || options.method !== 'GET' || redirects >= MAX_REDIRECTS) {
			throw error.with({
				serviceMessage: undefined,
				message: `The service redirected the request to ${redactKey(target.origin + target.pathname, response.apiKey)}`,
				hint: isOtherHost
					? 'The API key was not sent there. If you trust that address, set it as Base URL in the credential.'
					: 'The redirect was not followed. Check Base URL in the credential: part of the path may be missing.',
			});
		}
		current = { ...options, url: target.href, qs: undefined };
	}
}

async function readErrorResponse(response: HttpResponse): Promise<RequestError> {
	const error = describeStatus(response.status, getHeader(response, 'retry-after'));
	const bytes = await readBytes(response, MAX_ERROR_BODY_BYTES).catch(() => undefined);
	const text = redactKey(new TextDecoder().decode(bytes), response.apiKey);
	const json = tryParseJson(text);
	const isShallow = json !== undefined && !isDeeperThan(json, MAX_ERROR_BODY_DEPTH);
	return error.with({
		serviceMessage: extractErrorMessage(text),
		responseBody: isShallow ? json : text || undefined,
	});
}
