import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IDataObject,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { authenticate, redactKey } from '../client/authenticate';
import { getAccount } from '../client/credential';
import { Caller } from '../client/limiter/caller';
import { getAccountLimiter } from '../client/limiter/rateLimiter';
import { REFUSES_PAGE } from '../client/pagination/prefetcher';
import { isObject, tryParseJson } from '../client/response/json';
import { describeException } from '../errors/connectionErrors';
import { extractErrorMessage } from '../errors/extractErrorMessage';
import { formatErrorText } from '../errors/nodeError';
import { RequestError } from '../errors/requestError';
import { describeStatus } from '../errors/statusErrors';

/**
 * The smallest list first. A service that counts pages from 0 may refuse page 1 to an account with
 * one asset at most, and one that refuses the pages of an empty list, or sends nothing, still lists its
 * voices.
 */
const TEST_PATHS = ['/v1/assets?Page=1&PageSize=1', '/v1/assets?Page=0&PageSize=1', '/v1/voices'];
const TIMEOUT_MS = 15_000;

/** n8n refuses every item of a credential that was stored like this, before the node runs. */
const NO_DOMAINS = new RequestError(
	'Allowed HTTP Request Domains of this credential is Specific Domains, without any domain',
	'n8n sends no request with it. Create the credential again.',
);

interface TestResponse {
	statusCode: number;
	headers: IDataObject;
	body: unknown;
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
	let refusal: RequestError | undefined;
	for (const path of TEST_PATHS) {
		try {
			await requestList(this, data, path);
			return { status: 'OK', message: 'Connection successful' };
		} catch (thrown) {
			const error = describeException(thrown);
			refusal ??= error;
			const { status } = error.details;
			const isNoList = thrown instanceof RequestError && status === undefined;
			if (!isNoList && !REFUSES_PAGE.has(status ?? 0)) break;
		}
	}
	return { status: 'Error', message: formatErrorText(refusal!) };
}

/** @throws RequestError if the response is no list, or what n8n's HTTP layer throws */
async function requestList(
	{ helpers }: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
	url: string,
): Promise<void> {
	const options = authenticate(data, {
		url,
		method: 'GET',
		headers: { accept: 'application/json' },
	});
	const limiter = getAccountLimiter(getAccount(data));
	await limiter.run(Caller.forUser(), {}, async (onResponse) => {
		// The only way n8n gives a credential test to send a request.
		const { statusCode, headers, body } = (await helpers.request({
			...options,
			timeout: TIMEOUT_MS,
			simple: false,
			resolveWithFullResponse: true,
		})) as TestResponse;
		onResponse({ status: statusCode, headers });
		assertList(statusCode, body, options.headers?.['x-api-key']);
	});
}

function assertList(status: number, body: unknown, apiKey: unknown): void {
	const text = redactKey(typeof body === 'string' ? body : JSON.stringify(body ?? ''), apiKey);
	const json = typeof body === 'string' ? tryParseJson(body) : body;
	const isList = Array.isArray(json) || (isObject(json) && ('assets' in json || 'voices' in json));
	if (status < 300 && isList) return;
	const error = describeStatus(status < 300 ? 404 : status).with({
		// The title of a web page explains nothing.
		serviceMessage: json === undefined ? undefined : extractErrorMessage(text),
	});
	const isWrongAddress = status < 400 || [404, 405].includes(status);
	throw isWrongAddress
		? error.with({
				message: 'The address responds, but not like the service',
				hint: 'Check Base URL: it is the part of the address before /v1.',
				status: status < 300 ? undefined : status,
			})
		: error;
}
