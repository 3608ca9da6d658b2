import type {
	ICredentialDataDecryptedObject,
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	INodeCredentialTestResult,
} from 'n8n-workflow';

import { formatErrorMessage } from '../transport/errors/nodeError';
import {
	RequestError,
	errorFromException,
	errorFromStatus,
	tryParseJson,
	extractErrorMessage,
} from '../transport/errors/requestError';
import { authenticate, redactKey } from '../transport/request/authenticate';
import { isObject } from '../transport/response/response';

/** The smallest list there is; page 1 exists however the service counts. */
const URL = '/v1/assets?Page=1&PageSize=1';
const TIMEOUT_MS = 15_000;
const WRONG_ADDRESS = {
	hint: 'Check Base URL: it is the part of the address before /v1.',
};

/**
 * Tests the credential with one cheap request. It is a function of the node's, because a test
 * that a credential declares says no more than "ECONNREFUSED" of a host that is not there
 * (n8n, credentials-tester.service.js).
 *
 * @returns OK, or a message that tells a wrong key, a wrong address and an unreachable host apart
 */
export async function testCredential(
	this: ICredentialTestFunctions,
	{ data = {} }: ICredentialsDecrypted<ICredentialDataDecryptedObject>,
): Promise<INodeCredentialTestResult> {
	try {
		const options = authenticate(data, {
			url: URL,
			method: 'GET',
			headers: { accept: 'application/json' },
		});
		// The one way n8n gives a credential test to send a request.
		const { request } = this.helpers;
		const answer = (await request({
			...options,
			timeout: TIMEOUT_MS,
			simple: false,
			resolveWithFullResponse: true,
		})) as { statusCode: number; body: unknown };
		refuseUnlessAssets(answer.statusCode, answer.body, options.headers?.['x-api-key']);
		return { status: 'OK', message: 'Connection successful' };
	} catch (error) {
		const failure = error instanceof RequestError ? error : errorFromException(error);
		return { status: 'Error', message: formatErrorMessage(failure) };
	}
}

function refuseUnlessAssets(status: number, body: unknown, key: unknown): void {
	const text = redactKey(typeof body === 'string' ? body : JSON.stringify(body ?? ''), key);
	const json = typeof body === 'string' ? tryParseJson(body) : body;
	if (status < 300 && (Array.isArray(json) || (isObject(json) && 'assets' in json))) return;
	const failure = errorFromStatus(status < 300 ? 404 : status).with({
		// Of a web page its title says nothing.
		serviceMessage: json === undefined ? undefined : extractErrorMessage(text),
	});
	const isWrongAddress = status < 400 || [404, 405].includes(status);
	throw isWrongAddress
		? failure.with({
				message: 'The address answers, but not as the service does',
				...WRONG_ADDRESS,
				status: status < 300 ? undefined : status,
			})
		: failure;
}
