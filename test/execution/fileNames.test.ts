import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../service/service';
import { createUuid } from '../../service/uuids';
import { readFile } from '../support/engine/engine';
import { asType } from '../support/faults';
import {
	createSpeech,
	createVideo,
	downloadAsset,
	ITEM_SCRIPT,
	RETRY,
	SOME_ID,
} from '../support/parameters';
import { useStudio } from '../support/studio';

// The next node stores files by their names: in a folder, a bucket or a drive.

const studio = useStudio();
const MP3 = Buffer.from('ID3\x04\x00', 'latin1');
const options = { downloadFile: true };

/** @returns the names of the files that a run puts out */
async function getNames(parameters: INodeParameters, rows: IDataObject[] = [{}], settings = {}) {
	const items = rows.map((json) => ({ json: json }));
	const output = await studio.run(parameters, { items, settings });
	return output.items.map(({ binary }) => binary?.data?.fileName);
}

/** A response to a creation with the link to a file at such a path. */
const linkTo = (path: string) => ({ body: { url: `${studio.service.filesUrl}${path}` } });
const rowsOf = (...scripts: string[]) => scripts.map((script) => ({ script }));

test.each<[string, INodeParameters, string[]]>([
	['a speech by its script', createSpeech({ script: ITEM_SCRIPT }), ['Hello.mp3', 'Bye, and.mp3']],
	[
		'a video by its title',
		createVideo({ videoTitle: '={{ $json.title }}', script: ITEM_SCRIPT }),
		['Intro.mp3', 'Outro.mp3'],
	],
	[
		'a video without a title by its script',
		createVideo({ videoTitle: '', script: ITEM_SCRIPT }),
		['Hello.mp3', 'Bye, and.mp3'],
	],
])('A file that comes as the response is named: %s', async (_what, parameters, names) => {
	studio.service.injectFault(asType('audio/mpeg', MP3));
	const rows = [
		{ script: 'Hello.', title: 'Intro' },
		{ script: ' Bye,\nand: ', title: '"Outro"' },
	];
	expect(await getNames(parameters, rows)).toStrictEqual(names);
});

const ID = '9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d';

test.each([
	...[
		'/video.mp4',
		'/a/output.mp4?id=7',
		'/final_render-1080p.mp4',
		'/download',
		'/audioFile2.mp3',
	],
	...['/1.mp4', '/get?file=x.mp4', '/stream', '/tts/output-0001.mp3', '/Speech%20(1).mp3', '/'],
])('A link that ends like many others, %s, does not name a file', async (path) => {
	studio.service.injectFault({ when: { host: 'files' }, ...asType('audio/mpeg', MP3) });
	studio.service.injectFault(linkTo(path));
	const parameters = createSpeech({ script: ITEM_SCRIPT, options });
	expect(await getNames(parameters, rowsOf('One', 'Two'))).toStrictEqual(['One.mp3', 'Two.mp3']);
});

test.each([
	[`/${ID}.mp3`, `${ID}.mp3`],
	['/a1b2c3d4e5', 'a1b2c3d4e5.mp3'],
	['/video-20241130174512.mp3', 'video-20241130174512.mp3'],
	['/Guten%20Tag.mp3', 'Guten Tag.mp3'],
])('A link that tells its file from others, %s, names it', async (path, name) => {
	studio.service.injectFault({ when: { host: 'files' }, ...asType('audio/mpeg', MP3) });
	studio.service.injectFault(linkTo(path));
	expect(await getNames(createSpeech({ options }))).toStrictEqual([name]);
});

test.each([
	['speech.mp3', 'Hello there.mp3'],
	[`${ID}.mp3`, `${ID}.mp3`],
])('The name %s that the host states in a header makes it %s', async (stated, name) => {
	const headers = {
		'content-type': 'audio/mpeg',
		'content-disposition': `inline; filename=${stated}`,
	};
	studio.service.injectFault({ body: MP3, headers });
	expect(await getNames(createSpeech())).toStrictEqual([name]);
});

