import type { INodeParameters } from 'n8n-workflow';

import { createVideo, SOME_ID, VOICE } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

const given = { videoTitle: 'Welcome', script: 'Hello there', avatarId: SOME_ID, voiceId: VOICE };
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
const texts = Object.fromEntries(Object.entries(everyField).map(([key, it]) => [key, String(it)]));
const expressions = Object.keys(everyField).map((key) => [key, `={{ $json.${key} }}`]);

test('I create a video', async () => {
	const { json } = await studio.run(createVideo());
	const { id } = studio.service.videos[0]!;
	const urls = { url: expect.any(String) as string, fileUrl: json[0]!.url };
	expect(json).toStrictEqual([
		{ id, videoTitle: 'Welcome', status: 'completed', finished: true, ...urls },
	]);
});

test.each<[string, INodeParameters, object]>([
	['that I did not set are not sent', {}, {}],
	['are sent with their JSON types', everyField, everyField],
	['keep these if an expression returns text', Object.fromEntries(expressions), everyField],
	['of 0 are sent', { videoWidth: 0, videoHeight: 0 }, { videoWidth: 0, videoHeight: 0 }],
	['that are left empty are not sent', { visibility: '  ', status: '' }, {}],
	['of nothing are not sent', { fullFrame: '={{ null }}', videoWidth: '={{ $json.x }}' }, {}],
])('Additional fields %s', async (_how, additionalFields, sent) => {
	await studio.run(createVideo({ additionalFields }), { items: [{ json: texts }] });
	expect(getOnlyRequest(studio).body).toStrictEqual({ ...given, ...sent });
});

test.each([
	['  Hello\n\tthere ', 'Hello there'],
	[`${'word '.repeat(11)}words`, `${'word '.repeat(11)}words`],
	[`${'word '.repeat(11)}words more`, `${'word '.repeat(11)}words…`],
	[`${'word '.repeat(11)}longer`, `${'word '.repeat(11).trim()}…`],
	['🎬'.repeat(61), `${'🎬'.repeat(60)}…`],
])('A video without a title gets the first words of its script: %j', async (script, title) => {
	await studio.run(createVideo({ videoTitle: '', script }));
	expect(getOnlyRequest(studio).body).toMatchObject({ videoTitle: title });
});
