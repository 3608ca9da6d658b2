import { getAssets, SOME_ID } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

const options = { pageSize: '={{ "2" }}', firstPage: '={{ 1 }}' };
const byExpressions = { returnAll: '={{ "false" }}', limit: '={{ "3" }}', options };

test.each([
	['as many as my limit says, with one request', { limit: 3 }, 3, ['Page=0&PageSize=3']],
	['50 by default', {}, 50, ['Page=0&PageSize=50']],
	['pages by expressions', byExpressions, 3, ['Page=1&PageSize=2', 'Page=2&PageSize=2']],
])('Of many assets I get %s', async (_which, parameters, count, queries) => {
	studio.service.addAssets(60);
	const { json } = await studio.run(getAssets(parameters));
	expect(json).toHaveLength(count);
	const sent = studio.apiRequests.map(({ url }) => url.replace('/v1/assets?', ''));
	expect(sent.sort()).toStrictEqual(queries);
});

test('A limit that I left there does no harm with Return All', async () => {
	const { json } = await studio.run(getAssets({ returnAll: true, limit: 0 }));
	expect(json).toHaveLength(5);
});

describe('With filters', () => {
	const getNames = async (filters: object, more = {}) => {
		const parameters = getAssets({ returnAll: true, filters: filters as never, ...more });
		return (await studio.run(parameters)).json.map(({ name }) => name);
	};
	const list = (...assets: object[]) =>
		studio.service.injectFault({
			when: { path: '/v1/assets' },
			body: { assets: assets.map((asset, index) => ({ id: `${index}`, ...asset })) },
		});

	it('my limit counts the matches across all pages', async () => {
		studio.service.addAssets(250);
		studio.service.assets.push({ ...studio.service.assets[0]!, id: 'last', name: 'Last portrait' });
		const portraits = { kinds: ['image'], nameContains: ' PORTRAIT ' };
		const found = await getNames(portraits, { returnAll: false, limit: 2 });
		expect(found).toStrictEqual(['Avatar portrait', 'Last portrait']);
		await studio.service.waitUntilIdle();
	});

	it.each([
		['far', ['får', 'far']],
		['FÅR', ['får']],
		['мои', ['мои']],
		["l'été - 1", ['L’été – 1']],
	])('the text %j, which may leave accents out, finds %j', async (nameContains, found) => {
		const names = ['får', 'far', 'мой', 'мои', 'L’été – 1'];
		list(...names.map((name) => ({ name })));
		expect(await getNames({ nameContains })).toStrictEqual(found);
	});

	it.each([
		['music', { type: ' MUSIC', extension: '.mp3' }, ['A']],
		['music', { type: 'Audio', extension: '.mp3' }, []],
		['music', { type: null, extension: '.mp3' }, ['A']],
		['image', { type: 'Assets', extension: '.png' }, ['A']],
		['image', { type: 'image/png', extension: '' }, ['A']],
		['audio', { type: 'Images', extension: '.png' }, []],
		['audio', { extension: '.wma' }, ['A']],
		['image', { extension: '.HEIC' }, ['A']],
		['video', { extension: '.mkv' }, ['A']],
		['video', { extension: '.blend' }, []],
		// Rather shown than hidden.
		['image', { type: 'Photo', extension: '.' }, ['A']],
	])('for the type %s, an asset %j brings %j', async (kind, asset, found) => {
		// The list and the details say the same.
		const body = { id: SOME_ID, name: 'A', ...asset };
		studio.service.injectFault({ when: { path: `/v1/assets/${SOME_ID}` }, body });
		list(body);
		expect(await getNames({ kinds: [kind] })).toStrictEqual(found);
	});

	it('an asset without a name in the list is requested on its own', async () => {
		list(...studio.service.assets.map(({ id }) => ({ id })));
		expect(await getNames({ nameContains: 'portrait' })).toStrictEqual(['Avatar portrait']);
	});

	describe('an asset without a type in the list', () => {
		beforeEach(() => studio.service.configure({ listedAssetFields: 'minimal' }));
		/** Lets every request for the second asset fail, a picture. */
		const refuse = (status: number) => {
			const path = `/v1/assets/${studio.service.assets[1]!.id}`;
			studio.service.injectFault({ when: { path }, status });
		};

		it('is requested on its own', async () => {
			const found = await getNames({ kinds: ['image'] });
			expect(found).toStrictEqual(['Avatar portrait', 'Calm backdrop']);
			expect(studio.getRoutes()).toContain(`GET /v1/assets/${studio.service.assets[0]!.id}`);
		});

		it('is left out if it was deleted since it was listed', async () => {
			refuse(404);
			expect(await getNames({ kinds: ['image'] })).toStrictEqual(['Avatar portrait']);
		});

		it('is an error if it may not be read', async () => {
			refuse(403);
			await expect(getNames({ kinds: ['image'] })).rejects.toThrow('not allowed');
		});
	});
});
