import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { Client } from '../client/client';
import { authenticate } from '../client/credential';
import type { HttpResponse } from '../client/response/body';
import { isObject, tryParseJson } from '../client/response/json';
import { readText } from '../client/response/response';
import { formatErrorText } from '../errors/nodeError';
import { CHECK_BASE_URL, mayReject } from '../errors/statuses';
import { RequestError, toUserError, type UserError } from '../errors/userError';

/**
 * What is read, until one is not rejected. Assets may be rejected for an account that has none on this
 * page, or whose plan has none.
 */
const TEST_PATHS = ['/v1/assets?Page=1&PageSize=1', '/v1/voices'];

const NO_LIST = new RequestError('The address responds, but not like the service', CHECK_BASE_URL, {
	code: 'wrongAddress',
});

/** With what the Base URL of the fast branch ends (`service/openapi.yaml`, `createFastVideo`). */
const FAST_BRANCH_PATH = '/api';

const FAST_BRANCH_TEXTS = {
	summary: 'The address has no list with which the API key could be tested',
	hint: 'The fast branch has none. If this is its Base URL, save the credential, and try it with Video: Create Fast. Otherwise remove /api from Base URL.',
};

/**
 * Tests the credential with one cheap request, or a second one if its page is rejected. A test that the
 * credential declares would report no more than "ECONNREFUSED" (n8n 2.41.1, credentials-tester.service.js).
 *
 * @returns OK, or a message that distinguishes a wrong key, a wrong address and an unreachable host
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const client = Client.forEditor(toRequestContext(this, data));
	let firstError: UserError | undefined;
	for (const url of TEST_PATHS) {
		const test = client.request({ method: 'GET', url }, assertList);
		const error = await test.then(() => undefined, toAddressError);
		if (!error) return { status: 'OK', message: 'Connection successful' };
		firstError ??= error;
		const { status } = error.details;
		const isNoList = error.details.code === 'wrongAddress' && status === undefined;
		if (!isNoList && !mayReject('page', status)) break;
	}
	const error = await explainMissingLists(client, firstError!);
	return { status: 'Error', message: formatErrorText(error) };
}

/**
 * Gives what n8n passes to a credential test the form of its other contexts. The one way to send a
 * request there is `helpers.request`, whose options have other names.
 */
function toRequestContext(
	{ helpers, logger }: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): ILoadOptionsFunctions {
	const httpRequestWithAuthentication = async (_type: string, options: IHttpRequestOptions) =>
		(await helpers.request({
			...authenticate(data, options),
			simple: false,
			resolveWithFullResponse: true,
			// Without a stream, n8n would read a body of any size (@n8n/backend-network 1.15.1,
			// legacy-request.js).
			useStream: true,
		})) as unknown;
	return {
		helpers: { httpRequestWithAuthentication },
		logger,
		getCredentials: () => data,
	} as unknown as ILoadOptionsFunctions;
}

async function assertList(response: HttpResponse): Promise<void> {
	const json = tryParseJson(await readText(response));
	if (Array.isArray(json) || (isObject(json) && ('assets' in json || 'voices' in json))) return;
	throw NO_LIST;
}

/** The fast branch has no list, so its Base URL responds to this test as a wrong address does. */
async function explainMissingLists(client: Client, error: UserError): Promise<UserError> {
	if (!mayReject('route', error.details.status)) return error;
	const isFastBranch = (await client.getBaseUrl()).endsWith(FAST_BRANCH_PATH);
	return isFastBranch ? error.with(FAST_BRANCH_TEXTS) : error;
}

/** @returns the error; that the address is wrong if what is there redirects, or knows no such path */
function toAddressError(thrown: unknown): UserError {
	const error = toUserError(thrown);
	const { code, status } = error.details;
	const isElsewhere = code === 'redirected' || mayReject('route', status);
	return isElsewhere ? NO_LIST.with({ status }) : error;
}
