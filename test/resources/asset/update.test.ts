import { updateAsset } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I rename an asset', async () => {
	const [asset] = studio.service.assets;
	const { json } = await studio.run(updateAsset(asset!.id, { name: 'Spring intro' }));
	expect(json).toStrictEqual([{ id: asset!.id }]);
	expect(asset!.name).toBe('Spring intro');
});
