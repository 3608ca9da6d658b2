import { deleteAsset, SOME_ID } from '../../support/parameters';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I delete an asset', async () => {
	const [asset, ...others] = studio.service.assets;
	const { json } = await studio.run(deleteAsset(asset!.id));
	expect(json).toStrictEqual([{ deleted: true, id: asset!.id }]);
	expect(studio.service.assets).toStrictEqual(others);
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
