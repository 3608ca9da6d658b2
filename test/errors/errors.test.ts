import type { INodeType, NodeApiError } from 'n8n-workflow';

import { exchange } from '../../nodes/AvatarStudio/client/exchange';
import { RequestError } from '../../nodes/AvatarStudio/errors/userError';
import { useClock } from '../support/clock';
import { getError, getErrorText, runWorkflow } from '../support/engine/engine';
import { createAvatarStudioNode } from '../support/engine/parts';
import { createSpeech, getAsset, SOME_ID, updateAsset } from '../support/parameters';
import { useStudio } from '../support/studio';

const studio = useStudio();
useClock({ runs: true });

/** The message and the hint for each status. */
const STATUSES: [number, RegExp, RegExp][] = [
	[401, /API key/, /credential/],
	[402, /payment/i, /plan/],
	[403, /not allowed/, /plan/],
	[404, /found nothing|did not find/, /ID/],
	[405, /does not support/, /Base URL/],
	[422, /rejected the request/, /correct/i],
	[429, /too many requests/, /other programs/],
	[500, /did not complete/, /later/],
	[503, /did not complete/, /later/],
];

/** For 429, of which there would otherwise be a hundred before the node gives up. */
const RARELY = { 'retry-after': '100' };

test.each(STATUSES)(
	'G10: A response with status %i says what happened and what to do, with and without a message',
	async (status, happened, next) => {
		const body = { message: 'Words of the service' };
		const fault = { status, headers: RARELY };
		studio.service.injectFault({ ...fault, body, when: { method: 'GET' } });
		studio.service.injectFault({ ...fault, body: '' });
		const error = await getError(studio.run(getAsset(SOME_ID)));
		const silent = await getError(studio.run(createSpeech()));

		expect(error).toMatchObject({ name: 'NodeApiError', httpCode: String(status) });
		expect(getErrorText(error)).toMatch(next);
		expect(getErrorText(error)).toContain(` (${status}): Words of the service`);
		expect(silent.httpCode).toBe(String(status));
		expect(getErrorText(silent)).not.toMatch(/undefined|null|\[object|: \.|\.\.|\s\s/);
		for (const text of [error, silent].map(getErrorText)) expect(text).toMatch(happened);
	},
);

test('Beside another n8n-workflow, which a further package may bring, an error keeps its status', async () => {
	let type!: INodeType;
	jest.isolateModules(() => {
		const file = '../../nodes/AvatarStudio/AvatarStudio.node';
		const { AvatarStudio } = jest.requireActual<{ AvatarStudio: new () => INodeType }>(file);
		type = new AvatarStudio();
	});
	studio.service.injectFault({ status: 403, body: { message: 'Not yours' } });
	const node = { ...createAvatarStudioNode(createSpeech()), type: 'Other', name: 'Other' };
	const { credentials } = studio;
	const options = { credentials, start: 'Other', types: { Other: type } };
	const { data } = await runWorkflow([node], {}, options);
	expect(data.resultData.error).toMatchObject({ name: 'NodeApiError', httpCode: '403' });
	expect(getErrorText(data.resultData.error as NodeApiError)).toMatch(
		/ \(403\): Not yours\. Check/,
	);
});

describe("G10: the service's message", () => {
	it.each([
		['{"type":"about:blank","title":"Invalid","detail":"Too long"}', 'Too long'],
		['{"error":{"message":"No voice","code":7}}', 'No voice'],
		['{"error":"bad","description":"No voice"}', 'No voice'],
		['{"errors":["One","Two"]}', 'One; Two'],
		['{"errors":[{"message":"One"},{"detail":"Two"}]}', 'One; Two'],
		['{"title":"No.","errors":{"a":["Long","Loud"],"id":"Bad"}}', 'No: a: Long; Loud; id: Bad'],
		['{"violations":[{"propertyPath":"a","message":"Long"},{"message":"No"}]}', 'a: Long; No'],
		['{"detail":[{"loc":["body","script"],"msg":"Long"}]}', 'body.script: Long'],
		['{"error":{"errors":{"script":[{"message":"Long"}]}}}', 'script: Long'],
		['{"Message":"No voice"}', 'No voice'],
		['{"Error":{"Code":"x","Message":"No voice"}}', 'No voice'],
		['{"error_code":7,"error-message":"No voice"}', 'No voice'],
		['[{"propertyName":"Script","errorMessage":"Long"}]', 'Script: Long'],
		['{"fault":{"faultstring":"No voice","detail":{"code":"a"}}}', 'No voice: code: a'],
		['{"status":"fail","data":{"script":"Too long"}}', 'script: Too long'],
		['{"error":"bad","data":{"script":"Too long"}}', 'script: Too long'],
		['{"error":"bad_request","data":{"script":"x"}}', 'bad_request'],
		['{"error":"invalid_request","error_description":"No voice"}', 'No voice'],
		['{"statusCode":400,"error":"Bad Request","message":["No one","No two"]}', 'No one; No two'],
		['{"data":null,"errors":[{"message":"No voice","path":["a",1]}]}', 'a.1: No voice'],
		['{"error":{"message":"No voice","errors":[{"message":"No voice"}]}}', 'No voice'],
		['{"Message":"Invalid.","ModelState":{"script":["Long"]}}', 'Invalid: script: Long'],
		['{"title":"Invalid","invalid-params":[{"reason":"Long"}]}', 'Invalid: Long'],
		['{"response":{"Message":"No voice"},"took":3}', 'No voice'],
		['{"code":"x","why":"No voice"}', 'why: No voice'],
		['{"error":"x","why":"No voice"}', 'why: No voice'],
		['{"title":"Bad Request","why":"No x"}', 'why: No x'],
		['{"message":"Not valid","errors":{"script":["required"]}}', 'Not valid: script: required'],
		['{"message":"Not valid","data":{"script":["Too long"]}}', 'Not valid: script: Too long'],
		['{"message":"Not valid","result":{"reason":"Too long"}}', 'Not valid: Too long'],
		['{"error":"Not valid","script":["Too long"],"id":["x"]}', 'Not valid: script: Too long'],
		[
			'{"message":"Not valid","cause":"Too long","why":"Too loud"}',
			'Not valid: cause: Too long; why: Too loud',
		],
		['{"message":"Not valid.","cause":"Not valid.","data":{"message":"Not valid."}}', 'Not valid'],
		[
			'{"message":"Not valid","validation":{"body":{"keys":["script"],"message":"Too long"}}}',
			'Not valid: Too long',
		],
		['{"detail":[{"loc":["body","x"],"msg":"Too long","input":"My words"}]}', 'body.x: Too long'],
		['{"message":"Too long","path":"/v1/speech","timestamp":"2026-01-01 08:00"}', 'Too long'],
		['{"message":"Too long","path":{"name":"title"}}', 'Too long'],
		['{"message":"Too long","path":{"toString":1}}', 'Too long'],
		['{"error":{"message":{"lang":"en","value":"No voice"}}}', 'value: No voice'],
		['{"code":4001}', '{"code":4001}'],
		['{"errors":[]}', '{"errors":[]}'],
		['{"script":["No voice"]}', 'script: No voice'],
		['{"error":"脚本太长","code":"too long"}', '脚本太长'],
		['{"error":"Forbidden"}', 'Forbidden'],
		['\uFEFF"No voice"', 'No voice'],
		['<s:Fault><faultstring>No &lt;voice&gt;</faultstring></s:Fault>', 'No <voice>'],
		['<?xml version="1.0"?><e><![CDATA[No voice]]></e>', 'No voice'],
		['<error message="No voice"/>', '<error message="No voice"/>'],
		['<html><title> </title><style>b{}</style><h1>No voice</h1>', 'No voice'],
		['{"message":"No voi', '{"message":"No voi'],
		['<html><title>Sign in</title><p>Hi</html>', 'Sign in'],
		['<html><h1>Bad\n gateway</h1></html>', 'Bad gateway'],
		['  No voice.\n', 'No voice'],
	])('is extracted from %j', async (body, message) => {
		studio.service.injectFault({ body, status: 422 });
		const error = await getError(studio.run(createSpeech()));

		expect(error.message).toBe(`The service rejected the request (422): ${message}`);
	});

	it.each(['', 'null', '{}', '[]'])('is none if the service says nothing (%j)', async (body) => {
		studio.service.injectFault({ body, status: 422 });
		const error = await getError(studio.run(createSpeech()));

		expect(error.message).toBe('The service rejected the request (422)');
	});

	it('is kept if it contains a word for which n8n has its own message', async () => {
		studio.service.injectFault({ status: 422, body: { message: 'A preexisting name' } });
		const error = await getError(studio.run(updateAsset(SOME_ID)));

		expect(getErrorText(error)).toMatch(/rejected the request.*A preexisting name/);
	});
});

test('G10: The description says to look for a creation that may have been carried out', async () => {
	studio.service.injectFault({ status: 500, body: '' });
	const { message, description } = await getError(studio.run(createSpeech()));

	expect(message).toBe('The service did not complete the request (500)');
	expect(description).toMatch(/may exist anyway.* before you run this item again\. If this keeps/);
});

test('G1: A defect in reading the response to a creation is none of the network, and it was carried out', async () => {
	const httpRequest = async () => await Promise.resolve({ statusCode: 200, headers: {}, body: {} });
	const exchanged = await exchange(
		{ helpers: { httpRequest } } as never,
		{ method: 'POST', url: 'https://a.example', isDownload: true, timeout: 1, credential: {} },
		'https://a.example',
		async () => await Promise.reject(new Error('A defect')),
	);
	const error = await exchanged.readBody().catch((thrown: unknown) => thrown);
	expect(error).not.toBeInstanceOf(RequestError);
	expect(error).toMatchObject({ details: { outcome: 'done', code: 'unexpected' } });
});
