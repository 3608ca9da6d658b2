import { createSpeech, deleteAsset, SOME_ID } from '../../support/parameters';
import { startRawHost } from '../../support/rawHost';
import { useStudio } from '../../support/studio';

const studio = useStudio();

test('I delete an asset', async () => {
	const [asset, ...others] = studio.service.assets;
	const { json } = await studio.run(deleteAsset(asset!.id));
	expect(json).toStrictEqual([{ deleted: true, id: asset!.id }]);
	expect(studio.service.assets).toStrictEqual(others);
});

test('A deletion without content in response is a success', async () => {
	studio.service.injectFault({ status: 204 });
	const { json } = await studio.run(deleteAsset(SOME_ID));
	expect(json).toStrictEqual([{ deleted: true, id: SOME_ID }]);
});

test('A response of no length that claims to be a file, and has nothing in it, is a success', async () => {
	const headers = { 'content-type': 'application/octet-stream' };
	const { url } = await startRawHost((_request, response) => {
		response.writeHead(200, headers).flushHeaders();
		response.end();
	});
	const setup = { credentials: { ...studio.credentials, baseUrl: url } };
	const deletion = await studio.run(deleteAsset(SOME_ID), setup);
	expect(deletion.json).toStrictEqual([{ deleted: true, id: SOME_ID }]);
	expect((await studio.run(createSpeech(), setup)).items).toStrictEqual([
		{ json: { success: true }, pairedItem: { item: 0 } },
	]);
});
