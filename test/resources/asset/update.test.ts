import { getError, getErrorText } from '../../support/engine/engine';
import { SOME_ID, updateAsset } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I rename an asset', async () => {
	const [asset] = studio.service.assets;
	const { json, items } = await studio.run(updateAsset(asset!.id, { name: 'Spring intro' }));
	expect(json).toStrictEqual([{ id: asset!.id }]);
	expect(items[0]!.pairedItem).toStrictEqual({ item: 0 });
	expect(asset!.name).toBe('Spring intro');
	expect(getOnlyRequest(studio)).toMatchObject({
		method: 'PATCH',
		url: `/v1/assets/${asset!.id}`,
		rawBody: '{"name":"Spring intro"}',
		headers: {
			'x-api-key': studio.service.apiKey,
			accept: 'application/json',
			'content-type': 'application/json',
		},
	});
});

test('A name that is a number is sent as text', async () => {
	const [asset] = studio.service.assets;
	await studio.run(updateAsset(asset!.id, { name: '={{ $json.number }}' }), {
		items: [{ json: { number: 2026 } }],
	});
	expect(getOnlyRequest(studio).rawBody).toBe('{"name":"2026"}');
});

test('Renaming an asset that does not exist is an error', async () => {
	const error = await getError(studio.run(updateAsset(SOME_ID, { name: 'Anything' })));
	expect(getErrorText(error)).toContain('There is no asset');
	expect(studio.getRoutes()).toStrictEqual([`PATCH /v1/assets/${SOME_ID}`]);
});
