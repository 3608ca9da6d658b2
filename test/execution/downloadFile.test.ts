import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { readFile } from '../support/engine/engine';
import { createScriptItems, createSpeech, createVideo } from '../support/parameters';
import { findUnusedAddress, startPatientHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run());

const speech = (options = {}) => createSpeech({ options: { downloadFile: true, ...options } });
const video = (fields = {}) => createVideo({ additionalFields: { downloadFile: true, ...fields } });

/** The requests to the files host. */
const fileRequests = () => studio.service.requests.filter(({ host }) => host === 'files');

test('The file of a speech is downloaded with it, without sending the key', async () => {
	studio.service.configure({ speechResponse: 'link' });
	const { items, json } = await studio.run(speech());
	expect(json[0]).not.toHaveProperty('fileError');
	expect((await readFile(items[0])).length).toBeGreaterThan(0);
	expect(fileRequests()).toHaveLength(1);
	expect(fileRequests()[0]!.headers).not.toHaveProperty('x-api-key');
});

test('No file is downloaded unless I turn it on', async () => {
	studio.service.configure({ videoResponse: 'link' });
	const { items } = await studio.run(createVideo());
	expect(items[0]!.binary).toBeUndefined();
	expect(fileRequests()).toStrictEqual([]);
});

test('Each entry of a list gets its own file, in the field that I choose', async () => {
	studio.service.configure({ videoResponse: 'array' });
	const { items } = await studio.run(video({ binaryPropertyName: 'clip' }));
	expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toStrictEqual([['clip'], ['clip']]);
});

test('A file that is the response itself is not downloaded again', async () => {
	studio.service.configure({ speechResponse: 'file' });
	const { items } = await studio.run(speech());
	expect((await readFile(items[0])).length).toBeGreaterThan(0);
	expect(fileRequests()).toStrictEqual([]);
});

test('A preview and a sample are no result, with and without another link', async () => {
	const { filesUrl } = studio.service;
	const voice = { audioSampleUrl: `${filesUrl}/sized/7.mp3` };
	const avatar = { previewVideoUrl: `${filesUrl}/sized/8.mp4` };
	const bodies = [
		{ url: `${filesUrl}/sized/5`, voice, avatar },
		{ status: 'processing', voice, avatar },
	];
	for (const body of bodies) studio.service.injectFault({ times: 1, body });
	const { items } = await studio.run(speech());
	const { items: unfinished } = await studio.run(speech());
	expect(await readFile(items[0])).toHaveLength(5);
	expect(unfinished[0]!.json.fileError).toBe(
		'The response contains no link to a file. The file may not be ready yet. Look in the studio application. Set Link Field to one of these: "voice.audioSampleUrl"; "avatar.previewVideoUrl".',
	);
});

describe('with several links', () => {
	const links = () => ({
		page: 'https://example.com/speech',
		files: [{ url: `${studio.service.filesUrl}/sized/5` }],
	});
	beforeEach(() => studio.service.injectFault({ when: { path: '/v1/speech' }, body: links() }));

	it.each([
		[
			undefined,
			'The response contains several links. Set Link Field to one of these: "page"; "files.0.url".',
		],
		[
			'url',
			'The response contains no link in "url". The file may not be ready yet. Look in the studio application. Set Link Field to one of these: "page"; "files.0.url".',
		],
	])('none is used by chance, and the item lists their fields: %p', async (linkField, message) => {
		const { json, items } = await studio.run(speech({ linkField }));
		expect(items[0]!.binary).toBeUndefined();
		expect(json).toStrictEqual([{ ...links(), fileError: message }]);
	});

	it('the one in the field that I choose is used, whatever it is', async () => {
		const { items } = await studio.run(speech({ linkField: 'files.0.url' }));
		expect(await readFile(items[0])).toHaveLength(5);
		studio.service.configure({ videoResponse: 'links' });
		const { items: pictures } = await studio.run(video({ linkField: 'thumbnailUrl' }));
		expect(pictures[0]!.binary!.data!.mimeType).toBe('image/png');
	});
});

test.each([
	[{ id: 'one', status: 'queued' }, {}, 'The response contains no link to a file'],
	[
		{ id: 'one' },
		{ linkField: 'url' },
		'The response contains no link in "url". The file may not be ready yet',
	],
])(
	'Without a link, %j is kept, and the item says that there is no file',
	async (body, fields, words) => {
		studio.service.injectFault({ body });
		const { json } = await studio.run(video(fields));
		expect(json).toStrictEqual([{ ...body, fileError: expect.stringContaining(words) }]);
	},
);

