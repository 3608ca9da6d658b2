import { searchList } from '../support/engine/engine';
import { useStudio } from '../support/studio';
import { getIds } from '../support/trigger';

const studio = useStudio();

const searchAssets = async (text?: string, token?: string) =>
	await searchList('searchAssets', studio.credentials, { text, paginationToken: token });

test('The list shows each asset by name and type, with its ID as the value', async () => {
	const names = ['Avatar portrait · png', 'Calm backdrop · svg', 'Greeting · mp4'];
	const { results, paginationToken } = await searchAssets();
	expect(results.slice(0, 3).map(({ name }) => name)).toStrictEqual(names);
	expect(results.map(({ value }) => value)).toStrictEqual(getIds(studio.service.assets));
	expect(paginationToken).toBeUndefined();
});

test.each([
	[' avat por ', ['Avatar portrait · png']],
	['PNG avatar', ['Avatar portrait · png']],
	['.wav', ['Chime · wav', 'Short melody · wav']],
	['zebra', []],
])('I find by "%s", words in any order and case: %j', async (text, found) => {
	const { results } = await searchAssets(text);
	expect(results.map(({ name }) => name)).toStrictEqual(found);
});

test('I find an asset by its ID', async () => {
	const { id } = studio.service.addAssets(130)[117]!;
	const { results } = await searchAssets(id.toUpperCase());
	expect(results).toStrictEqual([{ name: 'Asset 00118 · png', value: id }]);
});

const parts = ['GRÖ', 'مرح', '写真', 'urlaub', '🎬', 'c++ sommer', "l'ete"];

test.each(parts)('I find an asset by %j, which may be anywhere in its name', async (text) => {
	const [asset] = studio.service.addAssets(2);
	asset!.name = '春の写真 🎬 Sommerurlaub (C++) Größe مرحبا L’été';
	const { results } = await searchAssets(text);
	expect(results.map(({ value }) => value)).toStrictEqual([asset!.id]);
});

test('I scroll through many assets, 50 at a time, and see each once', async () => {
	studio.service.configure({ pagination: { maxPageSize: 50 } });
	studio.service.addAssets(95);
	const first = await searchAssets();
	const second = await searchAssets('', first.paginationToken);
	const results = [...first.results, ...second.results];
	expect(first.results).toHaveLength(50);
	expect(results.map(({ value }) => value)).toStrictEqual(getIds(studio.service.assets));
	expect(second.paginationToken).toBeUndefined();
});

test('Assets show what is listed of them, or their ID, and none is offered that n8n would evaluate', async () => {
	const assets = [
		{ id: '1', type: 'Music' },
		{ id: 'one', name: 'Intro' },
		{ id: 'two', name: 'intro' },
		{ id: 'three', name: '={{ $json }}' },
		{ id: '={{ $json }}', name: 'Outro' },
		{ name: 'Nobody' },
		'text',
		{ id: 4 },
	];
	studio.service.injectFault({ body: { assets } });
	expect((await searchAssets()).results).toStrictEqual([
		{ name: '1 · Music', value: '1' },
		{ name: 'Intro (one)', value: 'one' },
		{ name: 'intro (two)', value: 'two' },
		{ name: '{{ $json }}', value: 'three' },
		{ name: '4', value: '4' },
	]);
});
