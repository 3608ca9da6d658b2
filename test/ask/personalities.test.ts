import { gzipSync } from 'node:zlib';

import { ask } from '../../ask/ask';
import { AskClient, type ClientOptions } from '../../ask/client';
import type { Mode, PointId } from '../../ask/openPoints';
import type { CreationResponse, Fault, ServiceOptions } from '../../service/service';
import { useService } from '../service/client';
import { startRawHost } from '../support/rawHost';

const api = useService();

/** Asks the stand-in, or another host, and returns what was observed at some points. */
async function observe(
	points: PointId[],
	modes: Mode[] = ['read'],
	options: Partial<ClientOptions> = {},
) {
	const { url, apiKey, filesUrl } = api.service;
	const { signal } = new AbortController();
	const client = new AskClient({ baseUrl: url, apiKey, retryDelayMs: 10, ...options });
	const fileUrl = `${filesUrl}/sized/64`;
	const observations = await ask({ client, signal, fileUrl, say: () => {} }, new Set(modes));
	return points.map((id) => {
		const result = observations[id];
		return 'observed' in result ? result.observed : `not observed: ${result.notObserved}`;
	});
}

test.each<[CreationResponse, speech: string, video: string, links: string]>([
	['empty', '200 `application/json {}`', '200 `application/json {}`', 'no link / no link'],
	['noContent', '204 `empty body`', '204 `empty body`', 'no link / no link'],
	[
		'id',
		'200 `application/json { id: UUID, voiceId: text }`',
		'200 `application/json { id: UUID, videoTitle: text, status: text }`',
		'no link / no link',
	],
	[
		'link',
		'200 `application/json { id: UUID, voiceId: text, audioUrl: link }`',
		'200 `application/json { id: UUID, videoTitle: text, status: text, url: link }`',
		'audioUrl / url',
	],
	[
		'links',
		'200 `application/json { id: UUID, voiceId: text, audioUrl: link, coverUrl: link }`',
		'200 `application/json { id: UUID, videoTitle: text, status: text, url: link, thumbnailUrl: link }`',
		'audioUrl, coverUrl / url, thumbnailUrl',
	],
	[
		'array',
		'200 `application/json [ { id?: UUID, voiceId?: text, audioUrl: link } ]`',
		'200 `application/json [ { id?: UUID, videoTitle?: text, status?: text, url: link } ]`',
		'audioUrl / url',
	],
	['text', '200 `text/plain link`', '200 `text/plain link`', 'the whole body / the whole body'],
	['file', '200 `audio/wav file`', '200 `video/mp4 file`', 'no link / no link'],
])('A creation that responds with %s is recognized', async (response, speech, video, links) => {
	api.service.configure({ speechResponse: response, videoResponse: response });
	const [creations, linkField] = await observe(['creations', 'linkField'], ['create']);
	const [speechLink, videoLink] = links.split(' / ');
	expect(creations).toBe(`Speech: ${speech}. Video: ${video}.`);
	expect(linkField).toBe(`Speech: ${speechLink}. Video: ${videoLink}.`);
	expect(api.service.speeches).toHaveLength(1);
	expect(api.service.videos).toMatchObject([{ draft: true }]);
});

const typed = (type: string, body: string): Fault => ({ body, headers: { 'content-type': type } });

test.each<[string, Fault, string]>([
	[
		'title and detail',
		{ body: { type: 'about:blank', title: 'Invalid', status: 404, detail: 'None' } },
		'application/json { type: text, title: text, status: number, detail: text }',
	],
	['message', { body: { message: 'None' } }, 'application/json { message: text }'],
	[
		'error.message',
		{ body: { error: { message: 'None', code: 7 } } },
		'application/json { error: { message: text, code: number } }',
	],
	['error', { body: { error: 'None' } }, 'application/json { error: text }'],
	['errors as a list', { body: { errors: ['A', 'B'] } }, 'application/json { errors: [ text ] }'],
	[
		'errors as a list of objects',
		{ body: { errors: [{ message: 'A' }, { detail: 'B' }] } },
		'application/json { errors: [ { message?: text, detail?: text } ] }',
	],
	[
		'errors by field',
		{ body: { errors: { script: ['Too long'], voiceId: 'No' } } },
		'application/json { errors: { script: [ text ], voiceId: text } }',
	],
	['a list', { body: [{ message: 'A' }] }, 'application/json [ { message: text } ]'],
	['a JSON string', typed('application/json', '"None"'), 'application/json text'],
	[
		'a problem',
		typed('application/problem+json; charset=utf-8', '{"title":"None"}'),
		'application/problem+json { title: text }',
	],
	['a web page', typed('text/html', '<html><title>None</title></html>'), 'text/html web page'],
	['plain text', typed('text/plain', 'None'), 'text/plain text'],
	['nothing', { body: '' }, 'text/plain empty body'],
])('An error body with %s is recognized', async (_name, fault, body) => {
	refuseEverything(fault, 401);
	const [errors] = await observe(['errors']);
	expect(errors).toBe(describeErrors(401, body));
});