test.each([
	['rejects the request', '/nowhere', ' (403): The signature'],
	['cannot be reached', '', '. '],
])(
	'If the host of the file %s, the message blames no key, ID or Base URL',
	async (_how, path, end) => {
		const host = path === '' ? (await findUnusedAddress()).url : studio.service.filesUrl;
		studio.service.injectFault({ when: { path: '/v1/talkingphotos' }, body: { url: host + path } });
		const { json } = await studio.run(video());
		const start = `The file could not be downloaded from ${new URL(host).host}${end}`;
		expect(json[0]!.fileError).toContain(start);
		expect(json[0]!.fileError).not.toMatch(/Base URL|Check the ID|API key|Waited/);
	},
);

describe('the file must be what I asked for', () => {
	const respond = (body: object) => studio.service.injectFault({ when: { path: /^\/v1\// }, body });
	const filesUrl = () => studio.service.filesUrl;

	it('the link to the video is used and not the one to its picture', async () => {
		studio.service.configure({ videoResponse: 'links' });
		const { items, json } = await studio.run(video());
		expect(json[0]).not.toHaveProperty('fileError');
		expect(items[0]!.binary!.data!.mimeType).toBe('video/mp4');
	});

	it('what I sent is no result, however the response spells it', async () => {
		const sent = `${filesUrl()}/sized/5?a=b`;
		respond({ id: 'one', result: { image: sent.replace('http:', 'HTTP:') } });
		const { items, json } = await studio.run(video({ videoPreviewImageUrl: sent }));
		expect(items[0]!.binary).toBeUndefined();
		expect(json[0]!.fileError).toContain('The response contains no link to a file');
		expect(fileRequests()).toStrictEqual([]);
	});

	it('a picture alone is named and not attached', async () => {
		respond({ thumbnailUrl: `${filesUrl()}/thumb.jpg` });
		const { items, json } = await studio.run(video());
		expect(items[0]!.binary).toBeUndefined();
		expect(json[0]!.fileError).toBe(
			'The response contains no link to a video. Set Link Field to one of these: "thumbnailUrl".',
		);
		expect(fileRequests()).toStrictEqual([]);
	});
});

test('Of a response with 1,500 links, ten files are attached, two at a time', async () => {
	const host = await startPatientHost(2);
	const body = Array.from({ length: 1_500 }, (_, number) => ({ url: `${host.url}/${number}.mp3` }));
	studio.service.injectFault({ body });
	const { items, json } = await studio.run(speech());
	expect(items.filter(({ binary }) => binary)).toHaveLength(10);
	expect(json.slice(10).map(({ fileError }) => fileError)).toStrictEqual(
		Array(1_490).fill(
			'Only the first 10 files of a response are downloaded. Download this one with an HTTP Request node.',
		),
	);
	expect(host.most).toBe(2);
});

describe('a file that the response contains in base64', () => {
	const MP3 = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(1_000)]);
	const WAV = Buffer.concat([Buffer.from('RIFF1234WAVEfmt '), Buffer.alloc(1_000)]);
	const WEBM = Buffer.concat([Buffer.from('1a45dfa3', 'hex'), Buffer.alloc(1_000)]);
	const MP4 = Buffer.concat([Buffer.from('\0\0\0\x20ftypisom'), Buffer.alloc(1_000)]);
	const mp3 = MP3.toString('base64');
	const dataUri = `data:audio/wav;base64,${WAV.toString('base64')}`;
	const respond = (body: object) => studio.service.injectFault({ body });

	it.each<[string, object, object, Buffer, string]>([
		['a text', { audioContent: `${mp3}\n` }, {}, MP3, 'audio.mp3'],
		[
			'one beside others',
			{ audio_base64: mp3, alignment: [1] },
			{ alignment: [1] },
			MP3,
			'audio.mp3',
		],
		['a data URI', { id: 1, result: { audio: dataUri } }, { id: 1, result: {} }, WAV, 'audio.wav'],
		[
			'a data URI whose type tells audio from video',
			{ audio: `data:audio/webm;base64,${WEBM.toString('base64')}` },
			{},
			WEBM,
			'audio.weba',
		],
	])('is attached and left out of the JSON: %s', async (_what, body, rest, content, fileName) => {
		respond(body);
		const { items, json } = await studio.run(speech());
		expect(json).toStrictEqual([rest]);
		expect(items[0]!.binary!.data).toMatchObject({ fileName });
		expect(await readFile(items[0])).toEqual(content);
	});

	it('is attached for a video', async () => {
		respond({ content: MP4.toString('base64') });
		const { items } = await studio.run(video());
		expect(items[0]!.binary!.data).toMatchObject({ fileName: 'video.mp4', mimeType: 'video/mp4' });
	});

	it('is attached if Link Field names it, also beside another one', async () => {
		respond({ one: mp3, two: dataUri });
		const { json } = await studio.run(speech());
		expect(json[0]!.fileError).toBe(
			'The response contains several links. Set Link Field to one of these: "one"; "two".',
		);
		const { items } = await studio.run(speech({ linkField: 'two' }));
		expect(await readFile(items[0])).toEqual(WAV);
	});

	it('is no file if it is short, a picture or another text', async () => {
		const picture = Buffer.concat([Buffer.from('\x89PNG', 'latin1'), Buffer.alloc(1_000)]);
		const body = {
			token: mp3.slice(0, 900),
			picture: picture.toString('base64'),
			text: `${mp3} and so on!`,
		};
		respond(body);
		const { json } = await studio.run(speech());
		expect(json).toStrictEqual([
			{ ...body, fileError: expect.stringContaining('The response contains no link to a file') },
		]);
	});

	it('that cannot be stored leaves the JSON as it is', async () => {
		jest.spyOn(Container.get(BinaryDataService), 'store').mockRejectedValueOnce(new Error('full'));
		respond({ audio: mp3 });
		const { json } = await studio.run(speech());
		const fileError = expect.stringContaining('could not store the file') as string;
		expect(json[0]).toMatchObject({ audio: mp3, fileError });
	});
});

describe('Wait for the File', () => {
	beforeEach(() => studio.service.configure({ speechResponse: 'link', videoResponse: 'link' }));
	const unready = (fault: Fault) =>
		studio.service.injectFault({ when: { host: 'files' }, times: 4, ...fault });

	it.each<[string, Fault]>([
		['404', { status: 404 }],
		['0 bytes', { body: Buffer.alloc(0), headers: { 'content-type': 'video/mp4' } }],
		['text', { body: 'processing', headers: { 'content-type': 'text/plain' } }],
		['a web page', { body: '<p>Soon</p>', headers: { 'content-type': 'text/html' } }],
	])('tries the link again if it leads to %s at first', async (_what, fault) => {
		unready(fault);
		const { items, json } = await studio.run(video({ waitForFileMinutes: 2 }));
		expect(json[0]).not.toHaveProperty('fileError');
		expect(items[0]!.binary!.data!.mimeType).toBe('video/mp4');
		expect(fileRequests()).toHaveLength(5);
		expect(studio.getRoutes()).toStrictEqual(['POST /v1/talkingphotos']);
	});

	it('says how long it waited if the file does not come in time', async () => {
		unready({ status: 404, times: Infinity });
		const start = Date.now();
		const { json } = await studio.run(speech({ waitForFileMinutes: 1 }));
		expect(json[0]!.fileError).toContain('Waited for 1 min.');
		expect(Date.now() - start).toBeGreaterThanOrEqual(60_000);
		expect(fileRequests()).toHaveLength(7);
	});

	it.each([
		[503, 1, 17],
		// What was paid for waits for its turn as long as what is free.
		[429, 1, 17],
		[429, 0, 16],
	])('ends if the host says %i for good (%i min)', async (status, waitForFileMinutes, minutes) => {
		unready({ status, times: Infinity });
		const start = Date.now();
		const { json } = await studio.run(speech({ waitForFileMinutes }));
		expect(json[0]!.fileError).toContain(`(${status})`);
		expect((Date.now() - start) / 60_000).toBeLessThan(minutes);
	});

	it('holds up no other item', async () => {
		let created = 0;
		unready({
			when: ({ host }) => {
				created = studio.service.speeches.length;
				return host === 'files';
			},
			status: 404,
			times: 6,
		});
		const { json } = await studio.run(speech({ waitForFileMinutes: 5 }), {
			items: createScriptItems(5),
		});
		expect(json.filter(({ fileError }) => fileError)).toStrictEqual([]);
		expect(created).toBe(5);
	});

	it('ends when I cancel the execution', async () => {
		let cancel = () => {};
		unready({
			when: ({ host }) => {
				if (host === 'files') setImmediate(() => cancel());
				return host === 'files';
			},
			status: 404,
			times: Infinity,
		});
		const start = Date.now();
		await studio.getOutcome(video({ waitForFileMinutes: 600 }), {
			onStart: (run) => (cancel = () => run.cancel()),
		});
		expect(Date.now() - start).toBeLessThan(60_000);
	});
});
