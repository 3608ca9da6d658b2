import type {
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { createSendError, createTimeoutError } from '../errors/connectionError';
import { UserError, type Outcome } from '../errors/userError';

import { getApiKey } from './accountFields';
import { authenticate, CREDENTIAL_TYPE, type Credential } from './credential';
import type { HttpResponse, ResponseBody } from './response/body';

/** How long n8n's own clock has to end a request that is late, in milliseconds. */
const CLOCK_SLACK_MS = 1_000;
/** A longer timer fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

export type RequestContext = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface RequestSettings {
	proxy?: IHttpRequestOptions['proxy'];
	skipSslCertificateValidation?: boolean;
	/** How long to wait for the response to begin, and for its body, in milliseconds. */
	timeout?: number;
}

export interface Request {
	method: IHttpRequestMethods;
	/** A path starting with `/v1`, or the absolute URL of a redirect or a download link. */
	url: string;
	/** Send no API key: the host of a download link is not the service's. */
	isDownload?: boolean;
	qs?: IHttpRequestOptions['qs'];
	body?: IHttpRequestOptions['body'];
	headers?: IHttpRequestOptions['headers'];
	/** How long to wait if the user sets no Timeout, in milliseconds. */
	defaultTimeout?: number;
	/**
	 * The outcome of this request in earlier tries of n8n's Retry On Fail, by which Delete understands a 404.
	 * It is not set for a creation, whose requests `createOnce` remembers.
	 */
	earlierOutcome?: Outcome;
	/** How long to wait while the service admits nothing, in milliseconds. */
	maxWaitMs?: number;
	/** How long to wait for the response at most, whatever Timeout says, in milliseconds. */
	maxTimeout?: number;
	/** Whether a failure is final, because whoever makes the request makes it again later. */
	isTriedOnce?: boolean;
}

/** A request with its settings and the credential, as each attempt at it is made. */
export interface PreparedRequest extends Request, RequestSettings {
	timeout: number;
	credential: Credential;
	/** Aborted when n8n cancels the execution, or when the time of a poll is over. */
	signal?: AbortSignal;
}

/**
 * Sends one request and waits for the response to begin. n8n must not judge its status: it would send
 * a 401 twice (findings/status-401-is-sent-twice), and put the API key into the error it throws.
 *
 * @throws UserError of the credential, or if n8n blocks the request; RequestError of the network
 */
export async function send(
	context: RequestContext,
	request: PreparedRequest,
): Promise<HttpResponse> {
	const { isDownload, credential, timeout, proxy } = request;
	const options: IHttpRequestOptions = {
		method: request.method,
		url: request.url,
		qs: request.qs,
		body: request.body,
		headers: { accept: 'application/json', ...request.headers },
		timeout,
		proxy,
		skipSslCertificateValidation: request.skipSslCertificateValidation,
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		// exchange.ts follows redirects, if they may be followed.
		disableFollowRedirect: true,
		abortSignal: request.signal,
	};
	// n8n itself calls `authenticate` for what it sends. This call, on a copy, only gives the complete URL,
	// and throws the errors of the credential, which n8n 1.x would replace by its own
	// (findings/causes-are-dropped-on-1.x).
	const { url } = isDownload ? options : authenticate(credential, { ...options });
	const pending: Promise<unknown> = isDownload
		? context.helpers.httpRequest(options)
		: requestWithKey(context, options, credential);
	const response = await limitTime(pending, timeout).catch((error: unknown) => {
		throw error instanceof UserError ? error : createSendError(error, proxy !== undefined);
	});
	const { statusCode, headers, body } = response as IN8nHttpFullResponse;
	return {
		url,
		status: statusCode,
		headers,
		body: body as unknown as ResponseBody,
		timeout,
		// For redaction. It is needed for downloads too, because a link may lead to the service, which knows
		// the key without being sent it.
		apiKey: getApiKey(credential),
	};
}

/**
 * Waits for a response no longer than its timeout and a moment, so that n8n's own clock, which also breaks
 * the connection, comes first. That clock ends with the connection: a response of 101 takes the connection
 * away, so it never strikes.
 */
async function limitTime<T>(pending: Promise<T>, timeout: number): Promise<T> {
	const ms = Math.max(0, Math.ceil(timeout)) + CLOCK_SLACK_MS;
	const clock = AbortSignal.timeout(Math.min(ms, LONGEST_TIMER_MS));
	return await new Promise<T>((resolve, reject) => {
		const giveUp = () => reject(createTimeoutError());
		clock.addEventListener('abort', giveUp);
		// Without this, the clock would keep the response in memory until it strikes.
		const stop = () => clock.removeEventListener('abort', giveUp);
		pending.then(resolve, reject).finally(stop);
	});
}

async function requestWithKey(
	context: RequestContext,
	options: IHttpRequestOptions,
	data: Credential,
): Promise<unknown> {
	// n8n takes the credential from here instead of decrypting it again, and reads its `data` only (n8n-core
	// 2.41.1, authentication.js).
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data };
	return (await context.helpers.httpRequestWithAuthentication.call(
		context,
		CREDENTIAL_TYPE,
		options,
		{ credentialsDecrypted },
	)) as unknown;
}
