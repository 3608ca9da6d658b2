import { shorten } from '../errors/formatText';
import { createStatusError, explainSender } from '../errors/statusError';
import { getStatusRule } from '../errors/statuses';
import { RequestError, toUserError } from '../errors/userError';

import { getAbortReason } from './delay';
import { parseUrl } from './parseUrl';
import { assertReachable } from './reach';
import type { HttpResponse } from './response/body';
import { redactKey } from './response/redactKey';
import { getContentKind, readFailure } from './response/response';
import { readRetryAfterMs } from './retryAfter';
import { send, type PreparedRequest, type RequestContext } from './send';

const MAX_REDIRECTS = 5;

export interface Exchange<T> {
	/** The error that a status from 300 on means. */
	error?: RequestError;
	/**
	 * How long the service asks to send nothing further, in milliseconds. A 503 to a creation may ask for it as
	 * well, although it is no refusal.
	 */
	pauseMs: number;
	/** Reads the body, or throws `error` with what the body says. */
	readBody: () => Promise<T>;
}

/**
 * Sends one request and judges its response as soon as the headers have arrived. A GET with the API key
 * follows redirects within the service's own origin. A download, which is sent without the key, follows
 * them to any host that is as public as the service's.
 *
 * @param read takes what is needed from a response with a status below 300
 * @throws RequestError if there is no response; UserError if n8n cancelled the execution or blocked the
 *   request, or if the credential is not usable
 */
export async function exchange<T>(
	context: RequestContext,
	request: PreparedRequest,
	baseUrl: string,
	read: (response: HttpResponse) => Promise<T>,
): Promise<Exchange<T>> {
	const { signal } = request;
	const { response, target } = await sendAndFollow(context, request, baseUrl);
	const { status } = response;
	const error = status < 300 ? undefined : createStatusError(status);
	return {
		error,
		pauseMs: readPauseMs(response),
		readBody: async () => {
			if (error) throw await explain(error, response, request, target);
			return await read(response).catch((thrown: unknown) => {
				// A UserError has an outcome of its own, such as `unknown` if the body is cut short. Anything
				// else is a defect, after the request was done.
				throw toUserError(findCancellation(thrown, signal), 'done');
			});
		},
	};
}

function readPauseMs({ status, headers }: HttpResponse): number {
	const { again, pauseMs } = getStatusRule(status);
	return again === 'inTurn' ? readRetryAfterMs(headers) || pauseMs : 0;
}

/** @returns the last response, and where it redirects to if that may not be followed */
async function sendAndFollow(context: RequestContext, request: PreparedRequest, baseUrl: string) {
	const { method, isDownload, signal } = request;
	let hop = request;
	for (let redirects = 0; ; redirects++) {
		if (isDownload) assertReachable(hop.url, baseUrl);
		const response = await send(context, hop).catch((thrown: unknown) => {
			throw findCancellation(thrown, signal);
		});
		const target = getRedirectTarget(response);
		const isAllowed = isDownload
			? /^https?:$/.test(target?.protocol ?? '')
			: target?.origin === new URL(response.url).origin;
		const isFollowed = isAllowed && method === 'GET' && redirects < MAX_REDIRECTS;
		if (!target || !isFollowed) return { response, target };
		response.body.destroy();
		hop = { ...request, url: target.href, qs: undefined };
	}
}

/**
 * n8n breaks the connections of an execution that it cancels, or that takes longer than it allows
 * (n8n-core 2.41.1, authentication.js). So if there is a cancellation, it is taken for the cause, and what
 * was in flight may have been done.
 */
function findCancellation(thrown: unknown, signal?: AbortSignal): unknown {
	if (!(thrown instanceof RequestError)) return thrown;
	const { outcome } = thrown.details;
	// The hint to run it again is dropped, because what was in flight could be done twice.
	return getAbortReason(signal)?.with({ outcome, hint: '' }) ?? thrown;
}

function getRedirectTarget({ status, url, headers: { location } }: HttpResponse) {
	const isRedirect = status >= 300 && status < 400 && typeof location === 'string';
	return isRedirect ? parseUrl(location, url) : undefined;
}

/** Completes the error of a status with what the body says. */
async function explain(
	error: RequestError,
	response: HttpResponse,
	{ isDownload, proxy }: PreparedRequest,
	target?: URL,
): Promise<RequestError> {
	const { serviceMessage, responseBody } = await readFailure(response);
	if (target) {
		const address = redactKey(target.origin + target.pathname, response.apiKey);
		const summary = `The service redirected the request to ${shorten(address)}`;
		return error.with({ responseBody, summary });
	}
	const label = getContentKind(response) === 'page' ? 'page' : 'other';
	const body = typeof responseBody === 'object' ? 'json' : label;
	// The host of a file sends pages and XML of its own, so they do not suggest that a proxy has sent them.
	const isFromFileHost = isDownload === true && error.details.code !== 'proxy';
	const sender = isFromFileHost ? error : explainSender(error, body, proxy !== undefined);
	const explained = sender.with({ responseBody });
	// The title of a firewall's page explains nothing.
	return explained.details.code === 'firewall' ? explained : explained.with({ serviceMessage });
}
