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

test.each([
	['PORTRAIT avatar', ['Avatar portrait · png']],
	[' avat por ', ['Avatar portrait · png']],
	['avatar png', ['Avatar portrait · png']],
	['.wav', ['Chime · wav', 'Short melody · wav']],
	['zebra', []],
])('I find by "%s", words in any order and case: %j', async (text, found) => {
	const { results, paginationToken } = await searchAssets(text);
	expect(results.map(({ name }) => name)).toStrictEqual(found);
	expect(paginationToken).toBeUndefined();
});

test('I find an asset by its ID', async () => {
	const asset = studio.service.addAssets(130)[117]!;
	const { results } = await searchAssets(asset.id);
	expect(results).toStrictEqual([{ name: 'Asset 00118 · png', value: asset.id }]);
	expect((await searchAssets(asset.id.toUpperCase())).results).toStrictEqual(results);
});

test.each(['GRÖ', 'مرح', '写真', 'urlaub', '🎬', 'c++ sommer'])(
	'I find an asset by %j: its letters may be anywhere in the name',
	async (text) => {
		studio.service.addAssets(2)[0]!.name = '春の写真 🎬 Sommerurlaub (C++) Größe مرحبا';
		const { results } = await searchAssets(text);
		expect(results.map(({ value }) => value)).toStrictEqual([studio.service.assets[5]!.id]);
	},
);

test.each([100, 50])(
	'I scroll through many assets, 50 at a time, and see each once (at most %i per page)',
	async (maxPageSize) => {
		studio.service.configure({ pagination: { maxPageSize } });
		studio.service.addAssets(95);
		const pages = await scrolled();
		expect(pages.map(({ length }) => length)).toStrictEqual([50, 50]);
		expect(pages.flat().map(({ value }) => value)).toStrictEqual(
			studio.service.assets.map(({ id }) => id),
		);
	},
);

test('Assets show what is listed of them, or their ID, and none is offered that n8n would evaluate', async () => {
	const assets = [
		{ id: '1', type: 'Music' },
		{ id: '2' },
		{ id: 'one', name: 'Intro' },
		{ id: 'two', name: 'intro ' },
		{ id: 'three', name: '={{ $json }}' },
		{ id: '={{ $json }}', name: 'Outro' },
		{ name: 'Nobody' },
		'text',
		{ id: 4, name: 'Café' },
	];
	studio.service.injectFault({ body: { assets } });
	expect((await searchAssets()).results).toStrictEqual([
		{ name: '1 · Music', value: '1' },
		{ name: '2', value: '2' },
		{ name: 'Intro (one)', value: 'one' },
		{ name: 'intro  (two)', value: 'two' },
		{ name: '{{ $json }}', value: 'three' },
		{ name: 'Café', value: '4' },
	]);
	expect((await searchAssets('cafe')).results).toHaveLength(1);
});
