import { SAMPLE_AVATAR_ID, type CreationResponse } from '../../service/service';

import {
	call,
	createSpeech,
	createSpeechBody,
	createVideo,
	createVideoBody,
	download,
	getLink,
	readResponse,
	useService,
} from './client';

const api = useService();

test('Renaming an asset returns its ID, and the asset has the new name', async () => {
	const { id } = api.service.assets[0]!;

	const { json } = await call(api.service, 'PATCH', `/v1/assets/${id}`, { body: { name: 'New' } });

	expect(json).toEqual({ id });
	expect((await call(api.service, 'GET', `/v1/assets/${id}`)).json).toMatchObject({ name: 'New' });
});

test('Deleting an asset returns an empty object, and the asset and its file are gone', async () => {
	const { id } = api.service.assets[0]!;
	const link = await getLink(api.service, id);

	expect((await call(api.service, 'DELETE', `/v1/assets/${id}`)).json).toEqual({});
	expect((await call(api.service, 'GET', `/v1/assets/${id}`)).status).toBe(404);
	expect((await call(api.service, 'DELETE', `/v1/assets/${id}`)).status).toBe(404);
	expect((await call(api.service, 'PATCH', `/v1/assets/${id}`, { body: {} })).status).toBe(404);
	expect((await readResponse(await fetch(link))).status).toBe(404);
});

test('Listed assets can have only an ID and a name', async () => {
	api.service.configure({ listedAssetFields: 'minimal' });

	const { json } = await call(api.service, 'GET', '/v1/assets');

	expect(json.assets).toEqual(api.service.assets.map(({ id, name }) => ({ id, name })));
});

test.each([
	['', 64],
	['ryan', 1],
	['RYAN', 1],
	['english (united kingdom)', 5],
	['en-GB', 5],
	['male', undefined],
	['cadence', 6],
	['nobody', 0],
])('Searching voices for "%s" returns those that match', async (query, count) => {
	const { json } = await call(api.service, 'GET', `/v1/voices?query=${encodeURIComponent(query)}`);
	const male = api.service.voices.filter(({ gender }) => gender === 'male');

	expect(json.voices).toHaveLength(count ?? male.length);
});

test('There are voices in many languages, each with its own ID', () => {
	const { voices } = api.service;

	expect(new Set(voices.map(({ languageCode }) => languageCode)).size).toBeGreaterThan(15);
	expect(new Set(voices.map(({ id }) => id)).size).toBe(voices.length);
	expect(new Set(voices.map(({ voiceId }) => voiceId)).size).toBe(voices.length);
	expect(voices.find(({ voiceId }) => voiceId === 'au-en-GB-ryan')).toMatchObject({
		name: 'ryan',
		gender: 'male',
		language: 'English (United Kingdom)',
		languageCodesJson: '["English (United Kingdom)"]',
		isNeural: true,
	});
});

test('Voices have no audio sample by default; with the option, it is a WAV file', async () => {
	const silent = await call(api.service, 'GET', '/v1/voices?query=ryan');
	api.service.configure({ hasVoiceSamples: true });
	const { json } = await call(api.service, 'GET', '/v1/voices?query=ryan');

	expect(silent.json.voices[0]!.audioSampleUrl).toBeNull();
	expect((await download(json.voices[0]!.audioSampleUrl!)).toString('latin1', 0, 4)).toBe('RIFF');
});

const JSON_TYPE = 'application/json; charset=utf-8';
const TEXT_TYPE = 'text/plain; charset=utf-8';

test.each<[CreationResponse, number, string | null]>([
	['empty', 200, JSON_TYPE],
	['noContent', 204, null],
	['id', 200, JSON_TYPE],
	['link', 200, JSON_TYPE],
	['links', 200, JSON_TYPE],
	['array', 200, JSON_TYPE],
	['text', 200, TEXT_TYPE],
	['file', 200, 'audio/wav'],
])('The response to a speech or a video can be: %s', async (kind, status, contentType) => {
	api.service.configure({ speechResponse: kind, videoResponse: kind });
	const speech = await createSpeech(api.service);
	const video = await createVideo(api.service);

	expect([speech.status, speech.headers.get('content-type')]).toEqual([status, contentType]);
	expect([video.status, video.headers.get('content-type')]).toEqual([
		status,
		kind === 'file' ? 'video/mp4' : contentType,
	]);
	expect(api.service.speeches).toEqual([expect.objectContaining(createSpeechBody(api.service))]);
	expect(api.service.videos).toEqual([expect.objectContaining(createVideoBody(api.service))]);
});

test('Every link in a response leads to a real file', async () => {
	api.service.configure({ speechResponse: 'links', videoResponse: 'links' });
	const speech = await createSpeech(api.service);
	const video = await createVideo(api.service);
	const links = [speech, video]
		.flatMap(({ json }) => Object.values(json) as string[])
		.filter((value) => value.startsWith('http'));
	const files = await Promise.all(links.map(async (link) => await download(link)));

	expect(files.map((file) => file.toString('latin1', 0, 8))).toEqual([
		expect.stringContaining('RIFF'),
		expect.stringContaining('PNG'),
		expect.stringContaining('ftyp'),
		expect.stringContaining('PNG'),
	]);
});

test('An empty script is refused', async () => {
	expect((await createSpeech(api.service, { script: ' ' })).status).toBe(400);
	expect((await createVideo(api.service, { script: '' })).status).toBe(400);
});

test.each([createSpeech, createVideo])('An unknown voice is refused (%p)', async (create) => {
	const { status, json } = await create(api.service, { voiceId: 'au-xx-XX-nobody' });

	expect(status).toBe(422);
	expect(json.errors).toEqual({ voiceId: ['There is no voice au-xx-XX-nobody.'] });
});

test('An avatar that the account does not have is refused', async () => {
	api.service.configure({ avatarIds: [SAMPLE_AVATAR_ID] });
	expect((await createVideo(api.service, { avatarId: SAMPLE_AVATAR_ID })).status).toBe(200);
	const avatarId = '00000000-0000-4000-8000-00000000000a';
	const { status, json } = await createVideo(api.service, { avatarId });

	expect(status).toBe(422);
	expect(json.errors).toEqual({ avatarId: [`There is no avatar ${avatarId}.`] });
});

test('A registered voice-provider key is stored, and the response is an empty object', async () => {
	const body = { providerName: 'Aurora', serviceName: 'Speech', encryptedKey: 'c2VjcmV0' };

	const { json } = await call(api.service, 'POST', '/v1/voices/add-api-key', { body });

	expect(json).toEqual({});
	expect(api.service.providerKeys).toEqual([body]);
});
