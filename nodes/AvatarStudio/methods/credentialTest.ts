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
import { isObject, tryParseJson } from '../client/response/json';
import { readBytes, type HttpResponse } from '../client/response/response';
import { formatErrorText } from '../errors/nodeError';
import { RequestError, toUserError, type UserError } from '../errors/userError';
import { voiceList } from '../resources/voice/voice';

const NO_LIST = new RequestError(
	'The address responds, but not like the service',
	'Check Base URL: it is the part of the address before /v1.',
	{ code: 'wrongAddress' },
);

/**
 * Tests the credential with the list that has no pages: how they are counted is not documented. A test
 * that the credential declares would report "ECONNREFUSED" (n8n, credentials-tester.service.js).
 *
 * @returns OK, or a message that distinguishes a wrong key, a wrong address and an unreachable host
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted,
): Promise<INodeCredentialTestResult> {
	const client = Client.forUser(toRequestContext(this, data));
	const test = client.request({ method: 'GET', url: voiceList.url }, assertList);
	const error = await test.then(() => undefined, toAddressError);
	return error
		? { status: 'Error', message: formatErrorText(error) }
		: { status: 'OK', message: 'Connection successful' };
}

/** The only way n8n gives a credential test to send a request, in the form of its other contexts. */
function toRequestContext(
	{ helpers }: ICredentialTestFunctions,
	data: ICredentialDataDecryptedObject,
): ILoadOptionsFunctions {
	const httpRequestWithAuthentication = async (_type: string, options: IHttpRequestOptions) =>
		(await helpers.request({
			...authenticate(data, options),
			simple: false,
			resolveWithFullResponse: true,
			// n8n would read a body of any size.
			useStream: true,
		})) as unknown;
	return {
		helpers: { httpRequestWithAuthentication },
		getCredentials: async () => await Promise.resolve(data),
	} as unknown as ILoadOptionsFunctions;
}

async function assertList(response: HttpResponse): Promise<void> {
	const text = (await readBytes(response)).toString();
	const json = tryParseJson(text);
	if (Array.isArray(json) || (isObject(json) && voiceList.property in json)) return;
	throw NO_LIST;
}

/** A redirect and a 404 come from whatever is at that address. */
function toAddressError(thrown: unknown): UserError {
	const error = toUserError(thrown);
	const { status = 0 } = error.details;
	const isWrong = (status >= 300 && status < 400) || status === 404 || status === 405;
	return isWrong ? NO_LIST.with({ status }) : error;
}
