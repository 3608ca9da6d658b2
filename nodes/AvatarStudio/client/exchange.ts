import type { ErrorCode } from '../errors/errorCode';
import { createStatusError } from '../errors/statusError';
import { type RequestError, toUserError } from '../errors/userError';
import { shorten } from '../errors/values';

import { getRedirectTarget } from './redirects';
import { tryParseJson } from './response/json';
import { redactKey } from './response/redactKey';
import { isWebPage, readExplanation, type HttpResponse } from './response/response';
import { describeFailure } from './response/serviceMessage';
import { readRetryAfterMs } from './retryAfter';
import { send, type PreparedRequest, type RequestContext } from './send';

/**
 * Statuses that mean something else if they come from the host of a file: it has not seen the key, and
 * a web server that limits connections says so with 503 (nginx, limit_conn).
 */
const DOWNLOAD_CODES: Record<number, ErrorCode> = { 401: 'forbidden', 503: 'rateLimited' };

export interface Exchange<T> {
	/** What its status means, unless it is what was asked for. */
	error?: RequestError;
	/** Reads the body, or throws `error` with what the body says. */
	read: () => Promise<T>;
}

/**
 * Sends one request and judges its response as soon as the headers have arrived.
 *
 * @param mayFollow whether a redirect may be followed
 * @param read takes what is needed from a response with a status below 300
 * @returns a response that is read as what `read` returns, or the target of a redirect to follow
 * @throws RequestError if there is no response, UserError if the credential is not usable
 */
export async function exchange<T>(
	context: RequestContext,
	request: PreparedRequest,
	mayFollow: boolean,
	read: (response: HttpResponse) => Promise<T>,
): Promise<Exchange<T> | URL> {
	const response = await send(context, request);
	const target = getRedirectTarget(response);
	const isAllowed = request.withoutKey
		? /^https?:$/.test(target?.protocol ?? '')
		: target?.origin === new URL(response.url).origin;
	if (target && mayFollow && isAllowed) {
		response.body.destroy();
		return target;
	}
	const error = judge(response, request);
	return {
		error,
		read: async () => {
			if (error) throw await explain(error, response, target);
			return await read(response).catch((thrown: unknown) => {
				throw toUserError(thrown, 'done');
			});
		},
	};
}

/** @returns what the status and the headers of a response mean, unless it is what was asked for */
function judge(response: HttpResponse, { withoutKey, proxy }: PreparedRequest) {
	const { status, headers } = response;
	if (status < 300) return undefined;
	const error = createStatusError(status, readRetryAfterMs(headers), isWebPage(response));
	// n8n passes on what a proxy answers instead of connecting, and nothing tells the two apart.
	const hint = proxy ? `${error.hint} The proxy may have sent this response.` : error.hint;
	const code = withoutKey ? DOWNLOAD_CODES[status] : undefined;
	return error.with({ hint, code: code ?? error.code });
}

async function explain(error: RequestError, response: HttpResponse, target?: URL) {
	const text = await readExplanation(response);
	const { serviceMessage, responseBody } = describeFailure(tryParseJson(text), text);
	// The title of a firewall's page explains nothing.
	if (error.code === 'firewall') return error.with({ responseBody });
	if (!target) return error.with({ serviceMessage, responseBody });
	const address = redactKey(target.origin + target.pathname, response.apiKey);
	const summary = `The service redirected the request to ${shorten(address)}`;
	return error.with({ responseBody, summary });
}
