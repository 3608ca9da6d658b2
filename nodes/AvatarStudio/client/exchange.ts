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

export interface Exchange<T> {
	/** What its status means, unless it is what was asked for. */
	error?: RequestError;
	/** Reads the body, or throws `error` with what the body says. */
	read: () => Promise<T>;
}

/**
 * Sends one request and judges its response as soon as the headers have arrived.
 *
 * @param mayFollow whether a redirect may be followed; its target is returned then
 * @param read takes what is needed from a response with a status below 300
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
	const { status, headers } = response;
	const error =
		status < 300
			? undefined
			: createStatusError(status, readRetryAfterMs(headers), isWebPage(response));
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
