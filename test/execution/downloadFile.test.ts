import type { ServerResponse } from 'node:http';

import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { logLines, readFile } from '../support/engine/engine';
import { asType } from '../support/faults';
import { createSpeech, createVideo } from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const clock = useClock();
beforeEach(() => clock.run());

const speech = (options = {}) => createSpeech({ options: { downloadFile: true, ...options } });
const video = (fields = {}) => createVideo({ options: { downloadFile: true, ...fields } });

const CHOOSE = 'Set Link Field to one of these:';

const fileRequests = () => studio.service.requests.filter(({ host }) => host === 'files');

test('The file of a speech is downloaded with it, without sending the key', async () => {
	studio.service.configure({ speechResponse: 'link' });
	const { items, json } = await studio.run(speech());
	expect(json[0]).not.toHaveProperty('fileError');
	expect((await readFile(items[0])).length).toBeGreaterThan(0);
	expect(fileRequests()).toHaveLength(1);
	expect(fileRequests()[0]!.headers).not.toHaveProperty('x-api-key');
});

test.each(['text/html', 'text/plain', 'application/json', 'application/unknown'])(
	'A file that begins like MP3 is downloaded, although its host says that it is %s',
	async (type) => {
		const body = Buffer.from('ID3\xfe\xfe', 'latin1');
		studio.service.configure({ speechResponse: 'link' });
		studio.service.injectFault({ when: { host: 'files' }, ...asType(type, body) });
		const { items } = await studio.run(speech());
		expect(await readFile(items[0])).toEqual(body);
		expect(items[0]!.binary!.data!.mimeType).toBe('audio/mpeg');
	},
);

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

describe('the link to the file', () => {
	const LINK = 'https://files.example.com/1';
	const several = { page: `${LINK}/page`, files: [{ url: LINK }] };
	const NOT_READY = 'The file may not be ready yet. Look in the studio application.';
	const NO_LINK = `no link to audio. ${NOT_READY}`;
	const EITHER = `${CHOOSE} "page"; "files.0.url".`;
	const NO_VIDEO = `no link to video. ${NOT_READY} ${CHOOSE} "thumbnailUrl".`;
	const voice = { audioSampleUrl: LINK };
	const avatar = { previewVideoUrl: LINK };
	const bySample = `${CHOOSE} "voice.audioSampleUrl"; "avatar.previewVideoUrl".`;
	const withPicture = { ...video(), additionalFields: { videoPreviewImageUrl: LINK } };

	it.each<[string, INodeParameters, body: object, message: string]>([
		['no link', speech(), { status: 'queued' }, NO_LINK],
		['several links', speech(), several, `several links to audio. ${EITHER}`],
		['none in the field I choose', speech({ linkField: 'url' }), several, `${NO_LINK} ${EITHER}`],
		['only a sample and a preview', speech(), { voice, avatar }, `${NO_LINK} ${bySample}`],
		['only a picture', video(), { thumbnailUrl: `${LINK}.jpg` }, NO_VIDEO],
		['only what I sent', withPicture, { result: { image: LINK } }, 'no link to video'],
	])('is not guessed in a response with %s, and the item says so', async (...row) => {
		const [, parameters, body, message] = row;
		studio.service.injectFault({ body });
		const { items, json } = await studio.run(parameters);
		const fileError = expect.stringContaining(message) as string;
		expect(json).toStrictEqual([{ ...body, fileError }]);
		expect(items[0]!.binary).toBeUndefined();
		expect(fileRequests()).toStrictEqual([]);
	});

	it('is the one beside a sample and a preview, or in the field that I choose', async () => {
		const url = `${studio.service.filesUrl}/sized/5`;
		const body = { url, voice: { sampleUrl: LINK }, previewUrl: LINK };
		studio.service.injectFault({ body, times: 1 });
		studio.service.injectFault({ body: { page: LINK, files: [{ url }] } });
		for (const parameters of [speech(), speech({ linkField: 'files.0.url' })]) {
			const { items } = await studio.run(parameters);
			expect(await readFile(items[0])).toHaveLength(5);
		}
	});
});

