import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authenticate, parseBaseUrl } from '../client/authenticate';
import { identifyAccount } from '../client/credential';
import { judge } from '../client/exchange';
import { getRateLimiter } from '../client/limiter/rateLimiters';
import { RequestQueue } from '../client/limiter/requestQueue';
import { REFUSES_PAGE } from '../client/pagination/prefetcher';
import { getRedirectTarget, MAX_REDIRECTS } from '../client/redirects';
import type { ResponseBody } from '../client/response/body';
import { isObject, tryParseJson } from '../client/response/json';
import { redactKey } from '../client/response/redactKey';
import { readBytes } from '../client/response/response';
import { extractErrorMessage } from '../client/response/serviceMessage';
import { createConnectionError } from '../errors/connectionError';
import { formatErrorText } from '../errors/nodeError';
import { RequestError, toUserError } from '../errors/requestError';
import { createStatusError } from '../errors/statusError';
import { UserError } from '../errors/userError';

/**
 * The smallest list first. A service that counts pages from 0 may refuse page 1 to an account with
 * one asset at most, and one that refuses the pages of an empty list, or sends nothing, still lists its
 * voices.
 */
const TEST_PATHS = ['/v1/assets?Page=1&PageSize=1', '/v1/assets?Page=0&PageSize=1', '/v1/voices'];
const TIMEOUT_MS = 15_000;
const NO_LIST = 'wrongAddress';

/** n8n refuses every item of a credential that was stored like this, before the node runs. */
const NO_DOMAINS = new UserError(
	'Allowed HTTP Request Domains of this credential is Specific Domains, without any domain',
	'n8n sends no request with it. Create the credential again.',
);

interface TestResponse {
	statusCode: number;
	headers: IDataObject;
	body: ResponseBody;
}

/**
 * Tests the credential with one cheap request, or further ones if its page is refused. It is a
 * function of the node because a test declared by the credential reports no more than
 * "ECONNREFUSED" for an unreachable host (n8n, credentials-tester.service.js).
 *
 * @returns OK, or a message that distinguishes a wrong key, a wrong address and an unreachable host
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	if (data.allowedHttpRequestDomains === 'domains' && !data.allowedDomains) {
		return { status: 'Error', message: formatErrorText(NO_DOMAINS) };
	}
	let refusal: UserError | undefined;
	for (const path of TEST_PATHS) {
		try {
			await requestList(this, data, path);
			return { status: 'OK', message: 'Connection successful' };
		} catch (thrown) {
			const error = toUserError(thrown);
			refusal ??= error;
			const { status } = error instanceof RequestError ? error.details : {};
			const isNoList = error.code === NO_LIST && status === undefined;
			if (!isNoList && !REFUSES_PAGE.has(status ?? 0)) break;
		}
	}
	return { status: 'Error', message: formatErrorText(refusal!) };
}

/** @throws RequestError if the response is no list, UserError if the credential is not usable */
async function requestList(
	{ helpers }: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
	path: string,
): Promise<void> {
	const { origin } = new URL(parseBaseUrl(data.baseUrl));
	const limiter = getRateLimiter(`${identifyAccount(data)} `, origin);
	await limiter.run(RequestQueue.forUser(), {}, async (onResponse) => {
		let url: string | undefined = path;
		for (let redirects = 0; url !== undefined; redirects++) {
			const request = { url, method: 'GET', headers: { accept: 'application/json' } } as const;
			const options = authenticate(data, request);
			// The only way n8n gives a credential test to send a request.
			const pending = helpers.request({
				...options,
				timeout: TIMEOUT_MS,
				simple: false,
				resolveWithFullResponse: true,
				// n8n would read a body of any size.
				useStream: true,
			}) as Promise<TestResponse>;
			const { statusCode, headers, body } = await pending.catch((error: unknown) => {
				throw createConnectionError(error, options.url);
			});
			const { url: address } = options;
			const response = { url: address, status: statusCode, headers, body, timeout: TIMEOUT_MS };
			const target = redirects < MAX_REDIRECTS ? getRedirectTarget(response) : undefined;
			url = target?.origin === new URL(address).origin ? target.href : undefined;
			if (url !== undefined) {
				body.destroy();
				continue;
			}
			const error = judge(response);
			onResponse(error);
			const text = (await readBytes(response)).toString();
			assertList(redactKey(text, options.headers?.['x-api-key']), error);
		}
	});
}

/**
 * @param text the body, without the API key
 * @param statusError what the status means, if it is an error
 */
function assertList(text: string, statusError?: RequestError): void {
	const json = tryParseJson(text);
	const isList = Array.isArray(json) || (isObject(json) && ('assets' in json || 'voices' in json));
	if (!statusError && isList) return;
	const status = statusError?.details.status;
	const error = (statusError ?? createStatusError(404)).with({
		// The title of a web page explains nothing.
		serviceMessage: json === undefined ? undefined : extractErrorMessage(text),
	});
	const isWrongAddress = !status || status < 400 || [404, 405].includes(status);
	throw isWrongAddress
		? error.with({
				code: NO_LIST,
				summary: 'The address responds, but not like the service',
				hint: 'Check Base URL: it is the part of the address before /v1.',
				status,
			})
		: error;
}
