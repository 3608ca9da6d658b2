import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { errorFromException } from '../transport/errors/connectionErrors';
import { extractErrorMessage } from '../transport/errors/extractErrorMessage';
import { formatErrorText } from '../transport/errors/nodeError';
import { RequestError } from '../transport/errors/requestError';
import { errorFromStatus } from '../transport/errors/statusErrors';
import { isObject, tryParseJson } from '../transport/json';
import { authenticate, redactKey } from '../transport/request/authenticate';

/** The smallest list; page 1 exists whether the service counts pages from 0 or from 1. */
const TEST_PATH = '/v1/assets?Page=1&PageSize=1';
const TIMEOUT_MS = 15_000;

/**
 * Tests the credential with one cheap request. It is a function of the node because a test
 * declared by the credential reports no more than "ECONNREFUSED" for an unreachable host (n8n,
 * credentials-tester.service.js).
 *
 * @returns OK, or a message that distinguishes a wrong key, a wrong address and an unreachable host
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	try {
		const options = authenticate(data, {
			url: TEST_PATH,
			method: 'GET',
			headers: { accept: 'application/json' },
		});
		// The only way n8n gives a credential test to send a request.
		const { request } = this.helpers;
		const { statusCode, body } = (await request({
			...options,
			timeout: TIMEOUT_MS,
			simple: false,
			resolveWithFullResponse: true,
		})) as { statusCode: number; body: unknown };
		assertAssetList(statusCode, body, options.headers?.['x-api-key']);
		return { status: 'OK', message: 'Connection successful' };
	} catch (error) {
		const requestError = error instanceof RequestError ? error : errorFromException(error);
		return { status: 'Error', message: formatErrorText(requestError) };
	}
}

function assertAssetList(status: number, body: unknown, apiKey: unknown): void {
	const text = redactKey(typeof body === 'string' ? body : JSON.stringify(body ?? ''), apiKey);
	const json = typeof body === 'string' ? tryParseJson(body) : body;
	if (status < 300 && (Array.isArray(json) || (isObject(json) && 'assets' in json))) return;
	const error = errorFromStatus(status < 300 ? 404 : status).with({
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
