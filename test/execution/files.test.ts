import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { brotliCompressSync } from 'node:zlib';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';
import type { INodeExecutionData } from 'n8n-workflow';

import type { Asset, Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText, readFile } from '../support/engine/engine';
import { asType } from '../support/faults';
import { CONTINUE, createSpeech, downloadAsset, RETRY, SOME_ID } from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const content = Buffer.from('the file');

/** Downloads an asset with only these fields. */
async function download(asset: Partial<Asset>): Promise<INodeExecutionData> {
	studio.service.assets = [{ id: SOME_ID, name: 'Portrait', content, ...asset }];
	return (await studio.run(downloadAsset(SOME_ID))).items[0]!;
}

/** Downloads an asset whose link leads to a host of its own; its path may begin with a blank. */
async function downloadFrom(respond: RequestListener, path = ''): Promise<INodeExecutionData> {
	const host = await startRawHost(respond);
	const url = path.replace(/^ ?/, `$&${host.url}`);
	studio.service.injectFault({ body: { id: SOME_ID, url } });
	return (await studio.run(downloadAsset(SOME_ID))).items[0]!;
}

const sendFile: RequestListener = (_request, response) => response.end(content);
const fileRequests = () => studio.service.requests.filter(({ host }) => host === 'files').length;
const failFile = (fault: Fault) =>
	studio.service.injectFault({ when: { host: 'files' }, ...fault });
const getFailure = async (asset: Partial<Asset> = {}) =>
	getErrorText(await getError(download(asset)));

