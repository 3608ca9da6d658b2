import { getError, getErrorText, isVersion1, readFile } from '../../support/engine/engine';
import { downloadAsset, SOME_ID } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

const filesRequest = () => studio.service.requests.find(({ host }) => host === 'files')!;

test('I get the file of an asset along with its details', async () => {
	const [asset] = studio.service.assets;
	const { json, items } = await studio.run(downloadAsset(asset!.id));
	expect(json).toStrictEqual([
		{
			id: asset!.id,
			name: 'Avatar portrait',
			url: expect.stringContaining(studio.service.filesUrl),
			originalFileUrl: null,
			extension: '.png',
		},
	]);
	expect(items[0]!.pairedItem).toStrictEqual({ item: 0 });
	expect(Object.keys(items[0]!.binary!)).toStrictEqual(['data']);
	expect(items[0]!.binary!.data).toMatchObject({
		fileName: 'Avatar portrait.png',
		fileExtension: 'png',
		mimeType: 'image/png',
		...(isVersion1 ? {} : { bytes: asset!.content!.length }),
	});
	expect((await readFile(items[0])).equals(asset!.content!)).toBe(true);
});

test('The key is sent to the service and not to the files host', async () => {
	const [asset] = studio.service.assets;
	const { json } = await studio.run(downloadAsset(asset!.id));
	expect(getOnlyRequest(studio)).toMatchObject({
		method: 'GET',
		url: `/v1/assets/${asset!.id}`,
		headers: { 'x-api-key': studio.service.apiKey, accept: 'application/json' },
	});
	expect(studio.service.requests).toHaveLength(2);
	expect(studio.service.filesUrl + filesRequest().url).toBe(json[0]!.url);
	expect(filesRequest()).toMatchObject({ method: 'GET', rawBody: '', headers: { accept: '*/*' } });
	expect(JSON.stringify(filesRequest().rawHeaders)).not.toContain(studio.service.apiKey);
});

test('I choose the output field of the file', async () => {
	const [asset] = studio.service.assets;
	const { items } = await studio.run(downloadAsset(asset!.id, { binaryPropertyName: 'portrait' }));
	expect(Object.keys(items[0]!.binary!)).toStrictEqual(['portrait']);
	expect((await readFile(items[0], 'portrait')).equals(asset!.content!)).toBe(true);
});

test('Each item can have its own output field', async () => {
	const [one, other] = studio.service.assets;
	const { items } = await studio.run(
		downloadAsset('={{ $json.id }}', { binaryPropertyName: '={{ $json.field }}' }),
		{
			items: [
				{ json: { id: one!.id, field: 'first' } },
				{ json: { id: other!.id, field: 'second' } },
			],
		},
	);
	expect(items.map(({ binary }) => Object.keys(binary!))).toStrictEqual([['first'], ['second']]);
	expect(items.map(({ pairedItem }) => pairedItem)).toStrictEqual([{ item: 0 }, { item: 1 }]);
	expect((await readFile(items[1], 'second')).equals(other!.content!)).toBe(true);
});

test.each([
	['Greeting', 'Greeting.mp4', 'video/mp4', 'mp4'],
	['Chime', 'Chime.wav', 'audio/wav', 'wav'],
	['Calm backdrop', 'Calm backdrop.svg', 'image/svg+xml', 'svg'],
])('%s is downloaded as %s of type %s', async (name, fileName, mimeType, fileExtension) => {
	const asset = studio.service.assets.find((candidate) => candidate.name === name)!;
	const { items } = await studio.run(downloadAsset(asset.id));
	expect(items[0]!.binary!.data).toMatchObject({ fileName, mimeType, fileExtension });
	expect((await readFile(items[0])).equals(asset.content!)).toBe(true);
});

test('A file is named after the asset if the host sends no name', async () => {
	const [asset] = studio.service.assets;
	asset!.fileHeaders = { 'content-disposition': null };
	const { items } = await studio.run(downloadAsset(asset!.id));
	expect(items[0]!.binary!.data).toMatchObject({
		fileName: 'Avatar portrait.png',
		mimeType: 'image/png',
	});
});

test('A file without a content type gets the type of its extension', async () => {
	const [asset] = studio.service.assets;
	asset!.fileHeaders = { 'content-disposition': null, 'content-type': null };
	const { items } = await studio.run(downloadAsset(asset!.id));
	expect(items[0]!.binary!.data).toMatchObject({
		fileName: 'Avatar portrait.png',
		fileExtension: 'png',
		mimeType: 'image/png',
	});
	expect((await readFile(items[0])).equals(asset!.content!)).toBe(true);
});

test('Header names are not case-sensitive', async () => {
	const [asset] = studio.service.assets;
	asset!.fileHeaders = {
		'content-type': null,
		'content-disposition': null,
		'CONTENT-TYPE': 'Image/WebP; q=1',
		'Content-DISPOSITION': 'attachment; FileName="shouted.webp"',
	};
	const { items } = await studio.run(downloadAsset(asset!.id));
	expect(items[0]!.binary!.data).toMatchObject({
		fileName: 'shouted.webp',
		mimeType: 'image/webp',
	});
});

test('A non-ASCII name is kept', async () => {
	const [asset] = studio.service.assets;
	asset!.name = 'Größe 日本語 مرحبا 🎬';
	const { json, items } = await studio.run(downloadAsset(asset!.id));
	expect(json[0]!.name).toBe('Größe 日本語 مرحبا 🎬');
	expect(items[0]!.binary!.data!.fileName).toBe('Größe 日本語 مرحبا 🎬.png');
});

test('A name that is a path becomes a plain file name', async () => {
	const [asset] = studio.service.assets;
	asset!.name = '../../etc/passwd';
	const { items } = await studio.run(downloadAsset(asset!.id));
	expect(items[0]!.binary!.data!.fileName).toBe('passwd.png');
});

test('An asset without a download link is reported as such', async () => {
	studio.service.injectFault({ body: { id: SOME_ID, name: 'Unready', url: null } });
	const error = await getError(studio.run(downloadAsset(SOME_ID)));
	expect(getErrorText(error)).toContain('no download link for this asset');
	expect(studio.service.requests).toHaveLength(1);
});

test('An asset that does not exist is an error before the files host is contacted', async () => {
	const error = await getError(studio.run(downloadAsset(SOME_ID)));
	expect(getErrorText(error)).toContain('There is no asset');
	expect(studio.service.requests).toHaveLength(1);
});
