import type { IDataObject } from 'n8n-workflow';

import type { Asset } from '../../../service/service';
import { useClock } from '../../support/clock';
import { readFile } from '../../support/engine/engine';
import { asType } from '../../support/faults';
import {
	CONTINUE,
	createSpeech,
	createVideo,
	downloadAsset,
	SOME_ID,
} from '../../support/parameters';
import { useStudio } from '../../support/studio';

// What a gateway or a service sends instead of a file, under the label of the file.

const studio = useStudio();
useClock({ runs: true });

const PAGE =
	'<!DOCTYPE html>\n<html><head><title>Quota used up</title></head><body>Hi</body></html>';
const XML = '\ufeff<?xml version="1.0"?>\n<Error><Message>Quota used up</Message></Error>';
const BODIES = [PAGE, ` \n${PAGE.toLowerCase()}`, '<!-- a --><p>Quota used up</p>', XML];
const JSONS = [
	'{"message":"Quota used up"}',
	' { "error": "Quota used up" }',
	'{"message":"Quota used up',
];
const TYPES = ['audio/mpeg', 'video/mp4', 'application/octet-stream'];
const rows = [...BODIES, ...JSONS].flatMap((body) => TYPES.map((type) => [type, body] as const));
const QUOTA = /quota used up/i;

test.each([...BODIES.flatMap((body) => TYPES.map((type) => [type, body] as const))])(
	'G8: A creation that responds with a page as %s is an error in its words: %j',
	async (type, body) => {
		studio.service.injectFault(asType(type, body));
		for (const parameters of [createSpeech(), createVideo()]) {
			const { json } = await studio.run(parameters, CONTINUE);
			expect(json[0]!.error).toMatch(/instead of a file \(200\): .*quota used up.* may exist/i);
			expect(json).toMatchObject([{ errorDetails: { mayExist: true } }]);
		}
	},
);

test.each(
	JSONS.flatMap((body) => ['audio/mpeg', 'video/mp4'].map((type) => [type, body] as const)),
)(
	'G8: A creation that responds with a message as %s is an error in its words: %j',
	async (type, body) => {
		studio.service.injectFault(asType(type, body));
		const { json } = await studio.run(createSpeech(), CONTINUE);
		expect(json[0]!.error).toMatch(/\(200\): .*Quota used up.* The speech may exist/);
	},
);

test.each(rows)(
	'G8: A link to a file that leads to %s which is %j leads to none',
	async (...row) => {
		const [type, body] = row;
		studio.service.injectFault({ when: { host: 'files' }, ...asType(type, body) });
		studio.service.configure({ speechResponse: 'link' });
		const { json, items } = await studio.run(createSpeech({ options: { downloadFile: true } }));
		expect(json[0]!.fileError).toMatch(QUOTA);
		expect(items[0]!.binary).toBeUndefined();
		studio.service.assets = [{ id: SOME_ID, name: 'Clip', extension: '.mp4' }];
		expect(await studio.getFailure(downloadAsset(SOME_ID))).toMatch(QUOTA);
	},
);

test('A page in base64 is no file', async () => {
	const long = `${PAGE}${' '.repeat(1_000)}`;
	const audio = `data:audio/mpeg;base64,${Buffer.from(long).toString('base64')}`;
	studio.service.injectFault({ body: { audio } });
	const { json } = await studio.run(createSpeech({ options: { downloadFile: true } }));
	expect(json).toStrictEqual([{ audio, fileError: expect.stringContaining('no link to audio') }]);
});

describe('What only looks like it is still a file:', () => {
	const download = async (asset: Partial<Asset>, type: string, body: string) => {
		studio.service.assets = [{ id: SOME_ID, name: 'a', ...asset }];
		studio.service.injectFault({ when: { host: 'files' }, ...asType(type, body) });
		return (await studio.run(downloadAsset(SOME_ID))).items[0];
	};

	it.each<[string, Partial<Asset>, string, string]>([
		['a picture that is XML', { extension: '.svg' }, 'image/svg+xml', '<svg xmlns="a"></svg>'],
		['such a picture of no type', { name: 'a.svg' }, 'application/octet-stream', '<svg ></svg>'],
		['subtitles', { extension: '.xml' }, 'application/ttml+xml', '<?xml version="1.0"?><tt/>'],
		['an animation', { extension: '.lottie' }, 'application/octet-stream', '{"v":"5"}'],
		['audio that begins with the byte', { extension: '.pcm' }, 'audio/L16', '<a \u0001\u0002'],
		['audio that begins with another', { extension: '.pcm' }, 'audio/L16', '<1'],
	])('%s', async (_what, asset, type, body) => {
		const item = await download(asset, type, body);
		expect(String(await readFile(item))).toBe(body);
	});

	it('data under the label of a file, of a creation', async () => {
		const body: IDataObject = { id: 'v-1', message: 'Queued' };
		studio.service.injectFault(asType('video/mp4', JSON.stringify(body)));
		expect((await studio.run(createVideo())).json).toStrictEqual([body]);
	});

	it('XML that a creation responds with as such', async () => {
		studio.service.injectFault(asType('application/xml', '<video id="1"/>'));
		const { items } = await studio.run(createVideo());
		expect(String(await readFile(items[0]))).toBe('<video id="1"/>');
	});
});
