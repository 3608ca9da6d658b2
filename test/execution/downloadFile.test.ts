import { readFile } from '../support/engine/engine';
import { createSpeech, createVideo } from '../support/parameters';
import { findUnusedAddress } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();

const speech = (options = {}) => createSpeech({ options: { downloadFile: true, ...options } });
const video = (fields = {}) => createVideo({ additionalFields: { downloadFile: true, ...fields } });

/** The requests to the files host. */
const fileRequests = () => studio.service.requests.filter(({ host }) => host === 'files');

test.each([
	['speech', () => studio.run(speech())],
	['video', () => studio.run(video())],
])('The file of a %s is downloaded with it, without sending the key', async (_what, run) => {
	studio.service.configure({ speechResponse: 'link', videoResponse: 'link' });
	const { items, json, error } = await run();
	expect(error).toBeUndefined();
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

test('The file is put in the field that I choose', async () => {
	studio.service.configure({ videoResponse: 'link' });
	const { items } = await studio.run(video({ binaryPropertyName: 'clip' }));
	expect(Object.keys(items[0]!.binary!)).toStrictEqual(['clip']);
});

test('Each entry of a list gets its own file', async () => {
	studio.service.configure({ videoResponse: 'array' });
	const { items } = await studio.run(video());
	expect(items.map(({ binary }) => Object.keys(binary ?? {}))).toStrictEqual([['data'], ['data']]);
});

test('A file that is the response itself is not downloaded again', async () => {
	studio.service.configure({ speechResponse: 'file' });
	const { items } = await studio.run(speech());
	expect((await readFile(items[0])).length).toBeGreaterThan(0);
	expect(fileRequests()).toStrictEqual([]);
});

describe('with several links', () => {
	const links = { preview: 'https://example.com/p.png', files: [{ url: '' }] };
	beforeEach(() => {
		links.files[0]!.url = `${studio.service.filesUrl}/sized/5`;
		studio.service.injectFault({ when: { path: '/v1/speech' }, body: links });
	});

	it('none is used by chance: the item lists the fields', async () => {
		const { json, items } = await studio.run(speech());
		expect(items[0]!.binary).toBeUndefined();
		expect(json).toStrictEqual([
			{
				...links,
				fileError:
					'The response contains several links. Set Link Field to one of these: "preview", "files.0.url".',
			},
		]);
	});

	it('the one in the field that I choose is used', async () => {
		const { items } = await studio.run(speech({ linkField: 'files.0.url' }));
		expect(await readFile(items[0])).toHaveLength(5);
	});

	it('a misspelled field is reported', async () => {
		const { json } = await studio.run(speech({ linkField: 'url' }));
		expect(json[0]!.fileError).toBe(
			'The response contains no link in "url". It contains links in "preview", "files.0.url".',
		);
	});
});

test('A response without a link is kept, and the item says that there is no file', async () => {
	studio.service.injectFault({ body: { id: 'one', status: 'queued' } });
	const { json, error } = await studio.run(video());
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({ id: 'one', status: 'queued' });
	expect(json[0]!.fileError).toContain('The response contains no link to a file');
});

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
		expect(json[0]!.fileError).not.toMatch(/Base URL|Check the ID|API key/);
	},
);

test('A link that is not a valid URL is no link', async () => {
	studio.service.injectFault({ body: { url: 'https://files.example.com:99999' } });
	const { json } = await studio.run(video());
	expect(json[0]!.fileError).toContain('The response contains no link to a file');
});

test('Link Field reports a response without any links', async () => {
	studio.service.injectFault({ body: { id: 'one' } });
	const { json } = await studio.run(video({ linkField: 'url' }));
	expect(json[0]!.fileError).toContain('It contains no links at all');
});

test('A file that cannot be downloaded does not fail the item: the video exists', async () => {
	studio.service.injectFault({
		when: { path: '/v1/talkingphotos' },
		body: { id: 'one', url: `${studio.service.filesUrl}/nowhere` },
	});
	const { json, error } = await studio.run(video());
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({ id: 'one', fileError: expect.stringContaining('(') });
});
