import { renameSync, rmSync, writeFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';

import { Container } from '@n8n/di';
import { BinaryDataService } from 'n8n-core';

import type { Asset, Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { getError, getErrorText, readFile } from '../support/engine/engine';
import {
	createIdItems,
	createSpeech,
	createSpeeches,
	createVideo,
	downloadAsset,
} from '../support/parameters';
import { startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const ID = '123e4567-e89b-12d3-a456-426614174000';
const content = Buffer.from('the file');

/** Downloads an asset with only these fields. */
async function downloaded(asset: Partial<Asset>) {
	studio.service.assets = [{ id: ID, name: 'Portrait', content, ...asset }];
	const outcome = await studio.run(downloadAsset(ID));
	return { ...outcome, file: outcome.items[0]?.binary?.data };
}

/** Downloads an asset whose link leads to a host of its own. */
async function downloadedFrom(respond: RequestListener, asset: object = {}, path = '') {
	const host = await startRawHost(respond);
	studio.service.injectFault({ body: { id: ID, url: host.url + path, ...asset } });
	const { items } = await studio.run(downloadAsset(ID)).finally(async () => await host.close());
	return { items, file: items[0]!.binary!.data! };
}

const fileRequests = () => studio.service.requests.filter(({ host }) => host === 'files').length;

describe('Download', () => {
	it.each<[string, Partial<Asset>, string]>([
		['JSON by its extension', { extension: '.json' }, 'application/json'],
		['JSON by its name', { name: 'data.json' }, 'application/json; charset=utf-8'],
		['a web page by its extension', { extension: '.html' }, 'text/html; charset=utf-8'],
		['a web page by its name', { name: 'page.htm' }, 'text/html'],
		['text', { extension: '.txt' }, 'text/plain'],
	])('returns a file that is %s', async (_what, asset, type) => {
		const { items } = await downloaded({ ...asset, fileHeaders: { 'content-type': type } });
		expect(await readFile(items[0])).toEqual(content);
	});

	it('returns a file that is JSON by its type', async () => {
		const { items } = await downloadedFrom(
			(_request, response) => response.setHeader('content-type', 'application/json').end('[]'),
			{ name: 'Data', type: 'application/json' },
		);
		expect(String(await readFile(items[0]))).toBe('[]');
	});

	it.each([
		['gzip', gzipSync(Buffer.alloc(5_000_000))],
		['deflate', deflateSync(Buffer.alloc(5_000_000))],
		['br', brotliCompressSync(Buffer.alloc(5_000_000))],
	])('refuses a file that was sent compressed (%s)', async (encoding, body) => {
		studio.service.injectFault({
			when: { host: 'files' },
			body,
			headers: { 'content-encoding': encoding, 'content-type': 'image/png' },
		});
		const error = await getError(downloaded({}));
		expect(getErrorText(error)).toMatch(/is larger than announced, so it was sent compressed/);
		expect(fileRequests()).toBe(1);
	});

	it('returns each of many files with its own item', async () => {
		studio.service.assets = Array.from({ length: 60 }, (_, index) => ({
			id: `123e4567-e89b-12d3-a456-${String(index).padStart(12, '0')}`,
			name: `File ${index}`,
			content: Buffer.from(`content ${index}`),
		}));
		const { items } = await studio.run(downloadAsset(), {
			items: createIdItems(studio.service.assets),
		});
		const contents = await Promise.all(items.map(async (item) => String(await readFile(item))));

		expect(contents).toEqual(items.map((_, index) => `content ${index}`));
	});
});

/** The headers of a file; null for one that is not sent. */
const sent = (disposition: string | null, type?: string | null) => ({
	fileHeaders: {
		'content-disposition': disposition,
		...(type !== undefined && { 'content-type': type }),
	},
});
const SILENT = sent(null, null);

describe('the name of the file', () => {
	it.each<[string, Partial<Asset>, string, string]>([
		['from Content-Disposition', sent('attachment; filename="a b.png"'), 'a b.png', 'image/png'],
		[
			'from Content-Disposition without quotes',
			sent('inline; filename=a.png; size=1'),
			'a.png',
			'image/png',
		],
		[
			'from Content-Disposition without quotes but with spaces',
			sent('attachment; filename=my holiday speech.mp3 ; size=1'),
			'my holiday speech.mp3',
			'audio/mpeg',
		],
		[
			'from Content-Disposition with escaped quotes',
			sent('attachment; filename="my \\"best\\" speech.mp3"'),
			'my best speech.mp3',
			'audio/mpeg',
		],
		[
			'from Content-Disposition without the folders of the server',
			sent('attachment; filename="/var/files/speech.mp3"'),
			'speech.mp3',
			'audio/mpeg',
		],
		[
			'preferably from the encoded name',
			sent(`attachment; filename="x.png"; filename*=UTF-8''%C3%A4%20b.png`),
			'ä b.png',
			'image/png',
		],
		[
			'from Content-Disposition, which some hosts encode without saying so',
			sent('attachment; filename="%E3%82%AB%20a.png"'),
			'カ a.png',
			'image/png',
		],
		[
			'from Content-Disposition with its extension, however long it is',
			{
				extension: '.png',
				...sent(
					`attachment; filename*=UTF-8''${encodeURIComponent('春'.repeat(80))}.mp4`,
					'application/octet-stream',
				),
			},
			`${'春'.repeat(65)}.mp4`,
			'video/mp4',
		],
		[
			'with the extension of a type that a phone sends',
			sent(null, 'audio/m4a'),
			'Portrait.m4a',
			'audio/m4a',
		],
		[
			'from the asset if the headers contain no name',
			{ extension: '.png', ...sent(null) },
			'Portrait.png',
			'image/png',
		],
		[
			"with the extension of the content type rather than the asset's",
			{ extension: '.bin', ...sent(null, 'audio/mpeg') },
			'Portrait.mp3',
			'audio/mpeg',
		],
		[
			'with the extension of the content type if the name in the headers has none',
			{ extension: '.bin', ...sent('attachment; filename=speech', 'audio/wav; charset=binary') },
			'speech.wav',
			'audio/wav',
		],
		[
			'with the extension of the asset if the content type is generic',
			{ extension: '.mp4', ...sent(null, 'application/octet-stream') },
			'Portrait.mp4',
			'video/mp4',
		],
		[
			'with the extension of the asset if there are no headers',
			{ extension: '.wav', ...SILENT },
			'Portrait.wav',
			'audio/wav',
		],
		[
			"with the extension only once if the asset's name includes it",
			{ name: 'Portrait.PNG', extension: '.png', ...SILENT },
			'Portrait.PNG',
			'image/png',
		],
		[
			'from the asset, whose extension fits the content type',
			{ name: 'photo.jpeg', ...sent(null, 'image/jpeg') },
			'photo.jpeg',
			'image/jpeg',
		],
		[
			'from the asset, whose name ends with a version and not with an extension',
			{ name: 'Version 1.2', ...sent(null, 'video/mp4') },
			'Version 1.2.mp4',
			'video/mp4',
		],
		[
			'from Content-Disposition with a version in it',
			sent('attachment; filename="Intro v1.2"', 'video/x-matroska'),
			'Intro v1.2.mkv',
			'video/x-matroska',
		],
		[
			'with a generic type if the extension is unknown',
			{ extension: '.zzz9', ...SILENT },
			'Portrait.zzz9',
			'application/octet-stream',
		],
	])('is taken %s', async (_whence, asset, name, type) => {
		const { file, items } = await downloaded(asset);
		expect(file?.fileName).toBe(name);
		expect(file?.mimeType).toBe(type);
		expect(await readFile(items[0])).toEqual(content);
	});

	it.each([
		['the link', '/files/my%20song.mp3?signature=a/b.exe#c', 'my song.mp3', 'audio/mpeg'],
		['nowhere', '', 'file', 'application/octet-stream'],
	])('is taken from %s if no header has one, nor the asset', async (_where, path, name, type) => {
		const { file } = await downloadedFrom((_request, response) => response.end('file'), {}, path);
		expect(file).toMatchObject({ fileName: name, mimeType: type });
	});

	it.each(['utf8', 'latin1'] as const)(
		'is taken from a Content-Disposition in %s',
		async (encoding) => {
			const header = Buffer.from('attachment; filename="Übersicht.png"', encoding);
			const { file } = await downloadedFrom((_request, response) => {
				response.setHeader('content-disposition', header.toString('latin1'));
				// Together with a Content-Length, Node.js refuses such a header.
				response.write('the file', () => response.end());
			});
			expect(file).toMatchObject({ fileName: 'Übersicht.png', mimeType: 'image/png' });
		},
	);
});

const UNSAFE: [string, string][] = [
	['a path that leaves the folder', '../../etc/passwd'],
	['an absolute path', '/etc/passwd'],
	['a Windows path', 'C:\\Windows\\System32\\evil.exe'],
	['a path after a line break', '../../\n/../../etc/passwd'],
	['a drive after a line break', 'a\\\r\n..\\..\\evil.exe'],
	['control characters', 'a\u0000b\u001b[31mc\u007f\u0085.png'],
	['only dots', '..'],
	['nothing but spaces', '   '],
	['nothing', ''],
	['400 characters', `${'a'.repeat(400)}.png`],
	['400 multi-byte characters', `${'春'.repeat(400)}.png`],
	['400 emoji', `${'\u{1F600}'.repeat(400)}.png`],
	['a reversed extension', 'photo\u202Egnp.exe'],
	['other direction marks', '\u2066a\u2067b\u2068c\u2069\u200f\u200e\u061c.png'],
	['characters with a meaning in a shell or on Windows', 'a<b>c:d"e|f?g*h.png'],
	['a command', "$(touch x);`id`&{a,b}!'.png"],
	['an option', '-rf --no-preserve-root.png'],
	['zero-width characters', 'in\u200bvoice\u200d\ufeff\u2060.png'],
	['line separators', 'a\u2028b\u2029c.png'],
	['a device of Windows', 'con'],
	['a device of Windows with an extension', 'LPT1.tar.png'],
	['a device of Windows with a space', 'nul .png'],
];

describe('an unsafe name', () => {
	/** The problems of a name. */
	const findNameProblems = (name: unknown): string[] => {
		if (typeof name !== 'string') return ['is not text'];
		const wrong = {
			'is empty': name === '',
			'contains a path or special characters': /[\\/<>:"|?*$`;&'!(){}]/.test(name),
			'contains an invisible character': /[\p{Cc}\p{Cf}\u2028\u2029]/u.test(name),
			'is an option': name.startsWith('-'),
			'is a device': /^(con|nul|lpt1)\s*(\.|$)/i.test(name),
			'contains a lone surrogate': /\p{Cs}/u.test(name),
			'starts or ends with a dot or a space': /^[.\s]|[.\s]$/.test(name),
			'is too long for a file system': Buffer.byteLength(name) > 255,
		};
		return Object.entries(wrong)
			.filter(([, isSo]) => isSo)
			.map(([what]) => `${JSON.stringify(name)} ${what}`);
	};

	it.each(UNSAFE)('of an asset becomes safe: %s', async (_which, name) => {
		const { file } = await downloaded({ name, ...SILENT });
		expect(findNameProblems(file?.fileName)).toEqual([]);
	});

	/** One of each kind, where the name only comes from somewhere else. */
	const KINDS = UNSAFE.filter(([which]) =>
		[
			'a path that leaves the folder',
			'control characters',
			'nothing',
			'only dots',
			'400 emoji',
			'a reversed extension',
			'a device of Windows',
		].includes(which),
	);

	it.each(KINDS)('in the headers becomes safe: %s', async (_which, name) => {
		const encoded = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
		const { file } = await downloaded({
			name: 'Portrait',
			fileHeaders: { 'content-disposition': encoded },
		});
		expect(findNameProblems(file?.fileName)).toEqual([]);
	});

	it.each(KINDS)('of a speech becomes safe, also in the JSON: %s', async (_which, name) => {
		const encoded = `attachment; filename*=UTF-8''${encodeURIComponent(name)}`;
		studio.service.injectFault({
			body: content,
			headers: { 'content-type': 'audio/mpeg', 'content-disposition': encoded },
		});
		const { json, items } = await studio.run(createSpeech());

		expect(findNameProblems(json[0]!.fileName)).toEqual([]);
		expect(findNameProblems(items[0]!.binary!.data!.fileName)).toEqual([]);
	});

	it.each(['/../../etc/passwd', '.a/b', '.\u202Eexe', '.p\nng', `.${'x'.repeat(400)}`])(
		'due to its extension becomes safe: %j',
		async (extension) => {
			const asset = { name: 'Portrait', extension };
			const { file } = await downloadedFrom((_request, response) => response.end('file'), asset);
			expect(findNameProblems(file.fileName)).toEqual([]);
		},
	);

	it('with the API key in it loses the key', async () => {
		studio.service.injectFault({
			body: content,
			headers: {
				'content-type': 'audio/mpeg',
				'content-disposition': `attachment; filename="${studio.service.apiKey}.mp3"`,
			},
		});
		const { items } = await studio.run(createSpeech());

		expect(items[0]!.binary!.data!.fileName).toBe('mp3.mp3');
		expect(JSON.stringify(items)).not.toContain(studio.service.apiKey);
	});

	it('that cannot be decoded becomes safe', async () => {
		const { file } = await downloaded({
			fileHeaders: { 'content-disposition': `attachment; filename*=UTF-8''%E0%A4%A.png` },
		});

		expect(findNameProblems(file?.fileName)).toEqual([]);
	});

	it('keeps letters of every language', async () => {
		const { file } = await downloaded({ name: 'Frühling 春 ربيع', ...SILENT });

		expect(file?.fileName).toBe('Frühling 春 ربيع.bin');
	});
});

describe('a download link that has expired', () => {
	const PAGE: Fault = {
		body: '<html><title>Please sign in</title></html>',
		headers: { 'content-type': 'text/html; charset=utf-8' },
	};

	it.each([403, 410, 404, 401, 400])('(%i) is requested once more and works', async (status) => {
		studio.service.injectFault({ when: { host: 'files' }, status, times: 1 });
		const { items } = await downloaded({});
		const links = studio.service.requests.filter(({ host }) => host === 'files');
		expect(await readFile(items[0])).toEqual(content);
		expect(studio.service.requests.map(({ host }) => host)).toEqual([
			'api',
			'files',
			'api',
			'files',
		]);
		expect(links[0]!.url).not.toBe(links[1]!.url);
	});

	it('immediately is an error after two links', async () => {
		studio.service.configure({ linkLifetimeSeconds: -1 });
		const error = await getError(downloaded({}));
		expect(fileRequests()).toBe(2);
		expect(getErrorText(error)).toContain('link');
		expect(getErrorText(error)).toContain('The link has expired');
		expect(getErrorText(error)).toContain('fresh link');
		expect(error.httpCode).toBe('403');
		expect(getErrorText(error)).not.toContain('plan');
	});

	it('that leads to a web page is requested once more and works', async () => {
		studio.service.injectFault({ when: { host: 'files' }, ...PAGE, times: 1 });
		const { items } = await downloaded({ extension: '.png' });
		expect(await readFile(items[0])).toEqual(content);
		expect(fileRequests()).toBe(2);
	});

	it('that leads to a web page again is an error, never a file', async () => {
		studio.service.injectFault({ when: { host: 'files' }, ...PAGE });
		const error = await getError(downloaded({ extension: '.png' }));
		expect(fileRequests()).toBe(2);
		expect(getErrorText(error)).toContain('web page');
		expect(getErrorText(error)).toContain('Please sign in');
		expect(getErrorText(error)).toContain('fresh link');
	});

	it.each<[string, Fault]>([
		['JSON', { body: { status: 'processing' } }],
		['202', { status: 202, body: '' }],
		['204', { status: 204 }],
		['a part of the file', { status: 206, body: 'the', headers: { 'content-type': 'image/png' } }],
	])('that leads to %s is an error, never a file', async (_what, fault) => {
		studio.service.injectFault({ when: { host: 'files' }, ...fault });
		const error = await getError(downloaded({ extension: '.png' }));
		expect(getErrorText(error)).toContain('The response is not a file');
		expect(getErrorText(error)).toContain('fresh link');
	});

	it('that leads to an empty file is an error: the file is not there yet', async () => {
		const error = await getError(downloaded({ content: Buffer.alloc(0) }));
		expect(getErrorText(error)).toContain('The file is empty');
		expect(fileRequests()).toBe(2);
	});

	it('is not confused with a missing asset', async () => {
		studio.service.assets = [];
		const error = await getError(studio.run(downloadAsset(ID)));

		expect(getErrorText(error)).toContain('found nothing');
		expect(studio.getRoutes()).toHaveLength(1);
	});

	it.each([undefined, null, '', 'not a link', 'file:///etc/passwd', 'https://a.example:99999', 7])(
		'is not confused with %p, which the message calls no download link',
		async (url) => {
			studio.service.injectFault({ body: { id: ID, name: 'Portrait', url } });
			const error = await getError(studio.run(downloadAsset(ID)));

			expect(getErrorText(error)).toContain('no download link');
			expect(studio.getRoutes()).toHaveLength(1);
		},
	);
});

describe('a truncated file', () => {
	const clock = useClock();
	beforeEach(() => clock.run(100));
	const whole = Buffer.alloc(300_000, 'abc');

	it('is downloaded again in full', async () => {
		studio.service.injectFault({ when: { host: 'files' }, disconnect: 'midBody', times: 2 });
		const { items } = await downloaded({ content: whole });
		expect(Buffer.compare(await readFile(items[0]), whole)).toBe(0);
		expect(fileRequests()).toBe(3);
	});

	it('is an error if it stays truncated, never a partial file', async () => {
		studio.service.injectFault({ when: { host: 'files' }, disconnect: 'midBody' });
		const error = await getError(downloaded({ content: whole }));
		expect(getErrorText(error)).toContain('was interrupted');
	});

	it('is an error in a speech, which is not created again', async () => {
		studio.service.configure({ speechResponse: 'file' });
		studio.service.injectFault({ disconnect: 'midBody' });
		const error = await getError(studio.run(createSpeech()));
		expect(getErrorText(error)).toContain('may exist');
		expect(studio.getRoutes()).toHaveLength(1);
	});

	it('is an error even without a Content-Length', async () => {
		const host = await startRawHost((_request, response) => {
			response.write(whole, () => response.destroy());
		});
		studio.service.injectFault({ body: { id: ID, url: `${host.url}/a.bin` } });
		const error = await getError(studio.run(downloadAsset(ID)));
		await host.close();
		expect(getErrorText(error)).toContain('was interrupted');
	});
});

describe('a response that is a file', () => {
	it('has its size in the JSON', async () => {
		studio.service.injectFault({
			body: Buffer.alloc(2_000, 1),
			headers: { 'content-type': 'audio/mpeg' },
		});
		const { json } = await studio.run(createSpeech());

		expect(json[0]).toMatchObject({ fileSize: '2 kB' });
	});

	it('for several speeches is linked to its input item', async () => {
		studio.service.configure({ speechResponse: 'file' });
		const { items } = await studio.run(...createSpeeches(5));

		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(
			[0, 1, 2, 3, 4].map((item) => ({ item })),
		);
		for (const [index, { json }] of items.entries()) {
			const speech = studio.service.speeches.find(({ script }) => script === `Script ${index}`)!;
			expect(json.fileName).toBe(`speech-${speech.id}.wav`);
		}
	});

	it.each<[string, Fault, string, string]>([
		['no name', { headers: { 'content-type': 'audio/mpeg' } }, 'mp3', 'audio/mpeg'],
		['no type', { headers: { 'content-type': '' } }, '', 'application/octet-stream'],
		[
			'a generic type',
			{ headers: { 'content-type': 'application/octet-stream' } },
			'',
			'application/octet-stream',
		],
	])('with %s is still a file', async (_what, fault, extension, type) => {
		const bytes = Buffer.from([0xff, 0xfb, 0x90, 0x44, 0, 1, 2, 3]);
		studio.service.injectFault({ body: bytes, ...fault });
		const { items } = await studio.run(createSpeech());
		const { fileName = '', mimeType } = items[0]?.binary?.data ?? {};
		expect(fileName.split('.').slice(1).join('.')).toBe(extension);
		expect(mimeType).toBe(type);
		expect(await readFile(items[0])).toEqual(bytes);
	});

	it('for a video is handled the same way', async () => {
		studio.service.configure({ videoResponse: 'file' });
		const { items } = await studio.run(createVideo());

		expect(items[0]!.binary!.data).toMatchObject({
			fileName: 'Welcome.mp4',
			mimeType: 'video/mp4',
		});
	});
});

describe('a storage failure', () => {
	const RETRY = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
	const clock = useClock();
	beforeEach(() => clock.run(100));
	afterEach(() => jest.restoreAllMocks());
	const failStoring = (message: string) =>
		jest
			.spyOn(Container.get(BinaryDataService), 'store')
			.mockImplementation(async () => await Promise.reject(new Error(message)));

	// A database reports it with its own message, a disk with a code.
	it.each(['SQLITE_FULL: database or disk is full', 'The bucket timed out', 'aborted'])(
		'is reported as such, and the file is not downloaded again: %s',
		async (message) => {
			failStoring(message);
			const error = await getError(downloaded({}));

			expect(getErrorText(error)).toContain('could not store the file');
			expect(fileRequests()).toBe(1);
		},
	);

	it('does not pass by waiting for the file of a speech', async () => {
		clock.run(100);
		failStoring('No space left');
		const options = { downloadFile: true, waitForFileMinutes: 5 };
		studio.service.configure({ speechResponse: 'link' });
		const { json } = await studio.run(createSpeech({ options }));

		expect(json[0]!.fileError).toContain('could not store the file');
		expect(fileRequests()).toBe(1);
	});

	it('creates no speech twice, and the error says that it may exist', async () => {
		studio.service.configure({ speechResponse: 'file' });
		failStoring('No space left');
		const error = await getError(studio.run(createSpeech(), { settings: RETRY }));

		expect(getErrorText(error)).toContain('could not store the file');
		expect(getErrorText(error)).toContain('may exist');
		expect(studio.service.speeches).toHaveLength(1);
	});
});

test('a disk failure is not mistaken for a connection failure', async () => {
	const { items } = await downloaded({ content });
	const [folder] = Container.get(BinaryDataService)
		.getPath(items[0]!.binary!.data!.id!)
		.split('/executions/');
	renameSync(folder!, `${folder}.aside`);
	writeFileSync(folder!, 'a file in the place of the folder');
	studio.service.requests.length = 0;
	const error = await getError(studio.run(downloadAsset(ID)));
	rmSync(folder!);
	renameSync(`${folder}.aside`, folder!);
	expect(getErrorText(error)).toContain('could not store the file');
	expect(fileRequests()).toBe(1);
});
