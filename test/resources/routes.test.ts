import { isResourceLocatorValue, type INodeParameters } from 'n8n-workflow';

import { getError, getErrorText } from '../support/engine/engine';
import { byLabel, type DescribedOperation, runOperation } from '../support/operations';
import {
	addApiKey,
	createSpeech,
	createVideo,
	deleteAsset,
	getAsset,
	getAssets,
	getVoices,
	importAsset,
	SOME_ID,
	updateAsset,
	VOICE,
} from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useStudio } from '../support/studio';

const studio = useStudio({ apiKey: 'key-of-mine' });

const fileUrl = 'https://example.com/portrait.png';
const JSON_BODY = 'application/json';

interface Route {
	parameters: INodeParameters;
	sends: string;
	contentType?: string;
	body?: object;
}

const routes: Record<string, Route> = {
	'Asset: Get Many': {
		parameters: getAssets({ limit: 7 }),
		sends: 'GET /v1/assets?Page=0&PageSize=7',
	},
	'Asset: Get': { parameters: getAsset(SOME_ID), sends: `GET /v1/assets/${SOME_ID}` },
	'Asset: Update': {
		parameters: updateAsset(SOME_ID, { name: 'Renamed' }),
		sends: `PATCH /v1/assets/${SOME_ID}`,
		contentType: JSON_BODY,
		body: { name: 'Renamed' },
	},
	'Asset: Delete': { parameters: deleteAsset(SOME_ID), sends: `DELETE /v1/assets/${SOME_ID}` },
	'Asset: Import From URL': {
		parameters: importAsset({ fileUrl }),
		sends: 'POST /v1/assets/import/url',
		contentType: JSON_BODY,
		body: { fileUrl, name: 'Portrait', type: 'Image' },
	},
	'Speech: Create': {
		parameters: createSpeech(),
		sends: 'POST /v1/speech',
		contentType: 'application/*+json',
		body: { script: 'Hello there', voiceId: VOICE },
	},
	'Video: Create': {
		parameters: createVideo(),
		sends: 'POST /v1/talkingphotos',
		contentType: JSON_BODY,
		body: {
			videoTitle: 'Welcome',
			script: 'Hello there',
			avatarId: SOME_ID,
			voiceId: VOICE,
		},
	},
	'Voice: Get Many': {
		parameters: getVoices(),
		sends: 'GET /v1/voices',
	},
	'Voice: Add API Key': {
		parameters: addApiKey(),
		sends: 'POST /v1/voices/add-api-key',
		contentType: JSON_BODY,
		body: { providerName: 'Aurora', serviceName: 'AuroraSpeech', encryptedKey: 'c2VjcmV0' },
	},
};

test.each(Object.entries(routes))(
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