test('A key that is refused with 403 is recognized', async () => {
	refuseEverything({ body: { message: 'None' } }, 403);
	const [errors] = await observe(['errors']);
	expect(errors).toBe(describeErrors(403, 'application/json { message: text }'));
});

/** Responds with this body to each request that should fail. */
function refuseEverything(fault: Fault, keyStatus: number): void {
	const refusals: [number, Fault['when']][] = [
		[keyStatus, ({ headers }) => headers['x-api-key'] !== 'demo-key'],
		[404, ({ path }) => /no-such-path|assets\/.*/.test(path)],
		[400, ({ query }) => query.PageSize === '-1'],
	];
	for (const [status, when] of refusals) api.service.injectFault({ ...fault, status, when });
}

function describeErrors(keyStatus: number, body: string): string {
	return `No API key: ${keyStatus}. Wrong API key: ${keyStatus}. Unknown ID: 404. Malformed ID: 404. PageSize -1: 400. Unknown path: 404. Body: \`${body}\`.`;
}

const voiceFields =
	'Fields: audioSampleUrl, gender, id, isNeural, language, languageCode, languageCodes, languageCodesJson, name, provider, providerVoiceId, textToSpeechApiProvider, voiceId.';

test.each<[Mode, Partial<Record<PointId, string>>]>([
	[
		'read',
		{
			listedAssetFields: 'Fields: extension, id, name, originalFileUrl, url.',
			voiceFields: `${voiceFields} Always null: audioSampleUrl. The order is the same in two requests.`,
			linkExpiry: expiresAfter(43_200),
			downloadLinks: 'A link of an asset leads to a file, on another host.',
			idFormat: 'IDs of assets are UUIDs.',
			voiceSearch:
				'A voice is found by gender, language, languageCode, name, provider, voiceId. The search accepts parts of a word and any case.',
			rateLimits: 'No headers. Requests one after the other are not refused.',
		},
	],
	[
		'write',
		{
			patchableFields: 'Besides the name, `type` is refused with 400.',
			importTypes: 'Every value is accepted, even an invented one.',
			requiredFields: 'An import requires fileUrl.',
			emptyResponses:
				'POST /v1/assets/import/url: `{ id: UUID, name: text, url: link, originalFileUrl: null }`. GET /v1/assets/{id}: `{ id: UUID, name: text, url: link, originalFileUrl: link, extension: text }`. PATCH /v1/assets/{id}: `{ id: UUID }`. DELETE /v1/assets/{id}: `{}`.',
		},
	],
])('What the stand-in does by default is recognized in the mode %s', async (mode, expected) => {
	const assets = api.service.assets.map(({ id }) => id);
	const points = Object.keys(expected) as PointId[];
	const observed = await observe(points, [mode]);
	const byPoint = Object.fromEntries(points.map((point, index) => [point, observed[index]]));
	expect(byPoint).toEqual(expected);
	expect(api.service.assets.map(({ id }) => id)).toEqual(assets);
});

test.each<[PointId, ServiceOptions, string, Mode[]?]>([
	[
		'listedAssetFields',
		{ listedAssetFields: 'minimal' },
		'Fields: id, name. Documented, but missing: extension, originalFileUrl, url.',
	],
	[
		'voiceFields',
		{ hasVoiceSamples: true },
		`${voiceFields} The order is the same in two requests.`,
	],
	['linkExpiry', { linkLifetimeSeconds: 600 }, expiresAfter(600)],
	[
		'downloadLinks',
		{ linkLifetimeSeconds: -10 },
		'A link of an asset leads to status 403 (application/json), on another host.',
	],
	[
		'rateLimits',
		{ rateLimit: { perSecond: 1_000, concurrent: 5, sendsHeaders: true } },
		'Headers: ratelimit-limit, ratelimit-policy, ratelimit-remaining, ratelimit-reset. Requests one after the other are not refused.',
	],
	[
		'connections',
		{ basePath: '/studio' },
		'No redirects. Connections are kept open. Responses are not compressed.',
	],
	['order', { pagination: { order: 'newest' } }, 'The newest asset comes first.', ['write']],
	[
		'order',
		{ pagination: { order: 'oldest' } },
		'The newest asset does not come first.',
		['write'],
	],
	[
		'order',
		{ pagination: { order: 'newest', firstPage: 0, maxPageSize: 2 } },
		'The newest asset comes first.',
		['write'],
	],
	[
		'patchableFields',
		{ extraBodyFields: ['type'] },
		'Besides the name, `type` is accepted.',
		['write'],
	],
	['videoStates', {}, 'A new draft has the status "completed".', ['create']],
])('%s is recognized with %j', async (point, options, expected, modes = ['read']) => {
	api.service.configure(options);
	const assets = api.service.assets.map(({ id }) => id);
	const [observed] = await observe([point], modes, { baseUrl: api.service.url });
	expect(observed).toBe(expected);
	expect(api.service.assets.map(({ id }) => id)).toEqual(assets);
});

