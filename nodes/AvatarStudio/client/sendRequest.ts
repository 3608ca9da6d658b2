import type {
	IExecutePaginationFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';

import { getRejection } from './authenticate';
import { CREDENTIAL_TYPE, type GetCredential } from './credential';
import type { ResponseBody } from './response/body';
import type { HttpResponse } from './response/response';

/** The contexts n8n passes to an operation, a list search and a trigger: each can send requests. */
export type RequestContext = IExecutePaginationFunctions | ILoadOptionsFunctions | IPollFunctions;

/** One request, with the values of one item filled in. */
export interface RequestOptions {
	method: IHttpRequestMethods;
	/** A path starting with `/v1`, or the absolute URL of a redirect or a download link. */
	url: string;
	/** Send no API key: the host of a download link is not the service's. */
	skipAuthentication?: boolean;
	qs?: IHttpRequestOptions['qs'];
	body?: IHttpRequestOptions['body'];
	headers?: IHttpRequestOptions['headers'];
	/** How long to wait for the response to begin, and for its body to go on, in milliseconds. */
	timeout?: number;
	/** The user's Request Options: a proxy, and whether to accept any certificate. */
	proxy?: IHttpRequestOptions['proxy'];
	skipSslCertificateValidation?: boolean;
	/** For requests that share the credential: see `readCredentialOnce`. */
	getCredential?: GetCredential;
	/** Ends the request, and all retries of it, if its response is not needed any more. */
	abortSignal?: AbortSignal;
}

/** What one attempt of a request needs in addition. */
export interface Attempt {
	getCredential: GetCredential;
	/** Is called as soon as the status and the headers of a response have arrived. */
	onResponse: (response: HttpResponse) => void;
}

/** n8n ignores these when it is handed the fields of a credential. */
const PLACEHOLDER_DETAILS = { id: '', name: '', type: CREDENTIAL_TYPE };

const DEFAULT_TIMEOUT_MS = 60_000;

/**
 * Sends one request and waits for the response to begin. The status is judged by the caller, not
 * by n8n: n8n would send a 401 twice, and put the API key into the error it throws.
 *
 * @throws the credential's RequestError, or what n8n's HTTP layer throws
 */
export async function sendRequest(
	context: RequestContext,
	{
		skipAuthentication,
		getCredential,
		onResponse,
		timeout = DEFAULT_TIMEOUT_MS,
		...request
	}: RequestOptions & Attempt,
): Promise<HttpResponse> {
	const abortSignal = getAbortSignal(context, request);
	const options: IHttpRequestOptions = {
		...request,
		timeout,
		headers: { accept: 'application/json', ...request.headers },
		encoding: 'stream',
		returnFullResponse: true,
		ignoreHttpStatusErrors: true,
		abortSignal,
	};
	const { helpers } = context;
	const pending = skipAuthentication
		? helpers.httpRequest(options)
		: helpers.httpRequestWithAuthentication.call(
				withCancelSignal(context, abortSignal),
				CREDENTIAL_TYPE,
				options,
				{ credentialsDecrypted: { ...PLACEHOLDER_DETAILS, data: await getCredential() } },
			);
	const { statusCode, headers, body } = (await pending.catch((error: unknown) => {
		throw getRejection(options) ?? error;
	})) as IN8nHttpFullResponse;
	const response: HttpResponse = {
		url: options.url,
		status: statusCode,
		headers,
		body: body as unknown as ResponseBody,
		bodyTimeoutMs: timeout,
		apiKey: options.headers?.['x-api-key'],
	};
	onResponse(response);
	return response;
}

/** n8n replaces the signal of a request by that of the context (n8n-core, authentication.js). */
function withCancelSignal(context: RequestContext, signal?: AbortSignal): RequestContext {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as RequestContext;
}

/**
 * @returns the signal that ends a request: its own, or n8n's cancellation; list searches have no
 *   execution and so no cancellation
 */
export function getAbortSignal(
	context: RequestContext,
	{ abortSignal }: Pick<RequestOptions, 'abortSignal'>,
): AbortSignal | undefined {
	const cancelSignal =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	return cancelSignal && abortSignal
		? AbortSignal.any([cancelSignal, abortSignal])
		: (abortSignal ?? cancelSignal);
}
