import { isVersion1, readFile } from '../../support/engine/engine';
import { downloadAsset, SOME_ID } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I get the file of an asset along with its details', async () => {
	const [asset] = studio.service.assets;
	const { items } = await studio.run(downloadAsset(asset!.id));
	const name = 'Avatar portrait';
	const file = { fileName: `${name}.png`, fileExtension: 'png', mimeType: 'image/png' };
	const data = { ...file, ...(isVersion1 ? {} : { bytes: asset!.content!.length }) };
	const json = { id: asset!.id, name, extension: '.png' };
	expect(items).toMatchObject([{ json, binary: { data }, pairedItem: { item: 0 } }]);
	expect((await readFile(items[0])).equals(asset!.content!)).toBe(true);
});

test.each(['.png', 'png'])('The extension %j of an asset completes its name', async (extension) => {
	const url = `${studio.service.filesUrl}/sized/5`;
	const headers = { 'content-type': 'application/octet-stream' };
	studio.service.injectFault({ when: { host: 'files' }, body: 'image', headers });
	studio.service.injectFault({ body: { id: SOME_ID, name: 'Portrait', extension, url } });
	const { items } = await studio.run(downloadAsset(SOME_ID));
	expect(items[0]!.binary!.data!.fileName).toBe('Portrait.png');
});
