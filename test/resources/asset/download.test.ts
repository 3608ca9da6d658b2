import { isVersion1, readFile } from '../../support/engine/engine';
import { downloadAsset } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I get the file of an asset along with its details', async () => {
	const [asset] = studio.service.assets;
	const { items } = await studio.run(downloadAsset(asset!.id));
	expect(items).toStrictEqual([
		{
			json: {
				id: asset!.id,
				name: 'Avatar portrait',
				url: expect.stringContaining(studio.service.filesUrl),
				originalFileUrl: null,
				extension: '.png',
			},
			binary: {
				data: expect.objectContaining({
					fileName: 'Avatar portrait.png',
					fileExtension: 'png',
					mimeType: 'image/png',
					...(isVersion1 ? {} : { bytes: asset!.content!.length }),
				}),
			},
			pairedItem: { item: 0 },
		},
	]);
	expect((await readFile(items[0])).equals(asset!.content!)).toBe(true);
});

test('The key is sent to the service and not to the files host', async () => {
	const [asset] = studio.service.assets;
	const { json } = await studio.run(downloadAsset(asset!.id));
	const [details, file] = studio.service.requests;
	expect(studio.service.requests).toHaveLength(2);
	expect(details).toMatchObject({
		method: 'GET',
		url: `/v1/assets/${asset!.id}`,
		headers: { 'x-api-key': studio.service.apiKey, accept: 'application/json' },
	});
	expect(studio.service.filesUrl + file!.url).toBe(json[0]!.url);
	expect(file).toMatchObject({ method: 'GET', rawBody: '', headers: { accept: '*/*' } });
	expect(JSON.stringify(file!.rawHeaders)).not.toContain(studio.service.apiKey);
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
	expect((await readFile(items[1], 'second')).equals(other!.content!)).toBe(true);
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
