import type { INodeParameters } from 'n8n-workflow';

import { getError, getErrorText } from '../../support/engine/engine';
import { getAsset, importAsset } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

/** URL of a file of this many bytes, which the stand-in really fetches. */
const fileUrl = (bytes = 1234) => `${studio.service.filesUrl}/sized/${bytes}`;

const fileUrlOf = (name: string) => `https://example.com/${name}`;

test('The service fetches my file and stores it as an asset', async () => {
	const { json } = await studio.run(importAsset({ fileUrl: fileUrl() }));
	const stored = studio.service.assets.at(-1)!;
	expect(json).toStrictEqual([
		{
			id: stored.id,
			name: 'Portrait',
			url: expect.stringContaining(studio.service.filesUrl),
			originalFileUrl: null,
		},
	]);
	expect(stored.content).toHaveLength(1234);
});

test('I import the file behind the link of another asset', async () => {
	const [portrait] = studio.service.assets;
	const link = (await studio.run(getAsset(portrait!.id))).json[0]!.url as string;
	const { json } = await studio.run(importAsset({ name: 'Copy', fileUrl: link }));
	expect(json[0]).toMatchObject({ name: 'Copy' });
	expect(studio.service.assets.at(-1)).toMatchObject({
		content: portrait!.content,
		contentType: 'image/png',
		originalFileUrl: link,
	});
});

test.each<[string, INodeParameters]>([
	['Image', { type: 'Image' }],
	['Video', { type: 'Video' }],
	['Audio', { type: 'Audio' }],
	['Music', { type: 'Music' }],
	['Assets', { type: 'custom', customType: 'Assets' }],
	// A custom type that I entered before I selected another type is not sent.
	['Music', { type: 'Music', customType: 'Assets' }],
	['Video', { type: '={{ "Video" }}' }],
	['Assets', { type: '={{ "custom" }}', customType: '={{ "Assets" }}' }],
])('I import a file as %s with %j', async (type, parameters) => {
	await studio.run(importAsset({ fileUrl: fileUrl(), ...parameters }));
	expect(getOnlyRequest(studio).body).toStrictEqual({ fileUrl: fileUrl(), name: 'Portrait', type });
	expect(studio.service.assets.at(-1)!.type).toBe(type);
});

test.each([
	['clip.MP4?signature=a.png', 'Video'],
	['a%20song.m4a', 'Audio'],
	['photo.heic#top', 'Image'],
])('By default, the type of %s is detected as %s', async (name, type) => {
	studio.service.injectFault({ body: {} });
	await studio.run(importAsset({ fileUrl: fileUrlOf(name), type: 'detect' }));
	expect(getOnlyRequest(studio).body).toMatchObject({ type });
});

test.each(['https://example.com', fileUrlOf('watch'), fileUrlOf('report.pdf')])(
	'A type that %s does not show is an error, and nothing is sent',
	async (url) => {
		const error = await getError(studio.run(importAsset({ fileUrl: url, type: 'detect' })));
		expect(getErrorText(error)).toBe(
			'File URL does not end with the extension of an image, audio or a video. Set Type, or use another file.',
		);
		expect(studio.getRoutes()).toStrictEqual([]);
	},
);

test('The options of an expression may be spelled in any case', async () => {
	const [chime] = studio.service.assets.filter(({ name }) => name === 'Chime');
	const options = { ifNameExists: ' Return', retryUnknownOutcome: 'TRUE ' };
	const items = [
		{ json: { type: ' video ', name: 'A', ...options } },
		{ json: { type: 'CUSTOM', name: 'C', ...options } },
		{ json: { type: 'Music', name: 'Chime', ...options } },
	];
	const { json } = await studio.run(
		importAsset({
			fileUrl: fileUrl(),
			name: '={{ $json.name }}',
			type: '={{ $json.type }}',
			customType: 'Assets',
			options: {
				ifNameExists: '={{ $json.ifNameExists }}',
				retryUnknownOutcome: '={{ $json.retryUnknownOutcome }}',
			},
		}),
		{ items },
	);
	expect(json.at(-1)).toMatchObject({ id: chime!.id });
	const created = studio.service.assets.slice(5).map(({ name, type }) => [name, type]);
	expect(Object.fromEntries(created)).toStrictEqual({ A: 'Video', C: 'Assets' });
});

