import type {
	ICredentialDataDecryptedObject,
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import {
	RequestError,
	errorFromException,
	errorFromStatus,
	tryParseJson,
	extractErrorMessage,
} from '../errors/requestError';
import type { ResponseBody } from '../response/body';
import { readBytes, getHeader, isObject, type HttpResponse } from '../response/response';

import { redactKey } from './authenticate';
import { cancellationError, delay } from './delay';
import type { RateLimiter } from './rateLimiter';

/** The contexts n8n gives to an operation, a picker and a trigger: all can send requests. */
export type RequestContext = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/** One request, as a resource declares it, filled with the values of one item. */
export interface RequestOptions {
	method: IHttpRequestMethods;
	/** A path from `/v1`, or the absolute address that a redirect or a download link names. */
	url: string;
	/** A download link's host is not the service's: it is sent no key. */
	skipAuthentication?: boolean;
	qs?: IHttpRequestOptions['qs'];
	body?: IHttpRequestOptions['body'];
	headers?: IHttpRequestOptions['headers'];
	/** Milliseconds until the answer must have begun, and that it may stand still; a minute unless told. */
	timeout?: number;
	/** The person's own Request Options: a proxy, certificates not to be checked. */
	proxy?: IHttpRequestOptions['proxy'];
	skipSslCertificateValidation?: boolean;
	/**
	 * The credential's fields, where many requests share them; else n8n reads them for this one.
	 * Items never share them: a field may be an expression on the item.
	 */
	credential?: () => Promise<ICredentialDataDecryptedObject>;
}

export const CREDENTIAL_TYPE = 'avatarStudioApi';

/** n8n looks at none of these where it is handed a credential's fields. */
const PLACEHOLDER_DETAILS = { id: '', name: '', type: CREDENTIAL_TYPE };

const DEFAULT_TIMEOUT_MS = 60_000;
const MAX_ATTEMPTS = 4;
const MAX_ATTEMPTS_RATE_LIMITED = 12;
const INITIAL_BACKOFF_MS = 300;
const MAX_BACKOFF_MS = 30_000;
const MAX_REDIRECTS = 5;
const MAX_ERROR_BODY_BYTES = 64 * 1024;

/**
 * One request to the service, through the gate, repeated only where that is safe.
 *
 * The rules that must not regress:
 * - 429, whatever the method: it was turned away, so it is sent again after the wait the service
 *   asks for, and the gate narrows.
 * - A connection that never came about, whatever the method: sent again.
 * - A timeout, a broken connection, 502, 503, 504: sent again for GET, PATCH and DELETE. A POST
 *   is not: it may have been carried out, and a video costs money.
 * - Anything else: never sent again.
 * - Retry-After on 429 or 503 holds every request of the run.
 *
 * @param read takes what is wanted from the first answer with a status below 300. It is part of
 *   the request: a body cut short is a broken connection
 * @returns what `read` returns
 * @throws Failure once the tries or the time for waiting are used up, or the execution is cancelled
 */
export async function requestWithRetry<T>(
	context: RequestContext,
	gate: RateLimiter,
	call: RequestOptions,
	read: (answer: HttpResponse) => Promise<T>,
): Promise<T> {
	const signal = getCancelSignal(context);
	let waited = 0;
	let afterUnknown = false;
	for (let tried = 1; ; tried++) {
		const { value, failure } = await gate.run<AttemptOutcome<T>>(async (ticket) => {
			try {
				const value = await read(await followRedirects(context, call));
				gate.onSuccess();
				return { value };
			} catch (error) {
				const failure = toRequestError(error, signal);
				if (failure.details.rateLimited) gate.decrease(ticket);
				const { retryAfterMs = 0 } = failure.details;
				// A wait too long for the run fails each item by itself, at once.
				if (gate.pausedMs() + retryAfterMs <= gate.maxWaitMs) gate.pauseFor(retryAfterMs);
				return { failure };
			}
		}, signal);
		if (!failure) return value;

		const {
			retryable: passing,
			rateLimited: tooFast,
			outcomeUnknown,
			retryAfterMs,
		} = failure.details;
		if (outcomeUnknown && call.method === 'POST') throw failure.with({ doNotRetry: true });
		if (!passing) throw failure.with({ earlierAttemptUncertain: afterUnknown });

		const pause = retryAfterMs ?? backoffDelay(tried);
		const tries = tooFast ? MAX_ATTEMPTS_RATE_LIMITED : MAX_ATTEMPTS;
		const needed = Math.max(waited, gate.pausedMs()) + pause;
		if (tried >= tries || needed > gate.maxWaitMs) {
			throw retriesExhausted(failure, tried, needed, gate.maxWaitMs);
		}
		afterUnknown ||= outcomeUnknown === true;
		waited += pause;
		await delay(pause, signal);
	}
}

/** Of one try. */
type AttemptOutcome<T> =
	| { value: T; failure?: undefined }
	| { value?: undefined; failure: RequestError };

function toRequestError(error: unknown, signal?: AbortSignal): RequestError {
	if (signal?.aborted) return cancellationError();
	return error instanceof RequestError ? error : errorFromException(error);
}

function backoffDelay(tried: number): number {
	const ceiling = Math.min(INITIAL_BACKOFF_MS * 2 ** (tried - 1), MAX_BACKOFF_MS);
	return ceiling / 2 + Math.random() * (ceiling / 2);
}

/** @param needed what the waits would come to with the next one, in milliseconds */
function retriesExhausted(
	failure: RequestError,
	tried: number,
	needed: number,
	patience: number,
): RequestError {
	const seconds = (ms: number) => `${Math.ceil(ms / 1000)} s`;
	const why =
		needed > patience
			? `Waiting ${seconds(needed)} would be needed; no request is held back for more than ${seconds(patience)}.`
			: `It was tried ${tried} times, which is the most.`;
	return failure.with({ hint: `${why} ${failure.details.hint}` });
}

/** A GET follows redirects on the service's own host; no other request follows any. */
async function followRedirects(
	context: RequestContext,
	call: RequestOptions,
): Promise<HttpResponse> {
	let at = call;
	for (let redirects = 0; ; redirects++) {
		const { answer, url, key } = await sendRequest(context, at);
		if (answer.status < 300) return answer;

		const location = answer.headers.location;
		const failure = await readErrorResponse(answer, key);
		if (answer.status >= 400 || typeof location !== 'string' || !URL.canParse(location, url)) {
			throw failure;
		}
		const target = new URL(location, url);
		const elsewhere = target.origin !== new URL(url).origin;
		if (elsewhere || call.method !== 'GET' || redirects >= MAX_REDIRECTS) {
			throw failure.with({
				serviceMessage: undefined,
				message: `The service sent the request elsewhere, to ${redactKey(target.origin + target.pathname, key)}`,
				hint: elsewhere
					? 'The API key was not sent there. If you trust that address, set it as Base URL in the credential.'
					: 'It was not followed. Check Base URL in the credential: it may lack a part of the path.',
				// 307 and 308 say that nothing was done here.
				outcomeUnknown: answer.status <= 303,
			});
		}
		at = { ...call, url: target.href, qs: undefined };
	}
}

/**
 * One request and the beginning of its answer. The status is judged here, not by n8n: a 401 is
 * sent once, and no error object is made that holds the key.
 *
 * @returns the answer, the absolute address it came from, and the key that was sent there
 */
async function sendRequest(
	context: RequestContext,
	{
		skipAuthentication: isElsewhere,
		credential,
		timeout = DEFAULT_TIMEOUT_MS,
		...call
	}: RequestOptions,
): Promise<{ answer: HttpResponse; url: string; key?: unknown }> {
	const options: IHttpRequestOptions = {
		...call,
		timeout,
		headers: { accept: 'application/json', ...call.headers },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		abortSignal: getCancelSignal(context),
	};
	const { helpers } = context;
	const response = (await (isElsewhere
		? helpers.httpRequest(options)
		: helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL_TYPE,
				options,
				credential && {
					credentialsDecrypted: { ...PLACEHOLDER_DETAILS, data: await credential() },
				},
			))) as IN8nHttpFullResponse;
	const { url, headers = {} } = options;
	const answer = {
		status: response.statusCode,
		headers: response.headers,
		body: response.body as unknown as ResponseBody,
		bodyTimeoutMs: timeout,
	};
	return { answer, url, key: headers['x-api-key'] };
}

/** @param key is taken out of what the service says, for services that repeat what they refuse */
async function readErrorResponse(answer: HttpResponse, key: unknown): Promise<RequestError> {
	const failure = errorFromStatus(answer.status, getHeader(answer, 'retry-after'));
	const bytes = await readBytes(answer, MAX_ERROR_BODY_BYTES).catch(() => '');
	const text = redactKey(bytes.toString(), key);
	const json = tryParseJson(text);
	return failure.with({
		serviceMessage: extractErrorMessage(text),
		responseBody: isObject(json) ? json : undefined,
	});
}

/** Pickers have no execution, and so nothing that cancels them. */
function getCancelSignal(context: RequestContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}
