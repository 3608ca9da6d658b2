import { useClock } from '../../support/clock';
import { readFile } from '../../support/engine/engine';
import { createFastVideo, SOME_ID } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio({ asSpecified: false });
useClock({ runs: true });
const branch = () => ({
	credentials: { baseUrl: studio.service.fastUrl, apiKey: studio.service.fastApiKey },
});

/** The branch has no list of voices, in which the node looks for an ID of this form; it does without. */
const takeRequests = () => {
	const [list, ...others] = studio.service.requests.splice(0);
	expect(list!.path).toBe('/api/v1/voices');
	return others;
};

test('I create a video with the fast branch, whose link I get at once', async () => {
	const { json } = await studio.run(createFastVideo({ videoName: 'Welcome' }), branch());
	expect(json[0]!.fileUrl).toBe(json[0]!.videoUrl);
	const [creation, ...others] = takeRequests();
	expect(others).toEqual([]);
	const { path, body, headers } = creation!;
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

test('I get its file once it is there', async () => {
	const options = { downloadFile: true };
	const { items, json } = await studio.run(createFastVideo({ options }), branch());
	expect(json[0]).not.toHaveProperty('fileError');
	expect((await readFile(items[0])).length).toBeGreaterThan(0);
	takeRequests();
});

test('Dry Run creates none', async () => {
	const { json } = await studio.run(createFastVideo({ options: { dryRun: true } }), branch());
	expect(json[0]).toMatchObject({
		dryRun: true,
		request: { url: `${studio.service.fastUrl}/v1/videos` },
	});
	expect(studio.service.fastVideos).toHaveLength(0);
	expect(takeRequests()).toEqual([]);
});
