import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../service/service';
import { useClock } from '../../support/clock';
import { logLines, readFile } from '../../support/engine/engine';
import {
	CONTINUE,
	createFinishedVideo as createVideo,
	createScriptItems,
	ITEM_SCRIPT,
	RETRY,
	SOME_ID,
	pick,
} from '../../support/parameters';
import { useStudio } from '../../support/studio';

const VOICE = pick('en-GB-RyanNeural');
const create = (more: INodeParameters = {}) => createVideo({ voiceId: VOICE, ...more });
const download = (more: INodeParameters = {}) =>
	create({ options: { downloadFile: true, ...more } });
const OTHER_ID = '00000000-0000-4000-8000-000000000000';
const CREATION = 'POST /v1/talkingphotos';
/** Those of the ten seconds in which a service may not find a new video yet. */
const LOOK_UPS = 5;

describe('On the service as its clients know it,', () => {
	const studio = useStudio({ asSpecified: false });
	useClock({ runs: true });

	const lookUps = () => studio.getRoutes().filter((route) => route.startsWith('GET /v1/talking'));
	const render = (
		rendering: NonNullable<Parameters<typeof studio.service.configure>[0]['rendering']>,
	) => studio.service.configure({ rendering });
	const failLookUp = (fault: Fault) =>
		studio.service.injectFault({ when: { method: 'GET', host: 'api' }, ...fault });

	it('I get the finished video in the next node', async () => {
		render({ seconds: 90 });
		const { json, items } = await studio.run(create());
		const [video] = studio.service.videos;
		expect(json).toHaveLength(1);
		expect(json[0]).toMatchObject({ id: video!.id, finished: true, renderDuration: '00:01:30.00' });
		expect(json[0]!.fileUrl).toBe(json[0]!.videoUrl);
		expect(items[0]!.binary).toBeUndefined();
		expect((await fetch(json[0]!.fileUrl as string)).status).toBe(200);
		expect(studio.getRoutes()[0]).toBe(CREATION);
		expect(new Set(studio.getRoutes().slice(1))).toEqual(
			new Set([`GET /v1/talkingphotos/${video!.id}`]),
		);
	});

	it('I get its file as well', async () => {
		render({ seconds: 90, earlyStatus: 403 });
		const { json, items } = await studio.run(download());
		expect(json[0]).toMatchObject({ finished: true });
		expect(json[0]).not.toHaveProperty('fileError');
		expect(items[0]!.binary!.data!.mimeType).toBe('video/mp4');
		expect((await readFile(items[0])).length).toBeGreaterThan(0);
	});

	it.each([['status'], ['renderProgress'], []] as const)(
		'a video is finished when its %s says so, or else when its file is there',
		async (...signs) => {
			render({ seconds: 60, signs: [...signs] });
			const start = Date.now();
			const { json } = await studio.run(create());
			expect(Date.now() - start).toBeLessThan(70_000);
			expect(json[0]).toMatchObject({ finished: true });
			expect(lookUps().length).toBeGreaterThan(3);
		},
	);

	it('the link leads to the file, even if that comes a moment after the word that it is finished', async () => {
		const videoUrl = `${studio.service.filesUrl}/sized/5`;
		studio.service.injectFault({ when: { method: 'POST' }, body: { id: SOME_ID, videoUrl } });
		failLookUp({ body: { id: SOME_ID, videoUrl, status: 'completed' } });
		studio.service.injectFault({ when: { host: 'files' }, status: 404, times: 3 });
		const { json } = await studio.run(create());
		expect(json[0]).toMatchObject({ finished: true, fileUrl: videoUrl });
		expect((await fetch(videoUrl)).status).toBe(200);
	});

	it('I get what is known at once if I do not wait', async () => {
		const { json } = await studio.run(create({ waitUntilFinished: false }));
		expect(json[0]).toMatchObject({ finished: false, fileUrl: json[0]!.videoUrl });
		expect(studio.getRoutes()).toEqual([CREATION]);
	});

	it('an expression that says nothing of waiting leaves it on', async () => {
		const { json } = await studio.run(create({ waitUntilFinished: '={{ $json.x }}' }));
		expect(json[0]).toMatchObject({ finished: true });
	});

	it('an agent does not wait, and gets the link and the ID as text', async () => {
		const parameters = create();
		delete parameters.waitUntilFinished;
		const [answer] = await studio.call(parameters, [{}]);
		expect(JSON.parse(answer!)).toMatchObject([
			{ finished: false, fileUrl: expect.any(String) as string },
		]);
		expect(lookUps()).toEqual([]);
	});

	it('a draft is not waited for, and the item says that it has no file', async () => {
		const { json } = await studio.run({ ...download(), additionalFields: { draft: true } });
		expect(json[0]).toMatchObject({
			draft: true,
			fileError: 'A draft is not rendered, so it has no file.',
		});
		const { json: plain } = await studio.run(create({ additionalFields: { draft: true } }));
		expect(plain[0]).not.toHaveProperty('fileError');
		expect(lookUps()).toEqual([]);
	});

	it('a video that fails is an error in the words of the service', async () => {
		render({ failure: 'The avatar has no face' });
		const [error] = (await studio.run(create(), CONTINUE)).json;
		expect(JSON.stringify(error)).toContain('renderFailed');
		expect(JSON.stringify(error)).toContain(
			`The video was created (ID ${studio.service.videos[0]!.id}), but this failed`,
		);
		expect(JSON.stringify(error)).toContain('The service could not render the video');
		expect(JSON.stringify(error)).not.toContain('may exist');
	});

	it('a video that is not finished in time is an error with its ID', async () => {
		render({ seconds: Infinity });
		const start = Date.now();
		const text = await studio.getFailure(create({ options: { maxWaitMinutes: 1 } }));
		const { id } = studio.service.videos[0]!;
		expect(text).toContain(
			`The video was created (ID ${id}), but this failed: The video is not finished after 1 minute`,
		);
		expect(text).toContain(`Video: Get finds it later, with the Video ID ${id}.`);
		expect(text).not.toContain('may exist');
		expect(Date.now() - start).toBeLessThan(61_000);
	});

	it('Maximum Wait is half an hour', async () => {
		render({ seconds: Infinity });
		const start = Date.now();
		expect(await studio.getFailure(create())).toContain('not finished after 30 minutes');
		expect(Math.round((Date.now() - start) / 60_000)).toBe(30);
		expect(lookUps().length).toBeLessThan(100);
	});

	it('a video whose end is never said, and whose file is there, is finished after the wait', async () => {
		render({ seconds: Infinity });
		studio.service.injectFault({
			when: { host: 'files' },
			body: 'ID3',
			headers: { 'content-type': 'video/mp4' },
		});
		const { json } = await studio.run(create({ options: { maxWaitMinutes: 1 } }));
		expect(json[0]).toMatchObject({ finished: true });
	});

	it('Retry On Fail goes on waiting and creates nothing', async () => {
		render({ seconds: 100 });
		const options = { maxWaitMinutes: 1 };
		const { json } = await studio.run(create({ options }), { settings: RETRY });
		expect(json[0]).toMatchObject({ finished: true });
		expect(studio.service.videos).toHaveLength(1);
	});

	it('forty videos are waited for side by side', async () => {
		render({ seconds: 30, signs: ['renderProgress'] });
		const start = Date.now();
		const items = createScriptItems(40);
		const { json } = await studio.run(create({ script: ITEM_SCRIPT }), { items });
		expect(json.map(({ finished }) => finished)).toEqual(Array(40).fill(true));
		expect(Date.now() - start).toBeLessThan(40_000);
	});

	it.each([
		['', {}],
		[', which took two tries of Retry On Fail', { maxWaitMinutes: 4 }],
	])('the second video is looked up closely only when the first one tells%s', async (...row) => {
		render({ seconds: 300 });
		await studio.run(create({ options: row[1] }), { settings: RETRY });
		const first = lookUps().length;
		await studio.run(create());
		expect(first).toBeGreaterThan(30);
		expect(lookUps().length - first).toBeLessThan(20);
	});

	it('the second video is looked up closely only when the first one tells, whose call an agent repeated', async () => {
		render({ seconds: 300 });
		const options = { maxWaitMinutes: 4 };
		const answers = await studio.call(create({ options }), [{}, {}], { settings: RETRY });
		expect(answers[1]).toContain('"finished":true');
		const first = lookUps().length;
		await studio.run(create());
		expect(studio.service.videos).toHaveLength(2);
		expect(lookUps().length - first).toBeLessThan(20);
	});

	it.each<[string, Fault]>([
		['is not reached for a while', { disconnect: 'beforeResponse', times: 12 }],
		['finds nothing in the first seconds', { status: 404, times: 4 }],
	])('waiting goes on if the look-up %s, which tells the end', async (_what, fault) => {
		render({ seconds: 200 });
		failLookUp(fault);
		const { json } = await studio.run(create());
		expect(json[0]).toMatchObject({ finished: true, renderDuration: '00:03:20.00' });
	});

	it.each([1, 8])('the link shows %i videos while the service puts look-ups off', async (count) => {
		render({ seconds: 90 });
		failLookUp({ status: 429, headers: { 'retry-after': '600' }, skip: 2 * count });
		const start = Date.now();
		const items = createScriptItems(count);
		const { json } = await studio.run(create({ script: ITEM_SCRIPT }), { items });
		expect(json.map(({ finished }) => finished)).toEqual(Array(count).fill(true));
		expect(Date.now() - start).toBeLessThan(110_000);
		// The pause is kept, but for one look-up in a minute that asks whether it is over.
		expect(lookUps().length).toBeLessThan(4 * count + 3);
	});

	it('a renderDuration that is false, or zero, is none', async () => {
		render({ seconds: 90 });
		failLookUp({ body: { id: SOME_ID, renderDuration: false }, times: 2 });
		failLookUp({ body: { id: SOME_ID, renderDuration: '00:00:00' }, times: 2 });
		const { json } = await studio.run(create());
		expect(json[0]).toMatchObject({ finished: true, renderDuration: '00:01:30.00' });
	});

	it('look-ups are waited for as long as the service asks if there is no link to try', async () => {
		render({ seconds: 90 });
		studio.service.injectFault({
			when: { method: 'POST' },
			afterEffect: true,
			body: { id: SOME_ID },
		});
		failLookUp({ status: 429, headers: { 'retry-after': '600' }, times: 1 });
		failLookUp({ body: { id: SOME_ID, renderDuration: '00:01:30' } });
		const start = Date.now();
		expect((await studio.run(create())).json[0]).toMatchObject({ finished: true });
		expect(Date.now() - start).toBeGreaterThan(600_000);
		expect(lookUps()).toHaveLength(2);
	});

	const page = { body: '<html><title>App</title>', headers: { 'content-type': 'text/html' } };
	it.each<[string, Fault]>([
		['500', { status: 500 }],
		['403', { status: 403 }],
		['401', { status: 401 }],
		['a redirect', { status: 302, headers: { location: 'https://example.com' } }],
		['a page', page],
		['an error with the status 200', { body: { status: 'error', message: 'internal' } }],
		['another video', { body: { id: OTHER_ID, videoUrl: '' } }],
	])('one look-up that gets %s does not end the wait', async (_what, fault) => {
		render({ seconds: 40 });
		failLookUp({ ...fault, times: 1, skip: 2 });
		expect((await studio.run(create())).json[0]).toMatchObject({ finished: true });
		expect(new Set(lookUps()).size).toBe(1);
	});

	it('a service that shows a page instead of a look-up leaves it to the link', async () => {
		render({ seconds: 60 });
		failLookUp(page);
		expect((await studio.run(create())).json[0]).toMatchObject({ finished: true });
		expect(lookUps()).toHaveLength(LOOK_UPS);
	});

	it.each<[string, Fault]>([
		['does not respond', { hang: true }],
		['breaks every connection', { disconnect: 'beforeResponse' }],
		['refuses every request', { status: 429 }],
	])('a host of the file that %s holds up no look-up', async (_what, fault) => {
		render({ seconds: 20 });
		studio.service.injectFault({ when: { host: 'files' }, ...fault });
		const start = Date.now();
		const { json } = await studio.run(create({ options: { maxWaitMinutes: 1 } }));
		expect(json[0]).toMatchObject({ finished: true, fileUrl: json[0]!.videoUrl });
		expect(Date.now() - start).toBeLessThan(60_000);
	});

	it('a video that fails ends the run, and the error names all others that were created', async () => {
		const isBad = ({ script }: { script?: unknown }) => script === 'Script 2';
		render({ seconds: 30, failure: (video) => (isBad(video) ? 'No face' : undefined) });
		const items = createScriptItems(60);
		const text = await studio.getFailure(create({ script: ITEM_SCRIPT }), { items });
		const named = studio.service.videos.filter(({ id }) => text.includes(`ID ${id}`));
		expect(named).toHaveLength(51);
		expect(text).toContain(', and 9 more.');
	});

	it('waiting ends if the look-up is rejected for good, and the error says what was created', async () => {
		render({ seconds: Infinity });
		failLookUp({ status: 401 });
		const text = await studio.getFailure(create());
		expect(text).toContain(`The video was created (ID ${studio.service.videos[0]!.id})`);
		expect(text).toContain('The service rejected the API key (401)');
	});

	it('cancelling ends the wait within half a second', async () => {
		render({ seconds: Infinity });
		const run = studio.start(create());
		await new Promise((resolve) => setTimeout(resolve, 30_100));
		const start = Date.now();
		await run.cancel();
		const count = lookUps().length;
		await new Promise((resolve) => setTimeout(resolve, 60_000));
		expect(lookUps()).toHaveLength(count);
		expect(Date.now() - start).toBeGreaterThan(60_000);
	});

	it('cancelling ends the check of the link as well', async () => {
		render({ seconds: 1, isTrial: true });
		const run = studio.start(create());
		await new Promise((resolve) => setTimeout(resolve, 3_000));
		const { error } = await run.cancel();
		expect(error?.message).toMatch(/cancelled/i);
	});

	it('a run that stops ends the waits of its other items, and counts them as created', async () => {
		render({ seconds: Infinity });
		const isBad = ({ body }: { body?: unknown }) =>
			(body as { script?: string })?.script === 'Script 1';
		studio.service.injectFault({ when: isBad, status: 422, latencyMs: 5_000 });
		const start = Date.now();
		const text = await studio.getFailure(create({ script: ITEM_SCRIPT }), {
			items: createScriptItems(3),
		});
		expect(text).toContain('Other items of this run: 2 created something, 0 may have');
		expect(Date.now() - start).toBeLessThan(5_600);
	});

	it('n8n’s log says that items wait, and when no item waits any more', async () => {
		render({ seconds: 400 });
		await studio.run(create());
		const { host } = new URL(studio.service.url);
		const told = logLines.filter(({ level }) => level === 'info').map(({ message }) => message);
		expect(told).toHaveLength(3);
		expect(told[0]).toMatch(
			new RegExp(
				`^${host} has been working on what was created for 1\\d s\\. Items that wait for it, until .*Z at most: 1, of "Avatar Studio" in workflow "Workflow"\\.$`,
			),
		);
		expect(told[1]).toContain(`${host} has been working on what was created for 31`);
		expect(told[2]).toMatch(new RegExp(`^${host}: no item waits any more, after 4\\d\\d s\\.$`));
	});

	describe('of the two links', () => {
		it.each([[create()], [download()]])(
			'a trial account gets the one with a watermark, and the item says so',
			async (parameters) => {
				render({ isTrial: true });
				const { json, items } = await studio.run(parameters);
				expect(json[0]!.fileUrl).toBe(json[0]!.videoWatermarkedUrl);
				expect(json[0]!.note).toContain('so fileUrl leads to the one with it');
				const isDownload =
					(parameters.options as INodeParameters | undefined)?.downloadFile === true;
				expect(items[0]!.binary !== undefined).toBe(isDownload);
			},
		);

		it('the one without a watermark is given if its host is only late', async () => {
			studio.service.injectFault({ when: { host: 'files' }, status: 404, times: 1 });
			for (const parameters of [create(), download()]) {
				const { json } = await studio.run(parameters);
				expect(json[0]!.fileUrl).toBe(json[0]!.videoUrl);
				expect(json[0]).not.toHaveProperty('note');
			}
		});

		it('the one without a watermark is given if neither leads to a file', async () => {
			studio.service.injectFault({ when: { host: 'files' }, status: 404 });
			const { json } = await studio.run(create());
			expect(json[0]!.fileUrl).toBe(json[0]!.videoUrl);
		});
	});
});

