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

test('An asset is not deleted if the gateway responds 404 to everything while the service is replaced', async () => {
	const [asset] = studio.service.assets;
	studio.service.injectFault({ status: 502, times: 1 });
	studio.service.injectFault({ status: 404, body: '404 page not found' });
	const { error } = await studio.getOutcome(deleteAsset(asset!.id));
	expect(error?.message).toContain('(404)');
	expect(studio.service.assets).toContain(asset);
});
