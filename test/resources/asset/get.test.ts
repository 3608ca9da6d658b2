import { createLocator, getAsset } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I get an asset by its ID', async () => {
	const [asset] = studio.service.assets;
	const { items } = await studio.run(getAsset(asset!.id));
	expect(items).toStrictEqual([
		{
			json: {
				id: asset!.id,
				name: 'Avatar portrait',
				url: expect.stringContaining(`${studio.service.filesUrl}/assets/${asset!.id}.png`),
				originalFileUrl: null,
				extension: '.png',
			},
			pairedItem: { item: 0 },
		},
	]);
});

test('I get an asset that I selected from the list', async () => {
	const [, asset] = studio.service.assets;
	const { json } = await studio.run({ ...getAsset(''), assetId: createLocator(asset!.id, 'list') });
	expect(json).toMatchObject([{ id: asset!.id, name: asset!.name }]);
	expect(getOnlyRequest(studio).url).toBe(`/v1/assets/${asset!.id}`);
});