describe('If the name exists', () => {
	const importNamed = async (name: string, ifNameExists: string, more = {}) =>
		await studio.run(importAsset({ fileUrl: fileUrl(), name, options: { ifNameExists } }), more);
	const creations = () => studio.getRoutes().filter((route) => route.startsWith('POST'));

	/** The asset is created, but the node does not see the response. */
	const loseResponse = () =>
		studio.service.injectFault({
			when: { method: 'POST' },
			disconnect: 'beforeResponse',
			afterEffect: true,
			times: 1,
		});

	it('another asset is created by default, without reading the list', async () => {
		await importNamed('Chime', 'create');
		expect(studio.getRoutes()).toStrictEqual(['POST /v1/assets/import/url']);
	});

	it('I get that asset with its link, however its name is spelled', async () => {
		const chime = studio.service.assets.find(({ name }) => name === 'Chime')!;
		const { json } = await importNamed(' CHIME ', 'return');
		expect(json).toMatchObject([{ id: chime.id, name: 'Chime', url: expect.any(String) }]);
		expect(creations()).toStrictEqual([]);
	});

	it('the item fails if I say so', async () => {
		const error = await getError(importNamed('Chime', 'fail'));
		expect(getErrorText(error)).toContain('The asset "Chime" exists already. Enter another name');
		expect(creations()).toStrictEqual([]);
	});

	it('is asked of one list for the run, and the others are created', async () => {
		const items = ['Chime', 'A', 'Greeting', 'B'].map((name) => ({ json: { name } }));
		const { json } = await importNamed('={{ $json.name }}', 'return', { items });
		expect(json.map(({ name }) => name)).toStrictEqual(['Chime', 'A', 'Greeting', 'B']);
		expect(creations()).toHaveLength(2);
		const pages = studio.getRoutes().filter((route) => route === 'GET /v1/assets');
		const single = await countPagesOfOneItem();
		expect(pages).toHaveLength(single);
	});

	async function countPagesOfOneItem() {
		studio.service.requests.length = 0;
		await importNamed('Chime', 'return');
		return studio.getRoutes().filter((route) => route === 'GET /v1/assets').length;
	}

	it('is asked again by Retry On Fail: a lost response created it', async () => {
		loseResponse();
		const options = { ifNameExists: 'return', retryUnknownOutcome: true };
		const { json } = await studio.run(importAsset({ fileUrl: fileUrl(), name: 'New', options }), {
			settings: { retryOnFail: true, maxTries: 2, waitBetweenTries: 1 },
		});
		expect(json).toMatchObject([{ id: studio.service.assets.at(-1)!.id, name: 'New' }]);
		expect(creations()).toHaveLength(1);
	});

	const twins = [
		{ json: { name: 'New' } },
		{ json: { name: ' new' } },
		{ json: { name: 'Other' } },
	];
	const importTwins = async (
		ifNameExists: string,
		onError: 'stopWorkflow' | 'continueErrorOutput',
	) =>
		await importNamed('={{ $json.name }}', ifNameExists, { items: twins, settings: { onError } });
	const namesOfAssets = () => studio.service.assets.slice(5).map(({ name }) => name);

	it.each(['stopWorkflow', 'continueErrorOutput'] as const)(
		'because another item of the run creates it, both get that asset (%s)',
		async (onError) => {
			const { json, items } = await importTwins('return', onError);
			expect(namesOfAssets()).toStrictEqual(['New', 'Other']);
			const ids = studio.service.assets.slice(5).map(({ id }) => id);
			expect(json.map(({ id }) => id)).toStrictEqual([ids[0], ids[0], ids[1]]);
			expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual(
				[0, 1, 2].map((item) => ({ item })),
			);
		},
	);

	it('because another item of the run creates it, the second fails if I say so', async () => {
		const { json, errorItems } = await importTwins('fail', 'continueErrorOutput');
		expect(json.map(({ name }) => name)).toStrictEqual(['New', 'Other']);
		expect(errorItems.map(({ json: { code, mayExist } }) => [code, mayExist])).toStrictEqual([
			['nameExists', false],
		]);
		expect(namesOfAssets()).toStrictEqual(['New', 'Other']);
	});

	it.each(['return', 'fail'])(
		'because another item would have created it, but failed, this one is created (%s)',
		async (choice) => {
			studio.service.injectFault({ status: 422, times: 1, when: { method: 'POST' } });
			const { json, errorItems } = await importTwins(choice, 'continueErrorOutput');
			expect(json.map(({ name }) => name)).toStrictEqual([' new', 'Other']);
			expect(errorItems.map(({ pairedItem }) => pairedItem)).toStrictEqual([{ item: 0 }]);
			expect(namesOfAssets().sort()).toStrictEqual([' new', 'Other']);
		},
	);

	it('because another item may have created it, nothing is created again', async () => {
		loseResponse();
		const { json, errorItems } = await importTwins('return', 'continueErrorOutput');
		expect(json.map(({ name }) => name)).toStrictEqual(['Other']);
		expect(errorItems.map(({ json: { mayExist } }) => mayExist)).toStrictEqual([true, true]);
		expect(namesOfAssets().sort()).toStrictEqual(['New', 'Other']);
	});

	it('because an earlier batch may have created it, the list is read again', async () => {
		loseResponse();
		const requestOptions = { batching: { batch: { batchSize: 1, batchInterval: 500 } } };
		const { json } = await studio.run(
			importAsset({
				fileUrl: fileUrl(),
				name: '={{ $json.name }}',
				options: { ifNameExists: 'return' },
				requestOptions,
			}),
			{ items: twins, settings: { onError: 'continueErrorOutput' } },
		);
		expect(json.map(({ name }) => name)).toStrictEqual(['New', 'Other']);
		expect(namesOfAssets().sort()).toStrictEqual(['New', 'Other']);
	});

	it('a run that stops at the first error sends no second request for the name', async () => {
		studio.service.injectFault({ status: 422, times: 1, when: { method: 'POST' } });
		const error = await getError(importTwins('return', 'stopWorkflow'));
		expect(error).toBeDefined();
		expect(namesOfAssets()).not.toContain(' new');
	});

	it('two items share what Retry On Fail created in the end', async () => {
		studio.service.injectFault({
			when: { method: 'POST' },
			disconnect: 'beforeResponse',
			times: 1,
		});
		const options = { ifNameExists: 'return', retryUnknownOutcome: true };
		const { json } = await studio.run(
			importAsset({ fileUrl: fileUrl(), name: '={{ $json.name }}', options }),
			{ items: twins, settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } },
		);
		expect(json).toHaveLength(3);
		expect(namesOfAssets().sort()).toStrictEqual(['New', 'Other']);
	});

	it('nothing is created if the list shows no names', async () => {
		const assets = studio.service.assets.map(({ id }) => ({ id }));
		studio.service.injectFault({ body: { assets }, when: { path: '/v1/assets' } });
		const error = await getError(importNamed('New', 'return'));
		expect(error.message).toBe('The service lists assets without their names');
		expect(creations()).toStrictEqual([]);
	});

	it('a choice that does not exist is an error, and nothing is sent', async () => {
		const error = await getError(importNamed('Chime', '={{ "skip" }}'));
		expect(error.message).toBe('If Name Exists is not one of its options');
		expect(studio.getRoutes()).toStrictEqual([]);
	});
});