test('Of a response with 1,500 links, ten files are attached, one by one', async () => {
	const open: ServerResponse[] = [];
	let most = 0;
	const host = await startRawHost((_request, response) => {
		response.setHeader('content-type', 'audio/mpeg');
		most = Math.max(most, open.push(response));
		// One more would arrive in this time.
		setTimeout(() => open.splice(0).forEach((each) => each.end('file')), 20);
	});
	const body = Array.from({ length: 1_500 }, (_, number) => ({ url: `${host.url}/${number}.mp3` }));
	studio.service.injectFault({ body });
	const { items, json } = await studio.run(speech());
	expect(items.filter(({ binary }) => binary)).toHaveLength(10);
	expect(json).toHaveLength(1_500);
	const others = new Set(json.slice(10).map(({ fileError }) => fileError));
	expect([...others]).toStrictEqual([
		'Only the first 10 files of a response are downloaded. Download this one with an HTTP Request node.',
	]);
	expect(most).toBe(1);
});

describe('A file that the response contains in base64', () => {
	const bytes = {
		mp3: Buffer.concat([Buffer.from('ID3'), Buffer.alloc(1_000, 'a')]),
		wav: Buffer.concat([Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt '), Buffer.alloc(900, 1)]),
		mp4: Buffer.concat([Buffer.from('\x00\x00\x00\x20ftypisom'), Buffer.alloc(900, 2)]),
		short: Buffer.from('RIFF\x24\x00\x00\x00WAVEfmt '),
	};
	const mp3 = bytes.mp3.toString('base64');
	const lines = bytes.mp3.toString('base64url').replace(/.{76}/g, '$&\r\n');
	const alignment = { characters: ['a'], starts: [0] };
	const png = Buffer.concat([Buffer.from('\x89PNG'), Buffer.alloc(900)]).toString('base64');
	const url = 'https://files.example.com/a.mp3';
	const data = (type: string, file: Buffer) => `data:${type};base64,${file.toString('base64')}`;

	it.each<
		[string, object | string, keyof typeof bytes, type: string, rest?: object, field?: string]
	>([
		['the only field', { audioContent: mp3 }, 'mp3', 'audio/mpeg'],
		['a field among others', { audio_base64: mp3, alignment }, 'mp3', 'audio/mpeg', { alignment }],
		['lines, for URLs', { a: [{ b: lines }] }, 'mp3', 'audio/mpeg', { a: [{}] }],
		['a data URL', { a: data('audio/wav', bytes.short), png }, 'short', 'audio/wav', { png }],
		['a data URL with codecs', { a: data('audio/ogg;codecs=opus', bytes.wav) }, 'wav', 'audio/ogg'],
		['a data URL of no type', { a: data('binary/octet-stream', bytes.mp4) }, 'mp4', 'audio/mp4'],
		['a list', [mp3], 'mp3', 'audio/mpeg'],
		['the field that I choose', { a: mp3, b: { c: mp3 } }, 'mp3', 'audio/mpeg', { b: {} }, 'b.c'],
		['a field beside a link', { mp3, url }, 'mp3', 'audio/mpeg', { url, fileUrl: url }],
	])('is attached and left out of the JSON: %s', async (...row) => {
		const [, body, name, type, rest, linkField] = row;
		studio.service.injectFault({ body });
		const { items, json } = await studio.run(speech(linkField ? { linkField } : {}));
		expect(await readFile(items[0])).toEqual(bytes[name]);
		expect(items[0]!.binary!.data!.mimeType).toBe(type);
		const text = expect.any(String) as string;
		const described = { fileName: text, mimeType: type, fileSize: text };
		expect(json).toStrictEqual([rest ?? described]);
		expect(fileRequests()).toStrictEqual([]);
	});

	it.each<[string, object, message: string, options?: object]>([
		['there are two', { a: mp3, b: mp3 }, `files in base64. ${CHOOSE} "a"; "b".`],
		['it is short', { a: bytes.short.toString('base64') }, 'no link to audio'],
		['it is only a sample', { sample: mp3, preview: { b: mp3 } }, 'no link to audio'],
		['it is a picture', { png }, 'no link to audio'],
		['it is empty', { a: 'data:audio/mpeg;base64,' }, 'The file in the response is empty'],
		['it is text', { a: `SUQz${'Hello, '.repeat(200)}` }, 'no link to audio'],
		['I choose another field', { a: mp3 }, 'no link to audio', { linkField: 'b' }],
	])('stays in the JSON if %s', async (...row) => {
		const [, body, message, options] = row;
		studio.service.injectFault({ body });
		const { json } = await studio.run(speech(options));
		expect(json).toStrictEqual([{ ...body, fileError: expect.stringContaining(message) }]);
	});

	it('stays in the JSON unless I turn Download File on', async () => {
		studio.service.injectFault({ body: { mp3 } });
		expect((await studio.run(createSpeech())).json).toStrictEqual([{ mp3 }]);
	});
});

/** Builds a record with a value in a field such as `links.self`. */
function buildRecord(path: string, value: string): object {
	return path.split('.').reduceRight<unknown>((inner, key) => ({ [key]: inner }), value) as object;
}

describe('fileUrl', () => {
	const LINK = 'https://files.example.com/Guten Tag.mp3?sig=a%2Bb';
	const ENCODED = 'https://files.example.com/Guten%20Tag.mp3?sig=a%2Bb';
	const MP4 = 'http://a.example/1.mp4';
	const WEBM = 'http://a.example/1.webm';
	const PAGE = 'http://a.example/1';
	const sent = { videoPreviewImageUrl: LINK };
	const two = { a: LINK, b: `${LINK}&c=d` };

	it.each<[string, INodeParameters, body: object, fileUrl: unknown]>([
		['the only link', createSpeech(), { result: [LINK] }, ENCODED],
		['the only link to a video', createVideo(), { a: LINK, b: MP4 }, MP4],
		['none of two links', createSpeech(), two, undefined],
		['no link to something else', createVideo(), { a: LINK }, undefined],
		['no link that I sent', createVideo({ additionalFields: sent }), { LINK }, undefined],
		['no sentence: about a delay', createVideo(), { a: `${PAGE} is being rendered` }, undefined],
		['no sentence: about two files', createVideo(), { a: `${MP4} is late, see b.mp4` }, undefined],
		['no sentence: about a date', createVideo(), { a: `${PAGE}?id=1 ends 12/31/2030` }, undefined],
		['no sentence: with an address', createVideo(), { a: `${PAGE}, or ask help@a.com` }, undefined],
		['a link with blanks', createVideo(), { a: `${PAGE} 2.bin` }, `${PAGE}%202.bin`],
		['a quoted name', createVideo(), { a: `${MP4}?a="b 2.mp4"` }, `${MP4}?a=%22b%202.mp4%22`],
		['a container of audio', createSpeech(), { a: WEBM, b: PAGE }, WEBM],
		['the audio beside a video', createSpeech(), { a: MP4, b: LINK }, ENCODED],
		["the service's own field of this name", createSpeech(), { url: LINK, fileUrl: null }, null],
	])('is %s', async (_what, parameters, body, fileUrl) => {
		studio.service.injectFault({ body });
		const { json } = await studio.run(parameters);
		expect(json).toStrictEqual([fileUrl === undefined ? body : { ...body, fileUrl }]);
	});

	it.each([
		...['statusUrl', 'links.self', '_links.status.href', 'callback_url', 'webhook', 'docs'],
		...['avatarUrl', 'location'],
	])('is not the link in the field %s, unless that has the extension of a file', async (path) => {
		const toBody = (link: string) => buildRecord(path, link);
		for (const link of [PAGE, MP4]) studio.service.injectFault({ body: toBody(link), times: 1 });
		const outputs = [await studio.run(createVideo()), await studio.run(createVideo())];
		const expected = [toBody(PAGE), { ...toBody(MP4), fileUrl: MP4 }];
		expect(outputs.map(({ json }) => json[0])).toStrictEqual(expected);
	});

	it.each([
		['Guten Tag.mp3?sig=a%2Bb', 'Guten%20Tag.mp3?sig=a%2Bb'],
		['1 2', '1%202'],
	])('is the link in the field that I choose, even if no file is there: %s', async (...row) => {
		const [link, encoded] = row.map((path) => `${studio.service.filesUrl}/${path}`);
		studio.service.injectFault({ when: { host: 'files' }, status: 404 });
		studio.service.injectFault({ body: { a: LINK, b: link } });
		const { json } = await studio.run(speech({ linkField: 'b' }));
		expect(json[0]).toMatchObject({ fileUrl: encoded, fileError: expect.stringContaining('404') });
	});
});

describe('A file that is not there yet', () => {
	beforeEach(() => studio.service.configure({ speechResponse: 'link', videoResponse: 'link' }));
	const unready = (fault: Fault) =>
		studio.service.injectFault({ when: { host: 'files' }, times: 4, ...fault });

	it.each<[string, Fault]>([
		['404', { status: 404 }],
		['403', { status: 403 }],
		['0 bytes', asType('video/mp4', Buffer.alloc(0))],
		['JSON', { body: { status: 'processing' } }],
		['a text', asType('text/plain', 'Still rendering')],
		['a web page', asType('text/html', '<p>Soon</p>')],
	])('is waited for if the link leads to %s at first', async (_what, fault) => {
		unready(fault);
		const { items, json } = await studio.run(video({ maxWaitMinutes: 2 }));
		expect(json[0]).not.toHaveProperty('fileError');
		expect(items[0]!.binary!.data!.mimeType).toBe('video/mp4');
		expect(fileRequests()).toHaveLength(5);
		expect(studio.getRoutes()).toStrictEqual(['POST /v1/talkingphotos']);
	});

	it('is waited for no longer than Maximum Wait', async () => {
		unready({ status: 404, times: Infinity });
		const start = Date.now();
		const { json } = await studio.run(speech({ maxWaitMinutes: 1 }));
		expect(json[0]!.fileError).toContain('It may not be ready yet.');
		expect(Date.now() - start).toBeGreaterThanOrEqual(60_000);
		const { host } = new URL(studio.service.filesUrl);
		const lines = logLines.filter(({ message }) => message.startsWith('The file at'));
		const first = `The file at ${host} is not there (404), try 1: next try in 2 s`;
		const last = `The file at ${host} is not there (404), try ${fileRequests().length}: gave up`;
		expect([lines[0]!.message, lines.at(-1)!.message]).toStrictEqual([first, last]);
		expect(lines).toHaveLength(fileRequests().length);
		expect(lines[0]).toMatchObject({ level: 'debug', metadata: { node: 'Avatar Studio' } });
	});

	it('is not waited for if the host wants a login, and the log says so at once', async () => {
		unready({ status: 401, times: Infinity });
		await studio.run(video());
		const lines = logLines.filter(({ message }) => message.startsWith('The file at'));
		expect(lines.map(({ message }) => message)).toEqual([expect.stringMatching(/try 1: gave up$/)]);
	});

	it.each([
		[503, 1, 61],
		[429, 1, 61],
		[503, 0, 1],
		[429, 0, 1],
	])('ends in time if the host says %i for good (%i min)', async (status, minutes, seconds) => {
		unready({ status, times: Infinity });
		const start = Date.now();
		const { json } = await studio.run(speech({ maxWaitMinutes: minutes }));
		expect(json[0]!.fileError).toContain(`(${status})`);
		expect((Date.now() - start) / 1_000).toBeLessThanOrEqual(seconds);
	});

	it.each([429, 503])('is waited for while its host says %i', async (status) => {
		const until = Date.now() + 10_000;
		studio.service.injectFault({
			status,
			when: ({ host }) => host === 'files' && Date.now() < until,
		});
		const { items } = await studio.run(speech({}));
		expect(items[0]!.binary).toBeDefined();
	});

	it('is not waited for when the run is cancelled, and the item does not advise to create it again', async () => {
		unready({ status: 404, times: Infinity });
		const run = studio.start(video({ maxWaitMinutes: 10 }));
		// Between the second try and the third.
		await new Promise((resolve) => setTimeout(resolve, 3_000));
		const { json } = await run.cancel();
		expect(fileRequests()).toHaveLength(2);
		expect(json[0]!.fileError).toBe('The execution was cancelled.');
	});

	it('is not waited for if its host wants a login', async () => {
		unready({ status: 401, times: Infinity });
		const { json } = await studio.run(speech({}));
		expect(json[0]!.fileError).toContain('(401)');
		expect(fileRequests()).toHaveLength(1);
	});

	it('is not waited for after a refusal of its host if Wait If Busy is 0', async () => {
		unready({ status: 503, times: Infinity });
		const { json } = await studio.run(speech({ waitIfBusyMinutes: 0 }));
		expect(json[0]!.fileError).toContain('(503)');
		expect(fileRequests()).toHaveLength(1);
	});
});
