import { deleteAsset, SOME_ID } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I delete an asset', async () => {
	const [asset, ...others] = studio.service.assets;
	const { json } = await studio.run(deleteAsset(asset!.id));
	expect(json).toStrictEqual([{ deleted: true, id: asset!.id }]);
	expect(studio.service.assets).toStrictEqual(others);
});

test('A deletion without content in response is a success', async () => {
	studio.service.injectFault({ status: 204 });
	const { json } = await studio.run(deleteAsset(SOME_ID));
	expect(json).toStrictEqual([{ deleted: true, id: SOME_ID }]);
});