function expiresAfter(seconds: number): string {
	return `A link expires ${seconds} seconds after the response, by the clock of the service.`;
}

test('A rate limit is waited for and reported', async () => {
	api.service.configure({ rateLimit: { perSecond: 30, retryAfter: 1, sendsHeaders: true } });
	const [rateLimits, firstPage] = await observe(['rateLimits', 'firstPage']);
	expect(rateLimits).toMatch(/^Headers: .*ratelimit-limit.* Requests are refused with 429\.$/);
	expect(firstPage).toMatch(/^The first page is page 1/);
});

test('Types that the service refuses are recognized', async () => {
	const isRefused = (type: unknown) => ['Music', 'no-such-type'].includes(String(type));
	api.service.injectFault({
		when: ({ body }) => isRefused((body as { type?: unknown } | undefined)?.type),
		status: 422,
	});
	const [types] = await observe(['importTypes'], ['write']);
	expect(types).toBe('Accepted: Image, Video, Audio, Assets, image. Refused: Music, no-such-type.');
});

test('Creations that the service refuses are recognized', async () => {
	api.service.injectFault({ when: { method: 'POST' }, status: 402 });
	expect(await observe(['creations', 'linkField'], ['create'])).toEqual([
		'Speech: refused with 402. Video: refused with 402.',
		'not observed: the service refused both creations',
	]);
});

test('A search without effect is recognized', async () => {
	api.service.injectFault({
		when: { operation: 'listVoices' },
		body: { voices: api.service.voices },
	});
	expect(await observe(['voiceSearch'])).toEqual(['The parameter query has no effect.']);
});

test.each(['the same host', 'another host'])('A redirect to %s is recognized', async (host) => {
	const other = await startRawHost((_request, response) => response.end());
	const { url, apiKey } = api.service;
	const location = host === 'another host' ? `${other.url}/v1/voices` : `${url}/v1/voices?query=`;
	api.service.injectFault({
		when: ({ path, url: target }) => path === '/v1/voices' && target.includes('zq'),
		status: 307,
		headers: { location },
	});
	const [connections] = await observe(['connections'], ['read'], { apiKey });
	expect(connections).toMatch(`Redirects to ${host}.`);
	expect(other.requests).toBe(0);
	await other.close();
});

test('Closed connections and compression are recognized', async () => {
	const host = await startRawHost((_request, response) => {
		response.writeHead(200, {
			connection: 'close',
			'content-encoding': 'gzip',
			'content-type': 'application/json',
		});
		response.end(gzipSync('{"assets":[],"voices":[]}'));
	});
	const [connections, emptyLists] = await observe(['connections', 'emptyLists'], ['read'], {
		baseUrl: host.url,
	});
	expect(connections).toBe(
		'No redirects. Every connection is closed. Responses are compressed (gzip).',
	);
	expect(emptyLists).toBe('Of an empty list, page 0 is empty and page 1 is empty.');
	await host.close();
});

test('A service of which only the voices work is described as far as it works', async () => {
	api.service.injectFault({ when: ({ path }) => path.startsWith('/v1/assets'), status: 500 });
	const observed = await observe(['firstPage', 'linkExpiry', 'voiceFields', 'order']);
	expect(observed).toEqual([
		'not observed: GET /v1/assets responded with status 500',
		'not observed: GET /v1/assets responded with status 500',
		expect.stringContaining('Fields: '),
		'not observed: not asked: add --write',
	]);
});

test('A service that responds with anything at all is described without failing', async () => {
	for (const body of ['null', '[]', '"text"', '{"assets":[null,7],"voices":[{}]}', '<html>']) {
		const host = await startRawHost((_request, response) => response.end(body));
		const observed = await observe(['errors'], ['read', 'write', 'create'], { baseUrl: host.url });
		expect(observed[0]).toMatch(/No API key: 200/);
		await host.close();
	}
});

