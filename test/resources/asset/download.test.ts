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
	const { json } = await studio.run(downloadAsset(studio.service.assets[0]!.id));
	const [details, file] = studio.service.requests;
	expect(studio.service.requests).toHaveLength(2);
	expect(details!.headers).toMatchObject({ 'x-api-key': studio.service.apiKey });
	expect(studio.service.filesUrl + file!.url).toBe(json[0]!.url);
	expect(file).toMatchObject({ method: 'GET', rawBody: '', headers: { accept: '*/*' } });
	expect(JSON.stringify(file!.rawHeaders)).not.toContain(studio.service.apiKey);
});
