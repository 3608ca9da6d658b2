import { useStudio } from '../engine/studio';

const studio = useStudio();

const byId = (value: string) => ({
	resource: 'asset',
	operation: 'get',
	assetId: { __rl: true, mode: 'id', value },
});

test('I get an asset by its ID', async () => {
	const [asset] = studio.service.assets;
	const { json, items, error } = await studio.run(byId(asset!.id));
	expect(error).toBeUndefined();
	expect(json[0]).toMatchObject({ id: asset!.id, name: asset!.name, url: expect.stringContaining('http') });
	expect(items[0]!.pairedItem).toEqual({ item: 0 });
	const [request] = studio.service.requests;
	expect(request).toMatchObject({
		method: 'GET',
		url: `/v1/assets/${asset!.id}`,
		rawBody: '',
		headers: { 'x-api-key': studio.service.apiKey, accept: 'application/json' },
	});
	expect(studio.service.requests).toHaveLength(1);
});
