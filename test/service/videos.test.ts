import { createServer } from 'node:http';

import { addressOf, close, listen } from '../../service/server';
import type { RenderingOptions } from '../../service/service';
import { useClock } from '../support/clock';

import { useService } from './client';

const api = useService();
const clock = useClock();

const SCRIPT = 'Good morning to you';
const SECOND = 1_000;

interface CreatedVideo {
	id: string;
	videoUrl: string;
	videoWatermarkedUrl: string;
	[field: string]: unknown;
}

async function createVideo(fields: object = {}) {
	const { voices, avatars } = api.service;
	const { voiceId } = voices[0]!;
	const body = { videoTitle: 'Welcome', script: SCRIPT, avatarId: avatars[0]!.id, voiceId };
	const { json } = await api.call('POST', '/v1/talkingphotos', { body: { ...body, ...fields } });
	return json as CreatedVideo;
}

async function lookUp({ id }: { id: string }) {
	const { json } = await api.call('GET', `/v1/talkingphotos/${id}`);
	return json as CreatedVideo;
}

const getStatus = async (url: string) => (await fetch(url)).status;
const getStatuses = async ({ videoUrl, videoWatermarkedUrl }: CreatedVideo) => [
	await getStatus(videoUrl),
	await getStatus(videoWatermarkedUrl),
];
const render = (rendering: RenderingOptions) => api.service.configure({ rendering });

test('A created video has links that lead nowhere until it is rendered', async () => {
	render({ seconds: 5 });
	const created = await createVideo({ backgroundColor: '#336699' });

	expect(created).toMatchObject({
		videoTitle: 'Welcome',
		backgroundColor: '#336699',
		fullFrame: true,
		groupId: null,
		status: null,
		renderDuration: null,
		renderProgress: null,
		videoPreviewImageUrl: null,
		dateCreated: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
	});
	await clock.pass(5 * SECOND - 1);
	expect(await lookUp(created)).toEqual(created);
	expect(await getStatuses(created)).toEqual([404, 404]);

	await clock.pass(1);
	const finished = await lookUp(created);
	expect(finished).toMatchObject({ renderDuration: '00:00:05.00', videoUrl: created.videoUrl });
	expect(await getStatuses(created)).toEqual([200, 200]);
	expect(await getStatus(finished.videoPreviewImageUrl as string)).toBe(200);
	const { headers } = await fetch(created.videoUrl);
	expect(headers.get('content-type')).toBe('video/mp4');
});

test('A draft is never rendered', async () => {
	const created = await createVideo({ draft: true });
	await clock.pass(24 * 3_600 * SECOND);

	expect(await lookUp(created)).toEqual(created);
	expect(await getStatuses(created)).toEqual([404, 404]);
});

test('A rendering fails, for the videos that are said to', async () => {
	render({ failure: ({ script }) => (script === SCRIPT ? 'There is no face.' : undefined) });
	const failed = await createVideo();
	const other = await createVideo({ script: 'Hello' });
	await clock.pass(3 * SECOND);

	const end = { status: 'failed', renderProgress: 'There is no face.', renderDuration: null };
	expect(await lookUp(failed)).toMatchObject(end);
	expect(await getStatuses(failed)).toEqual([404, 404]);
	expect(await getStatuses(other)).toEqual([200, 200]);
});

test('A trial account cannot read the link without a watermark', async () => {
	render({ isTrial: true });
	const created = await createVideo();
	expect(await getStatuses(created)).toEqual([404, 404]);

	await clock.pass(3 * SECOND);
	expect(await getStatuses(created)).toEqual([403, 200]);
});

test('The host of the links refuses them until the end of the rendering', async () => {
	render({ earlyStatus: 403 });
	const created = await createVideo();
	expect(await getStatuses(created)).toEqual([403, 403]);

	await clock.pass(3 * SECOND);
	expect(await getStatuses(created)).toEqual([200, 200]);
});

test('Each video takes its own time, and shows its progress', async () => {
	const seconds = ({ script = '' }: { script?: string }) => script.length;
	render({ seconds, signs: ['renderProgress', 'status'] });
	const slow = await createVideo({ script: 'a'.repeat(100) });
	const quick = await createVideo({ script: 'a' });
	await clock.pass(25 * SECOND);

	expect(await lookUp(slow)).toMatchObject({ renderProgress: '25', status: null });
	const end = { renderProgress: '100', status: 'completed', renderDuration: null };
	expect(await lookUp(quick)).toMatchObject(end);
});

