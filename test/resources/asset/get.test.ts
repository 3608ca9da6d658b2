import { createLocator, getAsset } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test.each(['id', 'list'] as const)('I get an asset by its ID (%s)', async (mode) => {
	const { id } = studio.service.assets[0]!;
	const { items } = await studio.run({ ...getAsset(''), assetId: createLocator(id, mode) });
	expect(items).toStrictEqual([
		{
			json: {
				id,
				name: 'Avatar portrait',
				url: expect.stringContaining(`${studio.service.filesUrl}/assets/${id}.png`),
				originalFileUrl: null,
				extension: '.png',
			},
			pairedItem: { item: 0 },
		},
	]);
	expect(getOnlyRequest(studio).url).toBe(`/v1/assets/${id}`);
});
