import type { Asset, RecordedRequest } from '../../../service/service';
import { getError } from '../../support/engine/engine';
import { getAssets, SOME_ID } from '../../support/parameters';
import { drainInFlight, getApiRequests } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

/** The raw queries that reached the API, in any order: pages are requested in parallel. */
const queries = () =>
	getApiRequests(studio)
		.map(({ url }) => url.replace('/v1/assets?', ''))
		.sort();

test('I get as many assets as my limit says, one item each, with one request', async () => {
	const { json } = await studio.run(getAssets({ limit: 3 }));
	expect(json).toMatchObject(
		studio.service.assets.slice(0, 3).map(({ id, name }) => ({ id, name })),
	);
	expect(queries()).toStrictEqual(['Page=0&PageSize=3']);
});

test('I get 50 assets by default', async () => {
	studio.service.addAssets(60);
	const { json } = await studio.run(getAssets());
	expect(json).toHaveLength(50);
	expect(queries()).toStrictEqual(['Page=0&PageSize=50']);
});

test.each([
	['auto', ['Page=0', 'Page=0', 'Page=1']],
	['1', ['Page=1']],
])(
	'An empty account is asked for both first pages unless I set one (%s)',
	async (firstPage, pages) => {
		studio.service.assets = [];
		const { json } = await studio.run(getAssets({ options: { firstPage } }));
		expect(json).toStrictEqual([]);
		expect(queries()).toStrictEqual(pages.map((page) => `${page}&PageSize=50`));
	},
);

test.each([true, '={{ true }}'])(
	'A limit that I left there does no harm with Return All (%s)',
	async (returnAll) => {
		const { json } = await studio.run(getAssets({ returnAll, limit: 0 }));
		expect(json).toHaveLength(5);
	},
);

test('My limit applies if an expression leaves Return All empty', async () => {
	const { json } = await studio.run(getAssets({ returnAll: '={{ $json.missing }}', limit: 2 }));
	expect(json).toHaveLength(2);
});

test('Expressions for Limit, Page Size and First Page may return text or a number', async () => {
	const { json } = await studio.run(
		getAssets({
			returnAll: '={{ $json.all }}',
			limit: '={{ $json.limit }}',
			options: { pageSize: '={{ $json.size }}', firstPage: '={{ $json.first }}' },
		}),
		{ items: [{ json: { all: 'false', limit: '3', size: '2', first: 1 } }] },
	);
	expect(json).toHaveLength(3);
	expect(queries()).toStrictEqual(['Page=1&PageSize=2', 'Page=2&PageSize=2']);
});

test('A list with only IDs and names is passed on unchanged', async () => {
	studio.service.configure({ listedAssetFields: 'minimal' });
	const { json } = await studio.run(getAssets({ limit: 1 }));
	expect(json).toStrictEqual([{ id: studio.service.assets[0]!.id, name: 'Avatar portrait' }]);
});

