import { isVersion1, readFile } from '../../support/engine/engine';
import { downloadAsset } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I get the file of an asset along with its details', async () => {
	const [asset] = studio.service.assets;
	const { items } = await studio.run(downloadAsset(asset!.id));
	expect(items).toMatchObject([
		{
			json: { id: asset!.id, name: 'Avatar portrait', extension: '.png' },
			binary: {
				data: {
					fileName: 'Avatar portrait.png',
					fileExtension: 'png',
					mimeType: 'image/png',
					...(isVersion1 ? {} : { bytes: asset!.content!.length }),
				},
			},
			pairedItem: { item: 0 },
		},
	]);
	expect((await readFile(items[0])).equals(asset!.content!)).toBe(true);
});
