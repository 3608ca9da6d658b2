import type { Asset } from '../../../service/service';
import { getError } from '../../support/engine/engine';
import { getAssets, SOME_ID } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

/** The raw queries that reached the API, in any order: pages are requested in parallel. */
const queries = () => studio.apiRequests.map(({ url }) => url.replace('/v1/assets?', '')).sort();

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

test.each([true, '={{ true }}'])(
	'A limit that I left there does no harm with Return All (%s)',
	async (returnAll) => {
		const { json } = await studio.run(getAssets({ returnAll, limit: 0 }));
		expect(json).toHaveLength(5);
	},
);

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

	it('an asset that may not be read is an error', async () => {
		studio.service.configure({ listedAssetFields: 'minimal' });
		const [, { id }] = studio.service.assets as [Asset, Asset];
		studio.service.injectFault({ when: { path: `/v1/assets/${id}` }, status: 403 });
		await expect(names({ kinds: ['image'] })).rejects.toThrow('not allowed');
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
});
