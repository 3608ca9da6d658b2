import { getError, getErrorText } from '../../support/engine/engine';
import { deleteAsset, SOME_ID } from '../../support/parameters';
import { getOnlyRequest } from '../../support/requests';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I delete an asset', async () => {
	const [asset, ...others] = studio.service.assets;
	const { json, items } = await studio.run(deleteAsset(asset!.id));
	expect(json).toStrictEqual([{ deleted: true, id: asset!.id }]);
	expect(items[0]!.pairedItem).toStrictEqual({ item: 0 });
	expect(studio.service.assets.map(({ id }) => id)).toStrictEqual(others.map(({ id }) => id));
	expect(getOnlyRequest(studio)).toMatchObject({
		method: 'DELETE',
		url: `/v1/assets/${asset!.id}`,
		rawBody: '',
		headers: { 'x-api-key': studio.service.apiKey, accept: 'application/json' },
	});
	expect(getOnlyRequest(studio).headers).not.toHaveProperty('content-type');
});

test('Deleting an asset that does not exist is an error, not a success', async () => {
	const error = await getError(studio.run(deleteAsset(SOME_ID)));
	expect(getErrorText(error)).toContain('There is no asset');
	expect(studio.service.assets).toHaveLength(5);
});

test.each([
	['no content', { status: 204 }],
	['an empty body', { body: '' }],
	['an empty web page', { body: '', headers: { 'content-type': 'text/html' } }],
	['null', { body: 'null', headers: { 'content-type': 'application/json' } }],
])('A deletion with %s in response is a success', async (_answer, fault) => {
	studio.service.injectFault(fault);
	const { json } = await studio.run(deleteAsset(SOME_ID));
	expect(json).toStrictEqual([{ deleted: true, id: SOME_ID }]);
});
