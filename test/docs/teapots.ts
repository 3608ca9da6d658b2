import { useClock } from '../support/clock';
import {
	createLocator,
	createVideo,
	deleteAsset,
	getAsset,
	getAssets,
	importAsset,
	SOME_ID,
} from '../support/parameters';
import { getItemIds, useTrigger } from '../support/trigger';

// The tests of what the recipes in CONTRIBUTING.md add: recipe.test.ts runs them in its copy.

const studio = useTrigger();

test('I get the teapot of an asset', async () => {
	const { json } = await studio.run({ ...getAsset(SOME_ID), operation: 'getTeapot' });
	expect(json).toStrictEqual([{ name: 'Brown Betty', assetId: SOME_ID }]);
});

test('I get many teapots, one a page, by the cursor of the page before', async () => {
	const { json } = await studio.run({
		resource: 'teapot',
		operation: 'getAll',
		returnAll: true,
		options: { pageSize: 1 },
	});
	expect(json.map(({ name }) => name)).toStrictEqual(['Brown Betty', 'Cadogan']);
	const queries = studio.apiRequests.map(({ query }) => query);
	expect(queries).toStrictEqual([{ pageSize: '1' }, { cursor: SOME_ID, pageSize: '1' }]);
});

test('A video shows the teapot that I name', async () => {
	const teapotId = createLocator('brown BETTY', 'name');
	await studio.run(createVideo({ additionalFields: { teapotId } }));
	expect(studio.service.videos).toMatchObject([{ teapotId: SOME_ID }]);
});

test('I get the assets that show a round teapot', async () => {
	const [round, square] = ['round', 'square'].map((shape) => ({ id: shape, shape }));
	studio.service.injectFault({ body: { assets: [round, square] } });
	const { json } = await studio.run(getAssets({ filters: { teapotShape: 'round' } }));
	expect(json).toStrictEqual([round]);
});

test.each([
	[getAssets({ teapotShape: 'round' }), 'filters.teapotShape'],
	[createVideo({ teapotId: SOME_ID }), 'additionalFields.teapotId'],
	[importAsset({ fileUrl: 'https://example.com/a.png', withTeapot: true }), 'options.withTeapot'],
])('A new entry beside its collection is refused: %j', async (parameters, path) => {
	expect(await studio.getFailure(parameters)).toContain(`Write it as ${path}.`);
	expect(studio.service.requests).toStrictEqual([]);
});

test('A filter of the trigger beside its collection is refused', async () => {
	const workflow = studio.createWorkflow({ event: 'assetCreated', teapotShape: 'round' });
	await expect(workflow.activate()).rejects.toThrow('"teapotShape" stands beside Filters');
});

test('A new teapot starts the workflow, once', async () => {
	const workflow = await studio.activateWorkflow({ event: 'teapotAdded' });
	studio.service.injectFault({ body: { teapots: [{ id: '2' }] } });
	expect(await workflow.poll()).toEqual([{ json: { id: '2' } }]);
	expect(await workflow.poll()).toEqual([]);
});

test('A smashed asset starts the workflow, once', async () => {
	const [kept, smashed] = studio.service.addAssets(2);
	const workflow = await studio.activateWorkflow({ event: 'assetSmashed' });
	await studio.run(deleteAsset(smashed!.id));
	expect(await workflow.poll()).toEqual([{ json: { id: smashed!.id, name: smashed!.name } }]);
	expect(await workflow.poll()).toEqual([]);
	await studio.run(deleteAsset(kept!.id));
	expect(getItemIds(await workflow.poll())).toEqual([kept!.id]);
});

test('An asset that the list leaves out for once is not told as smashed, and is told when it is', async () => {
	const [asset] = studio.service.addAssets(1);
	const workflow = await studio.activateWorkflow({ event: 'assetSmashed' });
	studio.service.injectFault({ body: { assets: [] }, times: 1 });
	expect(await workflow.poll()).toEqual([]);
	await studio.run(deleteAsset(asset!.id));
	expect(getItemIds(await workflow.poll())).toEqual([asset!.id]);
});

test('In the editor, the event of a smashed asset shows one that is listed', async () => {
	const [item] = await studio.createWorkflow({ event: 'assetSmashed' }).fetchTestEvent();
	expect(item!.json).toMatchObject({ name: studio.service.assets[0]!.name });
});

describe('A service that is a teapot', () => {
	useClock({ runs: true });

	it('is left alone for five seconds', async () => {
		const startedAt = performance.now();
		studio.service.injectFault({ status: 418, times: 1 });
		await studio.run(createVideo());
		expect(studio.getRoutes()).toStrictEqual(Array(2).fill('POST /v1/talkingphotos'));
		expect(performance.now() - startedAt).toBeGreaterThanOrEqual(5_000);
	});
});

test('An asset is imported with its teapot', async () => {
	const fileUrl = `${studio.service.filesUrl}/sized/1234`;
	const { json } = await studio.run(importAsset({ fileUrl, options: { withTeapot: true } }));
	expect(json).toMatchObject([{ name: 'Portrait', teapot: { name: 'Brown Betty' } }]);
});

test('If there is no teapot, the error says which asset was imported', async () => {
	const fileUrl = `${studio.service.filesUrl}/sized/1234`;
	studio.service.injectFault({ when: { path: /teapot$/ }, status: 404 });
	const text = await studio.getFailure(importAsset({ fileUrl, options: { withTeapot: true } }));
	expect(text).toContain(`The asset was created (ID ${studio.service.assets.at(-1)!.id}), but`);
	expect(text).not.toContain('may exist');
});
