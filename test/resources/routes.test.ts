import { isResourceLocatorValue, type INodeParameters } from 'n8n-workflow';

import { getError, getErrorText } from '../support/engine/engine';
import { byLabel, type DescribedOperation, runOperation } from '../support/operations';
import {
	createSpeech,
	createVideo,
	deleteAsset,
	getAssets,
	SOME_ID,
	VOICE,
} from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useStudio } from '../support/studio';

const studio = useStudio({ apiKey: 'key-of-mine' });

interface Sent {
	parameters: INodeParameters;
	sends: string;
	contentType?: string;
	body?: object;
}

// The bodies of the others are in the tests of each; the stand-in checks them against the contract.
test.each<[string, Sent]>([
	[
		'Asset: Get Many',
		{ parameters: getAssets({ limit: 7 }), sends: 'GET /v1/assets?Page=0&PageSize=7' },
	],
	['Asset: Delete', { parameters: deleteAsset(SOME_ID), sends: `DELETE /v1/assets/${SOME_ID}` }],
	[
		'Speech: Create',
		{
			parameters: createSpeech(),
			sends: 'POST /v1/speech',
			contentType: 'application/*+json',
			body: { script: 'Hello there', voiceId: VOICE },
		},
	],
	[
		'Video: Create',
		{
			parameters: createVideo(),
			sends: 'POST /v1/talkingphotos',
			contentType: 'application/json',
			body: { videoTitle: 'Welcome', script: 'Hello there', avatarId: SOME_ID, voiceId: VOICE },
		},
	],
])(
	'%s sends one request to its route and nothing else',
	async (_operation, { parameters, sends, contentType, body }) => {
		// One response that suits all: seven assets, no voices, an object.
		const assets = Array.from({ length: 7 }, (_, id) => ({ id }));
		studio.service.injectFault({ body: { assets, voices: [] } });
		await studio.run(parameters);
		const { method, url, headers, rawBody, rawHeaders } = getOnlyRequest(studio);
		expect(`${method} ${url}`).toBe(sends);
		expect(rawBody).toBe(body ? JSON.stringify(body) : '');
		const { host, ...named } = headers;
		expect(`http://${host}`).toBe(studio.service.url);
		expect(named).toStrictEqual({
			accept: 'application/json',
			'x-api-key': 'key-of-mine',
			'user-agent': 'n8n',
			'accept-encoding': 'gzip, compress, deflate, br',
			connection: 'close',
			...(contentType && { 'content-type': contentType }),
			...(body && { 'content-length': String(Buffer.byteLength(rawBody)) }),
		});
		expect(rawHeaders.filter((entry) => entry === 'key-of-mine')).toHaveLength(1);
	},
);

/** The route with the IDs from the placeholders, without a query. */
const getSentRoute = ({ route, parameters }: DescribedOperation) =>
	route.replace(/\{(\w+)\}/g, (_, name: string) => {
		const id = parameters[name];
		return (isResourceLocatorValue(id) ? id.value : id) as string;
	});

describe.each(byLabel())('%s, filled in from its placeholders,', (_label, operation) => {
	it('sends one request to its route below the path of the Base URL', async () => {
		studio.service.configure({ basePath: '/studio/eu' });
		studio.service.injectFault({ status: 409 });
		const error = await getError(runOperation(studio, operation));
		expect(error.httpCode).toBe('409');
		const { method, url } = getOnlyRequest(studio);
		expect(`${method} ${url.split('?')[0]}`).toBe(
			getSentRoute(operation).replace(' ', ' /studio/eu'),
		);
	});

	it("reports a refusal with the status, the service's message and what to do", async () => {
		studio.service.injectFault({ status: 403, body: { message: 'Not in your plan.' } });
		const error = await getError(runOperation(studio, operation));
		expect(getErrorText(error)).toBe(
			'The account is not allowed to do this (403): Not in your plan. Check that its plan includes API access, that the record belongs to it, or that credits are left.',
		);
		expect(error.httpCode).toBe('403');
		expect(studio.service.requests).toHaveLength(1);
	});
});
