import { updateAsset } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I rename an asset', async () => {
	const [asset] = studio.service.assets;
	const { json } = await studio.run(updateAsset(asset!.id, { name: 'Spring intro' }));
	expect(json).toStrictEqual([{ id: asset!.id }]);
	expect(asset!.name).toBe('Spring intro');
});

test('A name that is a number is sent as text', async () => {
	const [asset] = studio.service.assets;
	await studio.run(updateAsset(asset!.id, { name: '={{ $json.number }}' }), {
		items: [{ json: { number: 2026 } }],
	});
	expect(getOnlyRequest(studio).rawBody).toBe('{"name":"2026"}');
});
