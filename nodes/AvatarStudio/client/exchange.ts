import { shorten } from '../errors/formatText';
import { createStatusError } from '../errors/statusError';
import { type RequestError, toUserError } from '../errors/userError';

import { parseUrl } from './parseUrl';
import { assertReachable } from './reach';
import { isRefusal } from './refusal';
import type { HttpResponse } from './response/body';
import { redactKey } from './response/redactKey';
import { getContentKind, readFailure } from './response/response';
import { readRetryAfterMs } from './retryAfter';
import { send, type PreparedRequest, type RequestContext } from './send';

const MAX_REDIRECTS = 5;

export interface Exchange<T> {
	/** What its status means, unless it is what was asked for. */
	error?: RequestError;
	/** How long the service asks to send nothing further, in milliseconds; 0 if it does not ask. */
	pauseMs: number;
	/** Reads the body, or throws `error` with what the body says. */
	read: () => Promise<T>;
}

/**
 * Sends one request and judges its response as soon as the headers have arrived. Redirects of a GET
 * are followed: with the API key on the service's own origin only, of a download to any host that
 * reaches as far as the service's.
 *
 * @param read takes what is needed from a response with a status below 300
 * @throws RequestError if there is no response, UserError if the credential is not usable
 */
export async function exchange<T>(
	context: RequestContext,
	request: PreparedRequest,
	baseUrl: string,
	read: (response: HttpResponse) => Promise<T>,
	redirects = 0,
): Promise<Exchange<T>> {
	const { method, isDownload } = request;
	if (isDownload) assertReachable(request.url, baseUrl);
	const response = await send(context, request);
	const { status, url, headers } = response;
	const target = getRedirectTarget(response);
	const isAllowed = isDownload
		? /^https?:$/.test(target?.protocol ?? '')
		: target?.origin === new URL(url).origin;
	if (target && isAllowed && method === 'GET' && redirects < MAX_REDIRECTS) {
		response.body.destroy();
		const hop = { ...request, url: target.href, qs: undefined };
		return await exchange(context, hop, baseUrl, read, redirects + 1);
	}
	const isPage = getContentKind(response) === 'page';
	const error = status < 300 ? undefined : createStatusError(status, isPage);
	return {
		error,
		pauseMs: isRefusal(method, status) ? readRetryAfterMs(headers) : 0,
		read: async () => {
			if (error) throw await explain(error, response, target);
			return await read(response).catch((thrown: unknown) => {
				throw toUserError(thrown, 'done');
			});
		},
	};
}

function getRedirectTarget({ status, url, headers: { location } }: HttpResponse) {
	const isRedirect = status >= 300 && status < 400 && typeof location === 'string';
	return isRedirect ? parseUrl(location, url) : undefined;
}

async function explain(error: RequestError, response: HttpResponse, target?: URL) {
	const { serviceMessage, responseBody } = await readFailure(response);
	// The title of a firewall's page explains nothing.
	if (error.details.code === 'firewall') return error.with({ responseBody });
	if (!target) return error.with({ serviceMessage, responseBody });
	const address = redactKey(target.origin + target.pathname, response.apiKey);
	const summary = `The service redirected the request to ${shorten(address)}`;
	return error.with({ responseBody, summary });
}
