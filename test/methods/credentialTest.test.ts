import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { testCredential } from '../support/engine/engine';
import { useStudio } from '../support/studio';

const KEY = 'k3y-of-the-test';
const studio = useStudio({ apiKey: KEY });

const WRONG_ADDRESS = 'The address responds, but not like the service';
const CHECK_ADDRESS = 'Check Base URL: it is the part of the address before /v1.';

/** Tests the stand-in's credential with changes, and expects no message to contain the key. */
async function tested(changes: ICredentialDataDecryptedObject = {}) {
	const result = await testCredential({ ...studio.credentials, ...changes });
	expect(result.message).not.toContain(KEY);
	return result;
}

test('A valid credential passes with one small request', async () => {
	expect(await tested()).toStrictEqual({ status: 'OK', message: 'Connection successful' });
	expect(studio.service.requests).toMatchObject([
		{
			method: 'GET',
			url: '/v1/assets?Page=1&PageSize=1',
			rawBody: '',
			headers: { 'x-api-key': KEY, accept: 'application/json' },
		},
	]);
});

test.each([
	[400, 0],
	[404, 1],
	[416, 0],
	[422, 1],
])(
	'A service that refuses pages after the last (%i) passes with %i assets',
	async (status, count) => {
		studio.service.assets = studio.service.assets.slice(0, count);
		studio.service.configure({ pagination: { firstPage: 0, pageBeyondLast: status } });
		expect(await tested()).toMatchObject({ status: 'OK' });
	},
);

test('A service that refuses even the first page of an empty list passes', async () => {
	studio.service.assets = [];
	studio.service.configure({ pagination: { emptyList: 404 } });
	expect(await tested()).toMatchObject({ status: 'OK' });
	expect(studio.getRoutes()).toHaveLength(3);
});

const json = { 'content-type': 'application/json' };

test.each<[string, Fault]>([
	['a bare list', { body: [] }],
	['null for its assets', { body: 'null', headers: json, when: { path: '/v1/assets' } }],
])('A service that responds with %s passes', async (_answer, fault) => {
	studio.service.injectFault(fault);
	expect(await tested()).toMatchObject({ status: 'OK' });
});

test('The message about an empty credential says what to fill in', async () => {
	expect(await testCredential(undefined as never)).toStrictEqual({
		status: 'Error',
		message: 'Base URL is empty. Enter it in the credential.',
	});
});

const page = {
	body: '<html><title>Welcome</title></html>',
	headers: { 'content-type': 'text/html' },
};

test.each<[string, Fault, string]>([
	['404', { status: 404 }, ' (404)'],
	['a web page with 200', page, ''],
	['a web page with 404', { ...page, status: 404 }, ' (404)'],
	['JSON that is not a list of assets', { body: { hello: 'world' } }, ''],
	['an empty body', { body: '' }, ''],
	['null', { body: 'null', headers: json }, ''],
])('A URL that responds with %s is reported as wrong', async (_answer, fault, detail) => {
	studio.service.injectFault(fault);
	const { status, message } = await tested();
	expect(status).toBe('Error');
	expect(message.startsWith(WRONG_ADDRESS + detail)).toBe(true);
	expect(message.endsWith(`. ${CHECK_ADDRESS}`)).toBe(true);
});

test.each([302, 307])(
	'A URL that redirects (%s) is reported as wrong, and the key does not follow',
	async (redirect) => {
		const location = `${studio.service.filesUrl}/sized/1`;
		studio.service.injectFault({ status: redirect, headers: { location } });
		const { status, message } = await tested();
		expect(status).toBe('Error');
		expect(message).toBe(`${WRONG_ADDRESS} (${redirect}). ${CHECK_ADDRESS}`);
		expect(studio.service.requests).toHaveLength(1);
	},
);

test.each([
	[403, 'The account is not allowed to do this (403)'],
	[500, 'The service did not complete the request (500)'],
	[503, 'The service is currently unavailable (503)'],
])('A status of %s has its own message', async (status, words) => {
	studio.service.injectFault({ status });
	const result = await tested();
	expect(result.status).toBe('Error');
	expect(result.message.startsWith(words)).toBe(true);
	expect(new Set(studio.getRoutes()).size).toBe(1);
});