test.each([
	// At different points, with an answer that counts and with one that is asked for again.
	[500, [6, 8, 12, 16]],
	[503, [8]],
])('A service that fails with %i halfway has no invented limits', async (status, skips) => {
	for (const skip of skips) {
		api.service.injectFault({ when: { operation: 'listAssets' }, skip, status });
		const observed = await observe(['firstPage', 'pageSize', 'pagesBeyondLast', 'stability']);
		expect(new Set(observed)).toEqual(
			new Set([`not observed: GET /v1/assets responded with status ${status}`]),
		);
		api.service.clearFaults();
	}
});

test.each([429, 503])('A request refused with %i for now shows nothing else', async (status) => {
	const isMusic = ({ body }: { body?: unknown }) => (body as { type?: unknown })?.type === 'Music';
	api.service.injectFault({ when: isMusic, status });
	api.service.injectFault({ when: ({ path }) => path === '/v1/no-such-path', status });
	const [importTypes, errors] = await observe(['importTypes', 'errors'], ['read', 'write']);
	expect(importTypes).toBe(
		`not observed: POST /v1/assets/import/url responded with status ${status}`,
	);
	expect(errors).toBe(`not observed: GET /v1/no-such-path responded with status ${status}`);
});

test('A faltering service does not keep the temporary asset', async () => {
	const before = api.service.assets.map(({ id }) => id);
	api.service.injectFault({
		when: { operation: 'importAsset' },
		disconnect: 'beforeResponse',
		afterEffect: true,
	});
	api.service.injectFault({
		when: ({ operation }) =>
			operation === 'listAssets' && api.service.assets.length > before.length,
		disconnect: 'beforeResponse',
		times: 1,
	});
	api.service.injectFault({ when: { operation: 'deleteAsset' }, status: 503, times: 2 });
	await observe(['order'], ['read', 'write']);
	expect(api.service.assets.map(({ id }) => id)).toEqual(before);
});

test('An order is not concluded from one asset, nor from a random order', async () => {
	api.service.configure({ pagination: { order: 'shuffled' } });
	expect(await observe(['order'], ['write'])).toEqual([
		'not observed: the order changes from request to request',
	]);
	const { url, apiKey, assets } = api.service;
	const client = new AskClient({ baseUrl: url, apiKey });
	for (const { id } of assets) await client.send('DELETE', '/v1/assets/{id}', { id });
	expect(await observe(['order'], ['write'])).toEqual([
		'not observed: the account has too few assets',
	]);
});

test('A key rejected with 403 hides the other errors', async () => {
	api.service.injectFault({
		when: ({ headers }) => headers['x-api-key'] !== undefined,
		status: 403,
	});
	const [errors] = await observe(['errors']);
	expect(errors).toMatch(/^No API key: 401\. Wrong API key: 403\. Body: /);
});

test('Fields named after something of the account are masked', async () => {
	const { id } = api.service.assets[0]!;
	const link = 'https://files.example.com/a.mp3';
	api.service.injectFault({
		when: { path: '/v1/speech' },
		body: { files: { [id]: link } },
	});
	api.service.injectFault({
		when: { operation: 'listAssets' },
		body: { assets: [{ id, 'jane.doe@example.com': true }] },
	});
	const observed = await observe(['linkField', 'listedAssetFields'], ['read', 'create']);
	expect(observed).toEqual([
		'Speech: files.[masked]. Video: url.',
		'Fields: [masked], id. Documented, but missing: extension, name, originalFileUrl, url. Not documented: [masked].',
	]);
});

test('What came back for a speech is not lost with the video', async () => {
	api.service.injectFault({ when: { operation: 'createVideo' }, disconnect: 'beforeResponse' });
	const [creations] = await observe(['creations'], ['create']);
	expect(creations).toMatch(
		/^not observed: POST \/v1\/talkingphotos failed: \w+; Speech: 200 `application\/json \{\}`$/,
	);
});

test.each([
	[{}, 'by the clock of the service'],
	[{ date: '' }, 'by the clock of this computer'],
])('The expiry of a link with the headers %j is %s', async (headers, clock) => {
	const expires = Math.floor(Date.now() / 1_000) + 43_200;
	api.service.injectFault({
		when: { operation: 'getAsset' },
		body: { url: `${api.service.filesUrl}/sized/64?expires=${expires}` },
		headers,
	});
	const [linkExpiry] = await observe(['linkExpiry']);
	expect(linkExpiry).toBe(`A link expires 43200 seconds after the response, ${clock}.`);
});