describe('with filters', () => {
	const names = async (filters: object, more = {}) =>
		(await studio.run(getAssets({ returnAll: true, filters: filters as never, ...more }))).json.map(
			({ name }) => name,
		);

	it('I get the assets of the types I choose', async () => {
		expect(await names({ kinds: ['image'] })).toStrictEqual(['Avatar portrait', 'Calm backdrop']);
	});

	it('types from an expression match in any spelling', async () => {
		expect(await names({ kinds: [' Image'] })).toStrictEqual(['Avatar portrait', 'Calm backdrop']);
	});

	it.each([['picture'], [''], [42], [null]])('an unknown type is refused: %j', async (type) => {
		const error = await getError(
			studio.run(getAssets({ filters: { kinds: ['image', type] as never } })),
		);

		expect(error.message).toBe('Types must be a list of audio, image, music, video');
		expect(studio.service.requests).toEqual([]);
	});

	it('I get the assets whose name contains a text, not case-sensitive', async () => {
		expect(await names({ nameContains: ' PORTRAIT ' })).toStrictEqual(['Avatar portrait']);
	});

	it('a text and a name match if their accents are composed differently', async () => {
		studio.service.assets.push({ ...studio.service.assets[0]!, id: 'last', name: 'Cafe\u0301' });
		expect(await names({ nameContains: 'caf\u00e9' })).toStrictEqual(['Cafe\u0301']);
	});

	it.each([
		['får', ['får']],
		['ARRE\u0301', []],
		['far', ['får', 'far']],
		['мои', ['мои']],
		['мой', ['мой']],
	])(
		'the text %j, which may leave accents out but no other letter, finds %j',
		async (nameContains, found) => {
			const [stock] = studio.service.assets;
			studio.service.assets = ['får', 'far', 'мой', 'мои', 'arrè'].map((name) => ({
				...stock!,
				id: name,
				name,
			}));
			expect(await names({ nameContains })).toStrictEqual(found);
		},
	);

	it('my limit counts the matches across all pages', async () => {
		studio.service.addAssets(250);
		studio.service.assets.push({ ...studio.service.assets[0]!, id: 'last', name: 'Last portrait' });
		const portraits = { kinds: ['image'], nameContains: 'portrait' };
		const more = { returnAll: false, limit: 2 };
		expect(await names(portraits, more)).toStrictEqual(['Avatar portrait', 'Last portrait']);
		await studio.service.waitUntilIdle();
	});

	it('no further asset is requested on its own after one failed', async () => {
		studio.service.configure({ listedAssetFields: 'minimal' });
		studio.service.addAssets(95);
		const [first] = studio.service.assets;
		studio.service.injectFault({ when: { path: `/v1/assets/${first!.id}` }, status: 403 });
		studio.service.injectFault({ when: { path: /^\/v1\/assets\/./ }, latencyMs: 50 });
		const { errorItems } = await studio.run(getAssets({ filters: { kinds: ['image'] } }), {
			settings: { onError: 'continueErrorOutput' },
		});
		expect(errorItems).toMatchObject([{ json: { httpCode: 403 } }]);
		for (let round = 0; round < 30; round++) await drainInFlight(studio);
		const requested = studio.getRoutes().filter((route) => route.startsWith('GET /v1/assets/'));
		expect(requested.length).toBeLessThan(100);
	});

	it('an asset without a type in the list is requested on its own', async () => {
		studio.service.configure({ listedAssetFields: 'minimal' });
		expect(await names({ kinds: ['image'] })).toContain('Avatar portrait');
		expect(studio.getRoutes()).toContain(`GET /v1/assets/${studio.service.assets[0]!.id}`);
	});

	it('an asset that was deleted since it was listed is left out', async () => {
		studio.service.configure({ listedAssetFields: 'minimal' });
		const [, { id }] = studio.service.assets as [Asset, Asset];
		studio.service.injectFault({ when: { path: `/v1/assets/${id}` }, status: 404 });
		expect(await names({ kinds: ['audio', 'image', 'video'] })).not.toContain('Calm backdrop');
	});

	it('assets without details are left out, and each is asked for once', async () => {
		studio.service.configure({ listedAssetFields: 'minimal' });
		studio.service.addAssets(20);
		const isDetail = ({ path }: RecordedRequest) => path.startsWith('/v1/assets/');
		studio.service.injectFault({ when: isDetail, status: 404 });
		expect(await names({ kinds: ['image'] })).toEqual([]);
		const details = studio.getRoutes().filter((route) => route.startsWith('GET /v1/assets/'));
		expect(details).toHaveLength(25);
		expect(studio.getRoutes()).not.toContain('GET /v1/voices');
	});

	it('an asset without a name in the list is requested on its own', async () => {
		const [{ id }, other] = studio.service.assets as [Asset, Asset];
		studio.service.injectFault({
			when: { path: '/v1/assets' },
			body: {
				assets: [
					{ id, extension: '.png' },
					{ id: other.id, extension: '.mp3' },
				],
			},
		});
		expect(await names({ kinds: ['image'], nameContains: 'portrait' })).toStrictEqual([
			'Avatar portrait',
		]);
		expect(await names({ nameContains: 'nothing' })).toStrictEqual([]);
		expect(studio.getRoutes().filter((route) => route.endsWith(other.id))).toHaveLength(1);
	});

	const listed = (...assets: object[]) =>
		studio.service.injectFault({
			when: { path: '/v1/assets' },
			body: { assets: assets.map((asset, index) => ({ id: `${index}`, ...asset })) },
		});

	it.each([
		['audio', '.wma .aiff .amr .oga .weba'],
		['image', '.heic .HEIF .avif .bmp .tif .tiff .jfif'],
		['video', '.avi .mkv .m4v .wmv .mpg .3gp'],
	])('I get files of type %s with the extensions %s', async (kind, extensions) => {
		const all = extensions.split(' ');
		listed({ name: 'text', extension: '.txt' }, ...all.map((name) => ({ name, extension: name })));
		expect(await names({ kinds: [kind] })).toStrictEqual(all);
	});

	it('the stated type decides, else an mp3 may be music', async () => {
		const types = { A: 'Music', B: 'Audio', C: ' MUSIC', D: null, E: '' };
		listed(...Object.entries(types).map(([name, type]) => ({ name, type, extension: '.mp3' })));
		expect(await names({ kinds: ['music'] })).toStrictEqual(['A', 'C', 'D', 'E']);
	});

	it.each(['Assets', 'Images', 'image/png', ' IMAGE '])(
		'a .png of the type %j is an image and not audio',
		async (type) => {
			listed({ name: 'A', type, extension: '.png' });
			expect(await names({ kinds: ['image'] })).toStrictEqual(['A']);
			expect(await names({ kinds: ['audio'] })).toStrictEqual([]);
		},
	);

	it.each([
		['whose type stays unknown is passed on rather than hidden', { extension: '.' }, ['A']],
		['of the type of all assets is so too', { type: 'Assets', extension: '' }, ['A']],
		['with the extension of no media file is no media file', { extension: '.blend' }, []],
		['of a type that nobody knows is so too', { type: 'Photo', extension: '' }, ['A']],
	])('an asset %s', async (_what, asset, found) => {
		// The list and the details say the same.
		const body = { id: SOME_ID, name: 'A', ...asset };
		studio.service.injectFault({ when: { path: `/v1/assets/${SOME_ID}` }, body });
		listed(body);
		expect(await names({ kinds: ['image'] })).toStrictEqual(found);
	});

	it('an asset of which only the list states another type is what its details say', async () => {
		listed({ id: SOME_ID, name: 'A', type: 'File', extension: null });
		studio.service.injectFault({
			when: { path: `/v1/assets/${SOME_ID}` },
			body: { id: SOME_ID, extension: '.png' },
		});
		expect(await names({ kinds: ['image'] })).toStrictEqual(['A']);
		expect(await names({ kinds: ['video'] })).toStrictEqual([]);
	});
});
