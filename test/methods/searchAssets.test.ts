import { searchList } from '../support/engine/engine';
import { useStudio } from '../support/studio';

const studio = useStudio();

const searchAssets = async (text?: string, token?: string) =>
	await searchList('searchAssets', studio.credentials, text, token);

/** All that the list shows to a user who scrolls to its end, page by page. */
async function scrolled(text?: string) {
	const pages = [];
	for (let token: string | undefined, first = true; first || token; first = false) {
		const { results, paginationToken } = await searchAssets(text, token);
		pages.push(results);
		token = paginationToken;
	}
	return pages;
}

test('The list shows each asset by name and type, with its ID as the value', async () => {
	const { results, paginationToken } = await searchAssets();
	expect(results).toStrictEqual([
		{ name: 'Avatar portrait · png', value: studio.service.assets[0]!.id },
		{ name: 'Calm backdrop · svg', value: studio.service.assets[1]!.id },
		{ name: 'Greeting · mp4', value: studio.service.assets[2]!.id },
		{ name: 'Chime · wav', value: studio.service.assets[3]!.id },
		{ name: 'Short melody · wav', value: studio.service.assets[4]!.id },
	]);
	expect(paginationToken).toBeUndefined();
	expect(studio.service.requests[0]).toMatchObject({
		method: 'GET',
		url: '/v1/assets?Page=0&PageSize=100',
		headers: { 'x-api-key': studio.service.apiKey, accept: 'application/json' },
	});
});

test.each(['portrait avatar', 'AVATAR', ' avat por ', 'avatar png'])(
	'I find an asset by "%s": words in any order, not case-sensitive',
	async (text) => {
		const { results } = await searchAssets(text);
		expect(results.map(({ name }) => name)).toStrictEqual(['Avatar portrait · png']);
	},
);

test.each(['wav', '.wav'])('I find assets by their extension (%s)', async (text) => {
	const { results } = await searchAssets(text);
	expect(results.map(({ name }) => name)).toStrictEqual(['Chime · wav', 'Short melody · wav']);
});

test('I find an asset by its ID', async () => {
	const asset = studio.service.addAssets(130)[117]!;
	const { results } = await searchAssets(asset.id);
	expect(results).toStrictEqual([{ name: 'Asset 00118 · png', value: asset.id }]);
	expect((await searchAssets(asset.id.toUpperCase())).results).toStrictEqual(results);
});

test('I find an asset with non-ASCII letters in its name', async () => {
	studio.service.addAssets(1)[0]!.name = 'Größe 日本語 مرحبا';
	for (const text of ['größe', 'GRÖ', '日本', 'مرح']) {
		expect((await searchAssets(text)).results).toHaveLength(1);
	}
});

test.each(['写真', '春の', 'urlaub', '🎬', 'c++ sommer'])(
	'I find an asset by %j: its letters may be anywhere in the name',
	async (text) => {
		studio.service.addAssets(2)[0]!.name = '春の写真 🎬 Sommerurlaub (C++)';
		const { results } = await searchAssets(text);
		expect(results.map(({ value }) => value)).toStrictEqual([studio.service.assets[5]!.id]);
	},
);

test('A search without a match shows nothing', async () => {
	expect(await searchAssets('zebra')).toStrictEqual({ results: [], paginationToken: undefined });
});

test('I scroll through many assets, 50 at a time, and see each once', async () => {
	studio.service.addAssets(123);
	const pages = await scrolled();
	expect(pages.map(({ length }) => length)).toStrictEqual([50, 50, 28]);
	expect(pages.flat().map(({ value }) => value)).toStrictEqual(
		studio.service.assets.map(({ id }) => id),
	);
});

test('I scroll through the results of a search', async () => {
	studio.service.addAssets(123);
	const pages = await scrolled('asset png');
	expect(pages.map(({ length }) => length)).toStrictEqual([50, 50, 23]);
	expect(new Set(pages.flat().map(({ value }) => value)).size).toBe(123);
});

test('A list that fits on one page requests no further page', async () => {
	studio.service.addAssets(45);
	const pages = await scrolled();
	expect(pages.map(({ length }) => length)).toStrictEqual([50]);
});

test('I see every asset if the service caps the page size', async () => {
	studio.service.addAssets(123);
	studio.service.configure({ pagination: { firstPage: 0, maxPageSize: 20 } });
	const pages = await scrolled();
	expect(new Set(pages.flat().map(({ value }) => value)).size).toBe(128);
});

test('Assets that are listed with only ID and name are shown by name', async () => {
	studio.service.configure({ listedAssetFields: 'minimal' });
	const { results } = await searchAssets('chime');
	expect(results).toStrictEqual([{ name: 'Chime', value: studio.service.assets[3]!.id }]);
});

test('An asset without a name is shown by its ID', async () => {
	studio.service.injectFault({ body: { assets: [{ id: 'one', type: 'Music' }, { id: 'two' }] } });
	expect((await searchAssets()).results).toStrictEqual([
		{ name: 'one · Music', value: 'one' },
		{ name: 'two', value: 'two' },
	]);
});

test('Assets with the same label show their ID, and none is offered that n8n would evaluate', async () => {
	const assets = [
		{ id: 'one', name: 'Intro' },
		{ id: 'two', name: 'intro ' },
		{ id: 'three', name: '={{ $json }}' },
		{ id: '={{ $json }}', name: 'Outro' },
		{ id: 4, name: 'Café' },
	];
	studio.service.injectFault({ body: { assets } });
	expect((await searchAssets()).results).toStrictEqual([
		{ name: 'Intro (one)', value: 'one' },
		{ name: 'intro  (two)', value: 'two' },
		{ name: '{{ $json }}', value: 'three' },
		{ name: 'Café', value: '4' },
	]);
	expect((await searchAssets('cafe')).results).toHaveLength(1);
});

test('Assets whose names look alike show their ID, and long names are cut', async () => {
	const names = [
		'Logo',
		'Lo\u200bgo',
		'Logo\u2060',
		'\u202egnp.exe',
		'👩\u200d💻',
		'❤\ufe0f',
		'می\u200cخواهم',
	];
	const assets = [...names, 'x'.repeat(300_000)].map((name, id) => ({ id, name }));
	studio.service.injectFault({ body: { assets } });
	expect((await searchAssets()).results.map(({ name }) => name)).toStrictEqual([
		...['Logo (0)', 'Logo (1)', 'Logo (2)', 'gnp.exe'],
		...names.slice(4),
		`${'x'.repeat(100)}…`,
	]);
	expect((await searchAssets('logo')).results).toHaveLength(3);
});

test('Entries without an ID cannot be selected', async () => {
	studio.service.injectFault({ body: { assets: [{ name: 'Nobody' }, 'text', { id: 'one' }] } });
	expect((await searchAssets()).results).toStrictEqual([{ name: 'one', value: 'one' }]);
});

test('The list shows that the response is a web page', async () => {
	studio.service.injectFault({ body: '<p>Hi</p>', headers: { 'content-type': 'text/html' } });
	await expect(searchAssets()).rejects.toThrow('The response is a web page');
});