describe('Within a run no two files have one name', () => {
	const parameters = createSpeech({ script: ITEM_SCRIPT, options });

	it('of creations', async () => {
		studio.service.injectFault(asType('audio/mpeg', MP3));
		const names = await getNames(parameters, rowsOf('Hello', 'HELLO', 'Hello (2)', 'Hello'));
		expect([...new Set(names.map((name) => name!.toLowerCase()))]).toHaveLength(4);
		expect(names.sort()).toStrictEqual([
			'HELLO (2).mp3',
			'Hello (3).mp3',
			'Hello 2.mp3',
			'Hello.mp3',
		]);
	});

	it('of a list that one item brings', async () => {
		studio.service.injectFault({ when: { host: 'files' }, ...asType('audio/mpeg', MP3) });
		const { filesUrl } = studio.service;
		const body = ['a', 'b', 'c'].map((id) => ({ url: `${filesUrl}/${id}/audio.mp3` }));
		studio.service.injectFault({ body });
		expect(await getNames(parameters, rowsOf('Hello'))).toStrictEqual([
			'Hello.mp3',
			'Hello (2).mp3',
			'Hello (3).mp3',
		]);
	});

	const addLogos = (texts: string[]) => {
		const rows = texts.map((text) => ({ id: createUuid(text) }));
		studio.service.assets = rows.map(({ id }) => ({ id, name: 'Logo', content: MP3 }));
		return rows;
	};

	it('of assets', async () => {
		const names = await getNames(downloadAsset(), addLogos(['1', '2', '3']));
		expect(names.sort()).toStrictEqual(['Logo (2).mp3', 'Logo (3).mp3', 'Logo.mp3']);
	});

	it('but a file that is downloaded again keeps its name', async () => {
		const whole = Buffer.concat([MP3, Buffer.alloc(100_000)]);
		studio.service.injectFault({
			when: { host: 'files' },
			disconnect: 'midBody',
			times: 1,
			...asType('audio/mpeg', whole),
		});
		studio.service.injectFault({ when: { host: 'files' }, ...asType('audio/mpeg', whole) });
		studio.service.injectFault(linkTo('/audio.mp3'));
		expect(await getNames(createSpeech({ options }))).toStrictEqual(['Hello there.mp3']);
	});

	it('and Retry On Fail gives an item the name it had', async () => {
		const rows = addLogos(['1', '2']);
		const ofSecond = `/files/${rows[1]!.id}.bin`;
		const when: Fault['when'] = ({ host, path }) => host === 'files' && path === ofSecond;
		studio.service.injectFault({ when, disconnect: 'midBody', times: 4 });
		const names = await getNames(downloadAsset(), rows, RETRY);
		expect(names).toStrictEqual(['Logo.mp3', 'Logo (2).mp3']);
	});
});

describe('The extension is the one that content and service agree on', () => {
	it.each<[name: string, extension: string, type: string | null, start: string, file: string]>([
		['photo.heic', '.jpg', 'image/jpeg', '\xff\xd8\xff', 'photo.jpg'],
		['photo.heic', '.jpg', null, '\xff\xd8\xff', 'photo.jpg'],
		['photo.heic', '.jpg', 'image/jpeg', 'unknown', 'photo.jpg'],
		['photo.heic', '.jpg', null, 'unknown', 'photo.jpg'],
		['photo.HEIC', '', 'image/jpeg', '\xff\xd8\xff', 'photo.jpeg'],
		['photo.jpg', '.jpeg', 'image/jpeg', '\xff\xd8\xff', 'photo.jpeg'],
		['Podcast.wav', '.mp3', 'audio/mpeg', 'ID3', 'Podcast.mp3'],
		['Podcast.wav', '', null, 'ID3', 'Podcast.mp3'],
		['Podcast.wav', '.wav', 'audio/wav', 'unknown', 'Podcast.wav'],
		['clip.mov', '.mp4', 'video/mp4', '\0\0\0\x20ftypisom', 'clip.mp4'],
		['logo.png', '.webp', 'image/webp', 'RIFF\0\0\0\0WEBP', 'logo.webp'],
		['Dr. Meyer', '.mp4', null, 'unknown', 'Dr. Meyer.mp4'],
		['song.mp3', '.bin', null, 'unknown', 'song.mp3'],
	])('%s with %j of type %s that begins with %j is %s', async (...row) => {
		const [name, extension, type, start, file] = row;
		const content = Buffer.from(start, 'latin1');
		const fileHeaders = { 'content-disposition': null, 'content-type': type };
		const stated = { name, ...(extension && { extension }), fileHeaders };
		studio.service.assets = [{ id: SOME_ID, content, ...stated }];
		expect(await getNames(downloadAsset(SOME_ID))).toStrictEqual([file]);
	});
});

