import { sampleFiles } from '../../../service/assets';
import { readFile } from '../../support/engine/engine';
import { createLocator, createVideo, SOME_ID, VOICE } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

const required = {
	videoTitle: 'Welcome',
	script: 'Hello there',
	avatarId: SOME_ID,
	voiceId: VOICE,
};
const everyField = {
	videoWidth: 1280,
	videoHeight: 720,
	videoFormat: 'mp4',
	fullFrame: true,
	status: 'queued',
	visibility: 'private',
	draft: false,
	videoPreviewImageUrl: 'https://example.com/preview.png',
};

/** The fields sent in addition to the four required ones. */
const getOptionalFields = () => {
	const { videoTitle, script, avatarId, voiceId, ...rest } = getOnlyRequest(studio).body as Record<
		string,
		unknown
	>;
	expect({ videoTitle, script, avatarId, voiceId }).toStrictEqual(required);
	return rest;
};

test('I create a video, and fields that I did not set are not sent', async () => {
	const { json, items } = await studio.run(createVideo());
	const [video] = studio.service.videos;
	expect(json).toStrictEqual([
		{ id: video!.id, videoTitle: 'Welcome', status: 'completed', url: expect.any(String) },
	]);
	expect(items[0]!.pairedItem).toStrictEqual({ item: 0 });
	expect(getOnlyRequest(studio)).toMatchObject({
		method: 'POST',
		url: '/v1/talkingphotos',
		rawBody: JSON.stringify(required),
		headers: {
			'x-api-key': studio.service.apiKey,
			accept: 'application/json',
			'content-type': 'application/json',
		},
	});
});

test('Every additional field is sent with its JSON type', async () => {
	await studio.run(createVideo({ additionalFields: everyField }));
	expect(getOptionalFields()).toStrictEqual(everyField);
});

test.each(Object.entries(everyField))(
	'Only %s is sent if only that is set',
	async (name, value) => {
		await studio.run(createVideo({ additionalFields: { [name]: value } }));
		expect(getOptionalFields()).toStrictEqual({ [name]: value });
	},
);

test('Numbers and booleans keep their types if an expression returns text', async () => {
	await studio.run(
		createVideo({
			additionalFields: {
				videoWidth: '={{ $json.width }}',
				videoHeight: '={{ $json.height }}',
				fullFrame: '={{ $json.full }}',
				draft: '={{ $json.draft }}',
			},
		}),
		{ items: [{ json: { width: '1280', height: ' 720 ', full: 'true', draft: 'false' } }] },
	);
	expect(getOptionalFields()).toStrictEqual({
		videoWidth: 1280,
		videoHeight: 720,
		fullFrame: true,
		draft: false,
	});
});

test('Text stays text if an expression returns a number', async () => {
	await studio.run(
		createVideo({ videoTitle: '={{ $json.year }}', additionalFields: { status: '={{ 7 }}' } }),
		{ items: [{ json: { year: 2026 } }] },
	);
	expect(getOnlyRequest(studio).body).toStrictEqual({
		...required,
		videoTitle: '2026',
		status: '7',
	});
});

test('A width and height of 0 are sent if I set them', async () => {
	await studio.run(createVideo({ additionalFields: { videoWidth: 0, videoHeight: 0 } }));
	expect(getOptionalFields()).toStrictEqual({ videoWidth: 0, videoHeight: 0 });
});

test('An additional field that an expression leaves empty is not sent', async () => {
	await studio.run(
		createVideo({
			additionalFields: {
				videoWidth: '={{ $json.missing }}',
				draft: '={{ null }}',
				status: '={{ "" }}',
				videoPreviewImageUrl: '   ',
				visibility: '',
			},
		}),
	);
	expect(getOptionalFields()).toStrictEqual({});
});

test('A custom body is merged last and overrides the fields', async () => {
	const background = { color: '#fff', position: [1, 2], style: null };
	studio.service.configure({ extraBodyFields: ['background'] });
	await studio.run(
		createVideo({
			additionalFields: {
				visibility: 'private',
				customBody: JSON.stringify({ background, visibility: 'public', draft: true }),
				draft: false,
			},
		}),
	);
	expect(getOnlyRequest(studio).rawBody).toBe(
		JSON.stringify({ ...required, draft: true, visibility: 'public', background }),
	);
	expect(studio.service.videos[0]).toMatchObject({ background, visibility: 'public', draft: true });
});

test('I use a voice that I selected from the list', async () => {
	await studio.run(createVideo({ voiceId: createLocator('me-en-US-aria', 'list') }));
	expect(getOnlyRequest(studio).body).toMatchObject({ voiceId: 'me-en-US-aria' });
});

test.each(['empty', 'noContent'] as const)('A response of kind %s is a success', async (answer) => {
	studio.service.configure({ videoResponse: answer });
	const { json } = await studio.run(createVideo());
	expect(json).toStrictEqual([{ success: true }]);
});

test('The JSON contains a link to the video', async () => {
	studio.service.configure({ videoResponse: 'link' });
	const { json } = await studio.run(createVideo());
	expect(json).toStrictEqual([
		{
			id: studio.service.videos[0]!.id,
			videoTitle: 'Welcome',
			status: 'completed',
			url: expect.stringContaining(`${studio.service.filesUrl}/videos/`),
		},
	]);
});

test('An array becomes one item per entry, each linked to my item', async () => {
	studio.service.configure({ videoResponse: 'array' });
	const { json, items } = await studio.run(createVideo());
	const { id } = studio.service.videos[0]!;
	expect(json).toStrictEqual([
		{ id, videoTitle: 'Welcome', status: 'completed', url: expect.any(String) },
		{ url: expect.any(String) },
	]);
	expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual([{ item: 0 }, { item: 0 }]);
});

test('Text becomes an item with the text', async () => {
	studio.service.configure({ videoResponse: 'text' });
	const { json } = await studio.run(createVideo());
	expect(json).toStrictEqual([
		{ data: expect.stringContaining(`/videos/${studio.service.videos[0]!.id}.mp4`) },
	]);
});

test('A video file becomes a binary file, described in the JSON', async () => {
	studio.service.configure({ videoResponse: 'file' });
	const { json, items } = await studio.run(createVideo({ videoTitle: 'Grüße 🎬' }));
	expect(json).toStrictEqual([
		{ fileName: 'Grüße 🎬.mp4', mimeType: 'video/mp4', fileSize: expect.any(String) },
	]);
	expect(items[0]!.binary!.data).toMatchObject({
		fileName: 'Grüße 🎬.mp4',
		fileExtension: 'mp4',
		mimeType: 'video/mp4',
	});
	expect((await readFile(items[0])).equals(sampleFiles.greeting)).toBe(true);
});