/** A file with these headers, null for one that is not sent. */
const sent = (disposition: string | null, type: string | null = null) => ({
	fileHeaders: { 'content-disposition': disposition, 'content-type': type },
});
const encode = (name: string) => `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;

test('A file that unpacks to more than it announces is refused, and not stored', async () => {
	const headers = { 'content-encoding': 'br', 'content-type': 'image/png' };
	failFile({ body: brotliCompressSync(Buffer.alloc(5_000_000)), headers });
	expect(await getFailure()).toMatch(/is larger than announced, so it was sent compressed/);
	expect(fileRequests()).toBe(1);
});

describe('G8: a file has the right name and type', () => {
	it.each<[source: string, asset: Partial<Asset>, name: string, type: string]>([
		['in quotes', sent('attachment; filename="a b.png"'), 'a b.png', 'image/png'],
		['without quotes', sent('inline; filename=my song.mp3 ; size=1'), 'my song.mp3', 'audio/mpeg'],
		['with folders', sent('inline; filename="/var/files/a.mp3"'), 'a.mp3', 'audio/mpeg'],
		['twice', sent(`inline; filename="x"; filename*=UTF-8''%C3%A4.png`), 'ä.png', 'image/png'],
		['encoded silently', sent('inline; filename="%E3%82%AB a.png"'), 'カ a.png', 'image/png'],
		['without extension', sent('inline; filename=a', 'audio/wav; a=b'), 'a.wav', 'audio/wav'],
		['with a version', sent('inline; filename="v1.2"', 'video/webm'), 'v1.2.webm', 'video/webm'],
		['not at all', sent(null, 'image/png'), 'Portrait.png', 'image/png'],
		['too long', sent(encode(`${'春'.repeat(90)}.mp4`)), `${'春'.repeat(80)}.mp4`, 'video/mp4'],
	])('from the headers, which say the name %s', async (_how, asset, name, type) => {
		const item = await download(asset);
		expect(item.binary!.data).toMatchObject({ fileName: name, mimeType: type });
		expect(await readFile(item)).toEqual(content);
	});

	/** What servers really send. */
	const TYPES = {
		wav: ['audio/wave', 'audio/vnd.wave', 'audio/x-wav', 'audio/x-pn-wav', 'audio/wav;codecs=1'],
		m4a: ['audio/x-m4a', 'audio/m4a', 'audio/mp4', 'audio/mp4a-latm'],
		aac: ['audio/aac', 'audio/aacp', 'audio/x-aac', 'audio/vnd.dlna.adts'],
		ogg: ['audio/ogg; codecs=opus', 'application/ogg', 'audio/x-ogg', 'audio/vorbis'],
		opus: ['audio/opus', 'audio/x-opus'],
		webm: ['audio/webm', 'audio/webm;codecs=opus', 'video/webm', 'video/x-webm'],
		mp3: ['audio/mpeg', 'audio/mp3', 'audio/mpeg3', 'audio/x-mpeg', 'audio/x-mpeg-3', 'audio/mpg'],
		flac: ['audio/flac', 'audio/x-flac'],
		mp4: ['video/mp4', 'application/mp4'],
		mov: ['video/quicktime'],
		m4v: ['video/x-m4v'],
		mkv: ['video/x-matroska'],
		avi: ['video/x-msvideo'],
		'3gp': ['video/3gpp', 'audio/3gpp'],
	};

	it.each<readonly [string, string, string | null, string]>([
		...Object.entries(TYPES).flatMap(([extension, types]) =>
			types.map((type) => ['Part', '', type, `Part.${extension}`] as const),
		),
		['Portrait', '.bin', 'audio/m4a', 'Portrait.m4a'],
		['photo.jpeg', '', 'image/jpeg', 'photo.jpeg'],
		['song.mp4', '', 'audio/mp4', 'song.mp4'],
		['Version 1.2', '', 'video/mp4', 'Version 1.2.mp4'],
		['Version 1.2', '.png', 'binary/octet-stream', 'Version 1.2.png'],
		['Portrait', '.zzz9', null, 'Portrait.zzz9'],
		['Frühling 春 ربيع', '', null, 'Frühling 春 ربيع.bin'],
	])('%j of an asset with extension %j and type %j is %j', async (name, extension, type, file) => {
		const item = await download({ name, ...(extension && { extension }), ...sent(null, type) });
		expect(item.binary!.data!.fileName).toBe(file);
	});

	it.each([
		['the link', '/files/my%20song.mp3?signature=a/b.exe#c', 'my song.mp3', 'audio/mpeg'],
		['nowhere', '', 'file', 'application/octet-stream'],
	])('from %s, if no header has a name, nor the asset', async (_where, path, name, type) => {
		const { binary } = await downloadFrom(sendFile, path);
		expect(binary!.data).toMatchObject({ fileName: name, mimeType: type });
	});

	it.each(['utf8', 'latin1'] as const)('from headers in %s', async (encoding) => {
		const header = Buffer.from('attachment; filename="Übersicht.png"', encoding);
		const { binary } = await downloadFrom((_request, response) => {
			response.setHeader('content-disposition', header.toString('latin1'));
			// Together with a Content-Length, Node.js refuses such a header.
			response.write('the file', () => response.end());
		});
		expect(binary!.data).toMatchObject({ fileName: 'Übersicht.png', mimeType: 'image/png' });
	});
});

describe('a file keeps no unsafe name', () => {
	/** No path, nothing that a shell or a terminal interprets, and short enough for file systems. */
	const SAFE = /^(?![-.\s])[^\\/<>:"|?*$`;&'!(){}\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]{1,89}(?<![.\s])$/u;

	it.each([
		['a path that leaves the folder', '../../etc/passwd'],
		['a Windows path', 'C:\\Windows\\System32\\evil.exe'],
		['control characters', 'a\u0000b\u001b[31mc\u007f\u0085.png'],
		['only dots', '..'],
		['nothing', ''],
		['400 emoji', `${'\u{1F600}'.repeat(400)}.png`],
		['a reversed extension', 'photo\u202Egnp.exe'],
		['a command', "$(touch x);`id`&{a,b}!'.png"],
		['an option', '-rf --no-preserve-root.png'],
		['line separators', 'a\u2028b\u2029c.png'],
	])('of an asset or in the headers: %s', async (_which, name) => {
		for (const asset of [{ name, ...sent(null) }, sent(encode(name)), sent(`${encode(name)}%A`)]) {
			expect((await download(asset)).binary!.data!.fileName).toMatch(SAFE);
		}
	});

	it('with the API key in it, and neither does the JSON', async () => {
		const disposition = `attachment; filename="../${studio.service.apiKey}.mp3"`;
		const headers = { 'content-type': 'audio/mpeg', 'content-disposition': disposition };
		studio.service.injectFault({ body: content, headers });
		const { items } = await studio.run(createSpeech());
		const named = { fileName: 'Hello there.mp3' };
		expect(items).toMatchObject([{ json: named, binary: { data: named } }]);
		expect(JSON.stringify(items)).not.toContain(studio.service.apiKey);
	});
});