const FTYP = '\0\0\0\x20ftyp';
const WEBM = '\x1aE\xdf\xa3';

describe('If the host states no type, a format whose files begin like others is what the service says', () => {
	it.each([
		['.m4a', `${FTYP}mp42`, 'audio/mp4'],
		['.m4b', `${FTYP}M4B `, 'audio/mp4'],
		['.3gp', `${FTYP}3gp4`, 'video/3gpp'],
		['.mov', `${FTYP}isom`, 'video/quicktime'],
		['.mkv', WEBM, 'video/x-matroska'],
		['.ogv', 'OggS', 'video/ogg'],
		['.mp4', `${FTYP}mp42`, 'video/mp4'],
		['.webm', WEBM, 'video/webm'],
	])('such as %s for %j, which is %s', async (extension, start, mimeType) => {
		const fileHeaders = { 'content-disposition': null, 'content-type': 'binary/octet-stream' };
		const content = Buffer.from(start, 'latin1');
		studio.service.assets = [{ id: SOME_ID, name: 'Memo', content, extension, fileHeaders }];
		const [item] = (await studio.run(downloadAsset(SOME_ID))).items;
		expect(item!.binary!.data).toMatchObject({ fileName: `Memo${extension}`, mimeType });
	});
});

describe('The type is one that players know', () => {
	it.each([
		['application/mp4', `${FTYP}isom`, 'video/mp4', 'Welcome.mp4'],
		['application/mp4', 'unknown', 'video/mp4', 'Welcome.mp4'],
		['application/ogg', 'OggS', 'audio/ogg', 'Welcome.ogg'],
		['application/x-mpegurl-like', `${FTYP}qt  `, 'video/quicktime', 'Welcome.mov'],
		['application/force-download', `${FTYP}mp42`, 'video/mp4', 'Welcome.mp4'],
		['mp4', `${FTYP}mp42`, 'video/mp4', 'Welcome.mp4'],
		['application/x-webm', WEBM, 'video/webm', 'Welcome.webm'],
		['', `${FTYP}isom`, 'video/mp4', 'Welcome.mp4'],
	])('of a video of type "%s" that begins with %j', async (type, start, mimeType, fileName) => {
		studio.service.injectFault({ ...asType(type, Buffer.from(start, 'latin1')) });
		const { json, items } = await studio.run(createVideo());
		expect(json).toMatchObject([{ fileName, mimeType }]);
		expect(items[0]!.binary!.data!.fileType).toBe(mimeType.split('/')[0]);
	});

	it.each([
		['', WEBM, 'audio/webm', 'Hello there.weba'],
		['video/webm', WEBM, 'audio/webm', 'Hello there.weba'],
		['audio/webm', WEBM, 'audio/webm', 'Hello there.weba'],
		['', `${FTYP}isom`, 'audio/mp4', 'Hello there.m4a'],
		['', `${FTYP}dash`, 'audio/mp4', 'Hello there.m4a'],
		['application/mp4', `${FTYP}M4A `, 'audio/mp4', 'Hello there.m4a'],
		['video/mp4', `${FTYP}mp42`, 'audio/mp4', 'Hello there.m4a'],
		['application/octet-stream', `${FTYP}qt  `, 'audio/mp4', 'Hello there.m4a'],
		['video/ogg', 'OggS', 'audio/ogg', 'Hello there.ogg'],
	])('of a speech of type "%s" that begins with %j', async (type, start, mimeType, fileName) => {
		const body = Buffer.from(start, 'latin1');
		studio.service.injectFault({ times: 1, ...asType(type, body) });
		studio.service.injectFault({ when: { host: 'files' }, ...asType(type, body) });
		studio.service.injectFault({ times: 1, ...linkTo('/video.mp4') });
		const long = Buffer.concat([body, Buffer.alloc(1_000)]).toString('base64');
		studio.service.injectFault({ body: { audio: long } });
		for (const parameters of Array<INodeParameters>(2).fill(createSpeech({ options }))) {
			const { items } = await studio.run(parameters);
			expect(items[0]!.binary!.data).toMatchObject({ fileName, mimeType, fileType: 'audio' });
			expect(await readFile(items[0])).toEqual(body);
		}
		const { items } = await studio.run(createSpeech({ options }));
		const stated = type.startsWith('video/') || type === '' ? mimeType : 'audio/';
		expect(items[0]!.binary!.data!.mimeType).toContain(stated);
	});
});