describe('On the service as specified, without a look-up,', () => {
	const studio = useStudio();
	useClock({ runs: true });
	const specified = (more: INodeParameters = {}) => createVideo(more);
	const respond = (body: object) =>
		studio.service.injectFault({ when: { method: 'POST' }, status: 200, body, times: 1 });
	const lookUps = () => studio.getRoutes().filter((route) => route.startsWith('GET'));

	it('a video is finished if the response says so', async () => {
		const { json } = await studio.run(specified());
		expect(json[0]).toMatchObject({ status: 'completed', finished: true });
		expect(studio.getRoutes()).toEqual([CREATION]);
	});

	it('a status that I sent says nothing', async () => {
		respond({ id: SOME_ID, status: 'done' });
		const additionalFields = { status: 'done' };
		const { json } = await studio.run(specified({ additionalFields }));
		expect(json).toStrictEqual([{ id: SOME_ID, status: 'done' }]);
	});

	it('the link is waited for, and its route is looked for once an hour, for ten seconds', async () => {
		const { filesUrl } = studio.service;
		respond({ id: SOME_ID, url: `${filesUrl}/sized/5` });
		studio.service.injectFault({ when: { host: 'files' }, status: 404, times: 30 });
		const { json } = await studio.run(specified());
		expect(json[0]).toMatchObject({ finished: true, fileUrl: `${filesUrl}/sized/5` });
		expect(lookUps()).toHaveLength(LOOK_UPS);
		respond({ id: SOME_ID, url: `${filesUrl}/sized/5` });
		await studio.run(specified());
		expect(lookUps()).toHaveLength(LOOK_UPS);
		await new Promise((resolve) => setTimeout(resolve, 3_600_000));
		respond({ id: SOME_ID, url: `${filesUrl}/sized/5` });
		studio.service.injectFault({ when: { host: 'files' }, status: 404, times: 6 });
		await studio.run(specified());
		expect(lookUps()).toHaveLength(2 * LOOK_UPS);
	});

	it('only a look-up is waited for if there is no link either', async () => {
		respond({ id: SOME_ID });
		const start = Date.now();
		const { json } = await studio.run(specified());
		expect(json).toStrictEqual([{ id: SOME_ID }]);
		expect(Date.now() - start).toBeLessThan(11_000);
		respond({ queued: true });
		expect((await studio.run(specified())).json).toStrictEqual([{ queued: true }]);
		expect(lookUps()).toHaveLength(LOOK_UPS);
	});

	it('the error of a video that is not finished names the studio application', async () => {
		respond({ id: SOME_ID, url: `${studio.service.filesUrl}/missing.mp4` });
		const text = await studio.getFailure(specified({ options: { maxWaitMinutes: 2 } }));
		expect(text).toContain('The video is not finished after 2 minutes');
		expect(text).toContain('Look for it later in the studio application.');
	});

	it('the file that is the response is neither waited for nor looked up', async () => {
		studio.service.configure({ videoResponse: 'file' });
		const { items } = await studio.run(specified());
		expect(items[0]!.binary!.data!.mimeType).toBe('video/mp4');
	});
});