describe('a download link', () => {
	const page = asType('text/html; charset=utf-8', '<html><title>Please sign in</title></html>');
	const expired = asType(
		'application/xml',
		'<?xml version="1.0"?><Error><Message>Request has expired</Message></Error>',
	);
	const noText = asType('text/html', Buffer.alloc(2_000, 0xfe));

	it.each<[string, Fault, RegExp]>([
		['a web page', page, /web page instead of a file.*Please sign in/],
		['bytes that are no text', noText, /web page instead of a file \(200\)\. It may/],
		['JSON', { body: { status: 'processing' } }, /The response is not a file/],
		['202', { status: 202, body: '' }, /The response is not a file/],
		['204', { status: 204 }, /The response is not a file/],
		['a part of the file', { status: 206, ...asType('image/png', 'the') }, /is not a file/],
		['an empty file', asType('image/png', Buffer.alloc(0)), /The file is empty/],
		['nothing', { status: 404 }, /could not be downloaded from 127.0.0.1:\d+ \(404\)/],
	])('that leads to %s is an error, never a file', async (_what, fault, words) => {
		failFile(fault);
		const text = await getFailure({ extension: '.png' });
		expect(text).toMatch(words);
		expect(text).toContain('It may not be ready yet');
		expect(text).not.toMatch(/plan|credential/);
		expect(fileRequests()).toBe(1);
	});

	it.each<[string, Fault, RegExp]>([
		['401', { status: 401, body: '' }, /\(401\)\. The link wants a login/],
		['401 and words', { status: 401, body: { message: 'Sign in' } }, /: Sign in\. The link wants/],
		[
			'403',
			{ status: 403, body: '' },
			/\(403\)\. That host does not hand it out: its link may have expired/,
		],
		[
			'403 and JSON',
			{ status: 403, body: { error: 'Not yours' } },
			/\(403\): Not yours\. That host/,
		],
		['403 and a page', { status: 403, ...page }, /\(403\): Please sign in\. That host does not/],
		[
			'403 and XML',
			{ status: 403, ...expired },
			/\(403\): Request has expired\. That host does not/,
		],
	])('whose host says %s is an error in its words', async (_what, fault, words) => {
		failFile(fault);
		const text = await getFailure();
		expect(text).toMatch(words);
		expect(text).not.toMatch(/not be ready|can reach|plan|credential in|proxy|firewall/);
		expect(fileRequests()).toBe(1);
	});

	it.each([
		...[undefined, null, '', 7, 'not a link', 'file:///etc/passwd', 'https://a.example:99999'],
		'https://a.example/1.mp4 https://a.example/2.mp4',
	])('is not %p', async (url) => {
		studio.service.injectFault({ body: { id: SOME_ID, name: 'Portrait', url } });
		expect(await studio.getFailure(downloadAsset(SOME_ID))).toContain('no download link');
		expect(studio.getRoutes()).toHaveLength(1);
	});
});

test.each([
	['/My Photo 1.png?sig=a%2Bb', '/My%20Photo%201.png?sig=a%2Bb'],
	[' /a b/c d?x=1&name=e f.png\n', '/a%20b/c%20d?x=1&name=e%20f.png'],
	['/get?type=attachment; filename="a b.png"', '/get?type=attachment;%20filename=%22a%20b.png%22'],
	['/My Folder/Fr\u00fch\u202f1.png', '/My%20Folder/Fr%C3%BCh%E2%80%AF1.png'],
	['/Part 1?sig=a', '/Part%201?sig=a'],
	['/a|b{c}^`.png', '/a|b%7Bc%7D^%60.png'],
	['/My Slides.pptx', '/My%20Slides.pptx'],
	['/Voice memo', '/Voice%20memo'],
	['/a.png?title=Guten Tag&sig=abc', '/a.png?title=Guten%20Tag&sig=abc'],
])('a link %j is requested as %j', async (path, requested) => {
	const urls: (string | undefined)[] = [];
	const item = await downloadFrom((request, response) => {
		urls.push(request.url);
		response.end(content);
	}, path);
	expect(await readFile(item)).toEqual(content);
	expect(urls).toStrictEqual([requested]);
});

describe('a truncated file', () => {
	const clock = useClock();
	beforeEach(() => clock.run());
	const whole = Buffer.alloc(300_000, 'abc');

	it('is downloaded again in full', async () => {
		failFile({ disconnect: 'midBody', times: 2 });
		expect(Buffer.compare(await readFile(await download({ content: whole })), whole)).toBe(0);
		expect(fileRequests()).toBe(3);
	});

	it('is an error if it stays truncated, even without a Content-Length', async () => {
		const truncated = downloadFrom((_request, response) => {
			response.write(whole, () => response.destroy());
		});
		expect(getErrorText(await getError(truncated))).toContain('was interrupted');
	});

	it('is an error in a speech, which is not created again', async () => {
		studio.service.configure({ speechResponse: 'file' });
		studio.service.injectFault({ disconnect: 'midBody' });
		expect(await studio.getFailure(createSpeech())).toContain('may exist');
		expect(studio.getRoutes()).toHaveLength(1);
	});
});