test('A look-up of an unknown video is refused', async () => {
	const { status } = await api.call('GET', `/v1/talkingphotos/${api.service.avatars[0]!.id}`);
	expect(status).toBe(404);
});

describe('A callback', () => {
	const received: unknown[] = [];
	const host = createServer((request, response) => {
		let text = '';
		request.on('data', (chunk: Buffer) => (text += chunk.toString()));
		request.on('end', () => {
			received.push(JSON.parse(text));
			response.end();
		});
	});
	beforeAll(async () => await listen(host, 0));
	beforeEach(() => received.splice(0));
	afterAll(async () => await close(host));

	it.each([0, 1, 2])('is posted %i times, when the video is finished', async (callbacks) => {
		render({ callbacks });
		const { id } = await createVideo({ callbackUrl: addressOf(host) });
		clock.run();
		await new Promise((resolve) => setTimeout(resolve, 2 * SECOND));
		expect(received).toEqual([]);

		await new Promise((resolve) => setTimeout(resolve, 2 * SECOND));
		const finished = expect.objectContaining({ id, renderDuration: '00:00:03.00' }) as unknown;
		expect(received).toEqual(Array(callbacks).fill(finished));
	});

	it('is not posted for a draft or a failed video, and may lead nowhere', async () => {
		clock.run();
		await createVideo({ callbackUrl: addressOf(host), draft: true });
		await createVideo({ callbackUrl: 'http://127.0.0.1:1/' });
		render({ failure: 'There is no face.' });
		await createVideo({ callbackUrl: addressOf(host) });
		await new Promise((resolve) => setTimeout(resolve, 4 * SECOND));

		expect(received).toEqual([]);
	});
});

describe('The fast branch', () => {
	const send = async (apiKey: string, fields: object = {}) => {
		const { service } = api;
		const { voiceId } = service.voices[0]!;
		const video = { script: SCRIPT, avatarId: service.avatars[0]!.id, voiceId, ...fields };
		const response = await fetch(`${service.fastUrl}/v1/videos`, {
			method: 'POST',
			headers: {
				accept: 'application/json',
				'content-type': 'application/json',
				'x-api-key': apiKey,
			},
			body: JSON.stringify(video),
		});
		return { status: response.status, json: (await response.json()) as CreatedVideo };
	};

	it('answers with a link alone, which plays soon', async () => {
		render({ fastSeconds: 4 });
		const { json } = await send(api.service.fastApiKey, { videoName: 'Quick' });
		const { videoUrl } = json;
		expect(json).toEqual({ videoUrl: expect.stringMatching(/\/fast\/.*\.mp4$/) });
		expect(await getStatus(videoUrl)).toBe(404);

		await clock.pass(4 * SECOND);
		expect(await getStatus(videoUrl)).toBe(200);
		expect(api.service.fastVideos).toMatchObject([{ videoName: 'Quick' }]);
	});

	it('has a key of its own', async () => {
		expect((await send(api.service.apiKey)).status).toBe(401);
	});
});

test.each([
	['script', { script: ' ' }],
	['voiceId', { voiceId: 'au-en-GB-ryan' }],
	['avatarId', { avatarId: undefined }],
])('A %s that is not valid is refused by its field', async (field, fields) => {
	const problem = await createVideo(fields);
	expect(problem).toMatchObject({ status: 400, errors: { [field]: [expect.any(String)] } });
});

test('A photo speaks instead of an avatar; with a name, it becomes one', async () => {
	const photo = { avatarId: undefined, avatarUrl: 'https://example.com/anna.png' };
	expect(await createVideo(photo)).toMatchObject({ ...photo, avatarId: null });
	const { avatarId } = await createVideo({ ...photo, avatarName: 'Aunt Anna' });
	expect(api.service.avatars.at(-1)).toMatchObject({ id: avatarId, name: 'Aunt Anna' });
	const byName = { avatarId: undefined, avatarName: 'Aunt Anna' };
	expect(await createVideo(byName)).toMatchObject({ avatarId });
});
