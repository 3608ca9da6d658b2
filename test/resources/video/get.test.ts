import type { INodeParameters } from 'n8n-workflow';

import { useClock } from '../../support/clock';
import {
	CONTINUE,
	createLocator,
	createVideo,
	getVideo,
	SOME_ID,
	pick,
} from '../../support/parameters';
import { useStudio } from '../../support/studio';

describe('On the service as its clients know it,', () => {
	const studio = useStudio({ asSpecified: false });
	useClock({ runs: true });

	/** Creates a video without waiting for it and gets it, perhaps later. */
	async function createAndGet(more: INodeParameters = {}, laterMs = 0) {
		const voiceId = pick('en-GB-RyanNeural');
		const background = { backgroundVideoUrl: 'https://example.com/office.mp4' };
		const avatarId = createLocator('https://example.com/me.jpg', 'photo');
		const { json } = await studio.run(
			createVideo({ voiceId, avatarId, additionalFields: background }),
		);
		await new Promise((resolve) => setTimeout(resolve, laterMs));
		return await studio.run(getVideo(more), { items: [{ json: { id: json[0]!.id } }] });
	}

	it('I see that my video is not finished yet', async () => {
		const { json } = await createAndGet();
		expect(json[0]).toMatchObject({ id: studio.service.videos[0]!.id, finished: false });
	});

	it('I get the link once it is finished, and not that of what it was made of', async () => {
		const { json } = await createAndGet({}, 5_000);
		expect(json[0]).toMatchObject({ finished: true, fileUrl: json[0]!.videoUrl });
	});

	it.each<[string, INodeParameters]>([
		['wait until it is finished', { waitUntilFinished: true }],
		['download its file, which waits as well', { options: { downloadFile: true } }],
	])('I can %s', async (_what, more) => {
		studio.service.configure({ rendering: { seconds: 60 } });
		const { json, items } = await createAndGet(more);
		expect(json[0]).toMatchObject({ finished: true });
		expect(items[0]!.binary !== undefined).toBe(more.options !== undefined);
	});

	it('its file has the title of the video if the link does not tell it from others', async () => {
		const url = `${studio.service.filesUrl}/sized/5/video.mp4`;
		const body = { id: SOME_ID, videoTitle: 'Spring', renderDuration: '00:01:00', videoUrl: url };
		studio.service.injectFault({ body });
		studio.service.injectFault({ when: { host: 'files' }, body: Buffer.from('\0\0\0 ftypisom') });
		const options = { downloadFile: true };
		const { items } = await studio.run(getVideo({ videoId: SOME_ID, options }));
		expect(items[0]!.binary!.data!.fileName).toBe('Spring.mp4');
	});

	it('a video that failed is an error in the words of the service', async () => {
		studio.service.configure({ rendering: { failure: 'The avatar has no face' } });
		const text = await createAndGet({}, 5_000).catch((error: Error) => error.message);
		expect(text).toBe('The service could not render the video: The avatar has no face');
	});

	it('a text that its link leads to is not taken for the file', async () => {
		studio.service.injectFault({
			when: { host: 'files' },
			body: 'Still rendering',
			headers: { 'content-type': 'text/plain' },
		});
		const options = { downloadFile: true, maxWaitMinutes: 1 };
		const { json, items } = await createAndGet({ options }, 5_000);
		expect(items[0]!.binary).toBeUndefined();
		expect(json[0]!.fileError).toContain('Still rendering');
	});
});

describe('On the service as specified,', () => {
	const studio = useStudio();

	it.each([404, 405, 501])(
		'getting a video says that it may have no look-up (%i)',
		async (status) => {
			studio.service.injectFault({ status });
			const text = await studio.getFailure(getVideo({ videoId: SOME_ID }));
			expect(text).toContain('The service found no video with this ID, or cannot look up videos');
			expect(text).toContain('find it in the studio application');
		},
	);

	it('any other error is what it is', async () => {
		studio.service.injectFault({ status: 402 });
		const { json } = await studio.run(getVideo({ videoId: SOME_ID }), CONTINUE);
		expect(JSON.stringify(json)).toContain('noCredits');
	});
});