describe('a response that is a file', () => {
	const WAV = 'RIFF\x24\x00\x00\x00WAVEfmt ';
	const MP3 = '\xff\xfb\x90\x44\x00';
	it.each<[type: string, start: string, fileName: string, mimeType: string, given?: string]>([
		['', MP3, 'Hello there.mp3', 'audio/mpeg'],
		['', 'ID3\x04\x00', 'Hello there.mp3', 'audio/mpeg'],
		['audio/mpeg', WAV, 'Hello there.mp3', 'audio/mpeg'],
		['application/octet-stream', WAV, 'Hello there.wav', 'audio/wav'],
		['binary/octet-stream', 'OggS\x00\x02', 'Hello there.ogg', 'audio/ogg'],
		['', '\x00\x00\x00\x20ftypM4A \x00', 'Hello there.m4a', 'audio/mp4'],
		['', '\x00\x00\x00\x20ftypisom\x00', 'Hello there.m4a', 'audio/mp4'],
		['audio/L16;rate=24000', '\xff\xfb\x00\x01', 'Hello there.pcm', 'audio/l16'],
		['audio/x-wav', 'unknown', 'Hello there.wav', 'audio/x-wav'],
		['', 'a\x00b', 'Hello there', 'application/octet-stream'],
		['text/html', MP3, 'Hello there.mp3', 'audio/mpeg'],
		['text/plain', MP3, 'Hello there.mp3', 'audio/mpeg'],
		['application/json', MP3, 'Hello there.mp3', 'audio/mpeg'],
		['application/unknown', MP3, 'Hello there.mp3', 'audio/mpeg'],
		['application/ogg', 'OggS\x00\x02', 'Hello there.ogg', 'audio/ogg'],
		['audio/basic', 'unknown', 'Hello there.au', 'audio/basic'],
		['audio/pcm', 'unknown', 'Hello there.pcm', 'audio/pcm', 'speech.pcm'],
		['binary/octet-stream', 'unknown', 'Hello there.mp3', 'audio/mpeg', 'speech.mp3'],
	])(
		'of type "%s" that begins with %j is named %s, of type %s (called %s)',
		async (type, start, fileName, mimeType, given = '') => {
			const body = Buffer.from(start, 'latin1');
			const named = given && { 'content-disposition': `inline; filename=${given}` };
			studio.service.injectFault({ body, headers: { 'content-type': type, ...named } });
			const { items, json } = await studio.run(createSpeech());
			expect(json[0]).toMatchObject({ fileName, mimeType });
			expect(await readFile(items[0])).toEqual(body);
		},
	);
});

test.each([
	['audio/mpeg', 200, 'The file in the response is empty (200)'],
	['video/mp4', 201, 'The file in the response is empty (201)'],
	['audio/mpeg', 202, undefined],
	['audio/mpeg', 204, undefined],
	['application/json', 200, undefined],
	['application/octet-stream', 200, undefined],
])('a creation that responds with %s, %i and no byte: %s', async (type, status, message) => {
	studio.service.injectFault({ status, ...asType(type, '') });
	const settings = { ...CONTINUE.settings, retryOnFail: true };
	const { json } = await studio.run(createSpeech(), { settings });
	const errorDetails = { message, code: 'noFile', mayExist: true };
	expect(json).toMatchObject([message === undefined ? { success: true } : { errorDetails }]);
	expect(studio.getRoutes()).toHaveLength(1);
});

test('G1: A disk failure is not mistaken for a connection failure, and nothing is made again', async () => {
	const item = await download({});
	const file = Container.get(BinaryDataService).getPath(item.binary!.data!.id!);
	const [folder] = file.split('/executions/');
	renameSync(folder!, `${folder}.aside`);
	writeFileSync(folder!, 'a file in the place of the folder');
	studio.service.requests.length = 0;
	const text = await studio.getFailure(downloadAsset(SOME_ID));
	studio.service.configure({ speechResponse: 'file' });
	const spoken = await studio.getFailure(createSpeech(), { settings: RETRY });
	await studio.call(createSpeech({ script: 'Bye' }), [{}, {}]);
	rmSync(folder!);
	renameSync(`${folder}.aside`, folder!);
	expect(text).toContain('could not store the file');
	expect(spoken).toContain('The speech was created, but this failed: n8n could not store the file');
	expect(fileRequests()).toBe(1);
	expect(studio.service.speeches.map(({ script }) => script)).toEqual(['Hello there', 'Bye']);
});
