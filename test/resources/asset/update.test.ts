import { getError } from '../../support/engine/engine';
import { updateAsset } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I rename an asset', async () => {
	const [asset] = studio.service.assets;
	const { json } = await studio.run(updateAsset(asset!.id, { name: 'Spring intro' }));
	expect(json).toStrictEqual([{ id: asset!.id }]);
	expect(asset!.name).toBe('Spring intro');
});

test('A blank cell renames no asset to what is around it', async () => {
	const [asset] = studio.service.assets;
	const { name } = asset!;
	const items = [{ json: { customer: '' } }];
	const renamed = studio.run(updateAsset(asset!.id, { name: '={{ $json.customer }} - intro' }), {
		items,
	});
	expect((await getError(renamed)).message).toContain(
		'New Name has no value for {{ $json.customer }}',
	);
	expect(asset!.name).toBe(name);
	await studio.run(updateAsset(asset!.id, { name: '={{ $json.customer || "My" }} - intro' }), {
		items,
	});
	expect(asset!.name).toBe('My - intro');
});