test("A file that the service cannot fetch is an error with the service's message", async () => {
	const error = await getError(
		studio.run(importAsset({ fileUrl: `${studio.service.filesUrl}/nowhere.png` })),
	);
	expect(getErrorText(error)).toContain('fileUrl responded with status 403');
	expect(studio.service.assets).toHaveLength(5);
});

test.each([
	['with whitespace around it', ' https://a.example/b.png\n', 'https://a.example/b.png'],
	[
		'with a non-ASCII query',
		'https://a.example/?für=日🎬',
		'https://a.example/?f%C3%BCr=%E6%97%A5%F0%9F%8E%AC',
	],
	['that is encoded', 'https://a.example/?a=%20b%2Fc&d=%25', 'https://a.example/?a=%20b%2Fc&d=%25'],
	['that is partly encoded', 'https://a.example/?a=%2F&für', 'https://a.example/?a=%2F&f%C3%BCr'],
	['with a hash', 'https://a.example/?a=1#t=10', 'https://a.example/?a=1#t=10'],
	[
		'with a non-ASCII host',
		'https://münchen.example/größe',
		'https://xn--mnchen-3ya.example/gr%C3%B6%C3%9Fe',
	],
])('A file URL %s is sent as a valid URL', async (_how, url, sent) => {
	studio.service.injectFault({ body: {} });
	await studio.run(importAsset({ fileUrl: url }));
	expect(getOnlyRequest(studio).body).toMatchObject({ fileUrl: sent });
});

test('An empty Type from an expression is an error, and nothing is sent', async () => {
	const parameters = importAsset({ fileUrl: fileUrl(), type: '={{ $json.type }}' });
	const error = await getError(studio.run(parameters, { items: [{ json: { type: '' } }] }));
	expect(error.message).toBe('Type is empty because its expression returned nothing');
	expect(studio.getRoutes()).toStrictEqual([]);
});
