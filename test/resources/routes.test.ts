import { isResourceLocatorValue, type INodeParameters } from 'n8n-workflow';

import { getError, getErrorText } from '../support/engine/engine';
import { runOperation } from '../support/files';
import { byLabel, type DescribedOperation } from '../support/operations';
import { createSpeech, createVideo, deleteAsset, getAssets, SOME_ID } from '../support/parameters';
import { getOnlyRequest } from '../support/requests';
import { useStudio } from '../support/studio';

const studio = useStudio({ apiKey: 'key-of-mine' });

// The bodies are in the tests of each; the stand-in checks them against the contract.
test.each<[string, INodeParameters, contentType?: string]>([
	['GET /v1/assets?Page=0&PageSize=7', getAssets({ limit: 7 })],
	[`DELETE /v1/assets/${SOME_ID}`, deleteAsset(SOME_ID)],
	['POST /v1/speech', createSpeech(), 'application/*+json'],
	['POST /v1/talkingphotos', createVideo(), 'application/json'],
])('%s is one request with these headers and nothing else', async (...row) => {
	const [sent, parameters, contentType] = row;
	const assets = Array.from({ length: 7 }, (_, id) => ({ id }));
	studio.service.injectFault({ body: { assets } });
	await studio.run(parameters);
	const { method, url, headers, rawBody, rawHeaders } = getOnlyRequest(studio);
	const length = String(Buffer.byteLength(rawBody));
	expect(`${method} ${url}`).toBe(sent);
	expect(headers).toStrictEqual({
		host: new URL(studio.service.url).host,
		accept: 'application/json',
		'x-api-key': 'key-of-mine',
		'user-agent': 'n8n',
		'accept-encoding': 'gzip, compress, deflate, br',
		connection: 'close',
		...(contentType && { 'content-type': contentType, 'content-length': length }),
	});
	expect(rawHeaders.filter((entry) => entry === 'key-of-mine')).toHaveLength(1);
});

/** The route with the IDs from the placeholders, without a query. */
const getSentRoute = ({ route, parameters }: DescribedOperation) =>
	route.replace(/\{(\w+)\}/g, (_, name: string) => {
		const id = parameters[name];
		return (isResourceLocatorValue(id) ? id.value : id) as string;
	});

test.each(byLabel())(
	'%s, filled in from its placeholders, sends one request below the path of the Base URL, and reports a refusal',
	async (_label, operation) => {
		studio.service.configure({ basePath: '/studio/eu' });
		studio.service.injectFault({ status: 403, body: { message: 'Not in your plan.' } });
		const error = await getError(runOperation(studio, operation));
		const { method, url } = getOnlyRequest(studio);
		const route = getSentRoute(operation).replace(' ', ' /studio/eu');
		expect(`${method} ${url.split('?')[0]}`).toBe(route);
		expect(error.httpCode).toBe('403');
		expect(getErrorText(error)).toBe(
			'The account is not allowed to do this (403): Not in your plan. Check that its plan includes API access, that the record belongs to it, or that credits are left.',
		);
	},
);
