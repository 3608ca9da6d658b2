import { createLocator, getAsset, SOME_ID } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test.each(['id', 'list'] as const)('I get an asset by its ID (%s)', async (mode) => {
	const { id } = studio.service.assets[0]!;
	const { items } = await studio.run({ ...getAsset(''), assetId: createLocator(id, mode) });
	const url = expect.stringContaining(`${studio.service.filesUrl}/assets/${id}.png`) as string;
	const asset = { id, name: 'Avatar portrait', url, originalFileUrl: null, extension: '.png' };
	expect(items).toStrictEqual([{ json: asset, pairedItem: { item: 0 } }]);
	expect(getOnlyRequest(studio).url).toBe(`/v1/assets/${id}`);
});

test.each([
	{ status: 'failed', error: 'Face not found' },
	{ success: false, errors: ['Face not found'] },
])('An asset is what the service says of it, whatever went wrong with it: %j', async (record) => {
	studio.service.injectFault({ body: record });
	expect((await studio.run(getAsset(SOME_ID))).json).toEqual([record]);
});
