import { createVideo, SOME_ID, VOICE } from '../../support/parameters';
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
	const { json } = await studio.run(createVideo());
	const [video] = studio.service.videos;
	expect(json).toStrictEqual([
		{ id: video!.id, videoTitle: 'Welcome', status: 'completed', url: expect.any(String) },
	]);
	expect(getOptionalFields()).toStrictEqual({});
});

test('Every additional field is sent with its JSON type', async () => {
	await studio.run(createVideo({ additionalFields: everyField }));
	expect(getOptionalFields()).toStrictEqual(everyField);
});

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

test('A width and height of 0 are sent if I set them', async () => {
	await studio.run(createVideo({ additionalFields: { videoWidth: 0, videoHeight: 0 } }));
	expect(getOptionalFields()).toStrictEqual({ videoWidth: 0, videoHeight: 0 });
});

test('An additional field that is left empty by hand, or by null, is not sent', async () => {
	const additionalFields = {
		fullFrame: '={{ null }}',
		videoPreviewImageUrl: '   ',
		visibility: '',
	};
	await studio.run(createVideo({ additionalFields }));
	expect(getOptionalFields()).toStrictEqual({});
});

const letters = (count: number) => 'x'.repeat(count);

test.each([
	['  Hello\n\tthere ', 'Hello there'],
	[
		'Welcome to our spring collection, which has been made for all who love the sea',
		'Welcome to our spring collection, which has been made for…',
	],
	[`${letters(60)}`, letters(60)],
	[letters(61), `${letters(60)}…`],
	[`${letters(60)} more`, `${letters(60)}…`],
	[`Hi ${letters(61)}`, 'Hi…'],
	['🎬'.repeat(61), `${'🎬'.repeat(60)}…`],
	['नमस्ते '.repeat(20), /^नमस्ते( नमस्ते){7,}…$/],
	['春天的新系列'.repeat(11), /^(春天的新系列){10}…$/],
])('A video without a title gets the first words of its script: %j', async (script, title) => {
	await studio.run(createVideo({ videoTitle: '', script }));
	const { videoTitle } = getOnlyRequest(studio).body as { videoTitle: string };
	expect(videoTitle).toMatch(typeof title === 'string' ? new RegExp(`^${title}$`, 'u') : title);
});
