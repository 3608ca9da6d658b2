import { useClock } from '../../support/clock';
import { readFile } from '../../support/engine/engine';
import { createFastVideo, createLocator, SOME_ID } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio({ asSpecified: false });
useClock({ runs: true });
const branch = () => ({
	credentials: { baseUrl: studio.service.fastUrl, apiKey: studio.service.fastApiKey },
});

test('I create a video with the fast branch, whose link leads to the video when I get it', async () => {
	const { json } = await studio.run(createFastVideo({ videoName: 'Welcome' }), branch());
	expect(json[0]!.fileUrl).toBe(json[0]!.videoUrl);
	expect((await fetch(json[0]!.fileUrl as string)).status).toBe(200);
	const { path, body, headers } = getOnlyRequest(studio);
	expect(path).toBe('/api/v1/videos');
	expect(headers['x-api-key']).toBe(studio.service.fastApiKey);
	expect(body).toStrictEqual({
		script: 'Hello there',
		avatarId: SOME_ID,
		voiceId: 'en-GB-RyanNeural',
		videoName: 'Welcome',
		videoFormat: 'mp4',
	});
});

test('The ID of a voice is sent as it is, because the fast branch has no list of voices', async () => {
	const voiceId = createLocator('en-GB-RyanNeural');
	await studio.run(createFastVideo({ voiceId }), branch());
	expect(studio.service.fastVideos).toMatchObject([{ voiceId: 'en-GB-RyanNeural' }]);
	expect(await studio.getFailure(createFastVideo({ voiceId: 'Ryan' }), branch())).toContain(
		'(404)',
	);
	// The contract has no list of voices there.
	studio.service.requests.length = 0;
});

test('I get its file once it is there', async () => {
	const options = { downloadFile: true };
	const { items, json } = await studio.run(createFastVideo({ options }), branch());
	expect(json[0]).not.toHaveProperty('fileError');
	expect((await readFile(items[0])).length).toBeGreaterThan(0);
});

test('Dry Run creates none', async () => {
	const { json } = await studio.run(createFastVideo({ options: { dryRun: true } }), branch());
	expect(json[0]).toMatchObject({
		dryRun: true,
		request: { url: `${studio.service.fastUrl}/v1/videos` },
	});
	expect(studio.service.fastVideos).toHaveLength(0);
});

test('I get its link after some seconds even if the video never comes', async () => {
	studio.service.injectFault({ when: { host: 'files' }, status: 404 });
	const start = Date.now();
	const { json } = await studio.run(createFastVideo(), branch());
	expect(json[0]!.fileUrl).toBe(json[0]!.videoUrl);
	expect(Date.now() - start).toBeLessThan(10_000);
});
