import { getError, readFile } from '../support/engine/engine';
import {
	getIds,
	getItemIds,
	getItemNames,
	useTrigger,
	watchAssets,
	watchVoices,
} from '../support/trigger';

const watching = useTrigger();

// The harness checks that test events do not change the static data.
describe('"Fetch test event"', () => {
	it('shows the first asset with its file, and reads no more than that', async () => {
		watching.service.addAssets(1_000);
		const workflow = await watching.createWorkflow(watchAssets({ downloadFile: true }));
		const [item, ...others] = await workflow.fetchTestEvent();
		const [asset] = watching.service.assets;
		expect(item!.json).toMatchObject({ id: asset!.id });
		expect(await readFile(item)).toEqual(asset!.content);
		expect(others).toEqual([]);
		expect(watching.countPagesRead()).toBe(1);
	});

	it('searches all pages for an asset that matches the filters', async () => {
		watching.service.addAssets(150);
		watching.service.assets.push({ id: 'the-last-one', name: 'Needle', extension: '.mp4' });
		const workflow = await watching.createWorkflow(
			watchAssets({}, { nameContains: 'needle', kinds: ['video'] }),
		);
		expect(getItemNames(await workflow.fetchTestEvent())).toEqual(['Needle']);
	});

	it('prefers an asset that matches to one of unknown type', async () => {
		const [odd, fine] = watching.service.addAssets(2);
		odd!.extension = '';
		const watchImages = watchAssets({}, { kinds: ['image'] });
		const workflow = await watching.createWorkflow(watchImages);
		watching.service.assets = [odd!];
		const [item] = await workflow.fetchTestEvent();
		expect(item!.json).toMatchObject({ id: odd!.id, error: expect.any(String) });
		watching.service.assets = [odd!, fine!];
		expect(getItemIds(await workflow.fetchTestEvent())).toEqual([fine!.id]);
	});

	it('shows a voice of the language to watch', async () => {
		const workflow = await watching.createWorkflow(watchVoices({ languageCode: 'tr-TR' }));
		const items = await workflow.fetchTestEvent();
		expect(items).toMatchObject([{ json: { languageCode: 'tr-TR' } }]);
	});

	it('requests no more than 20 of many assets whose type is not in the list', async () => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		watching.service.assets = watching.service.addAssets(600);
		const workflow = await watching.createWorkflow(watchAssets({}, { kinds: ['video'] }));
		const { message } = await getError(workflow.fetchTestEvent());
		expect(message).toMatch(/^Of \d+ assets without a stated type the first 20 do not match$/);
		const requested = watching.getRoutes().filter((route) => route !== 'GET /v1/assets');
		expect(requested).toHaveLength(20);
	});

	it('does not affect an active workflow: the shown record still runs it', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({ newestFirst: true }));
		const added = watching.service.addAssets(1);
		watching.service.assets = [...added, ...watching.service.assets.slice(0, -1)];
		expect(getItemIds(await workflow.fetchTestEvent())).toEqual(getIds(added));
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});

	it('explains that there is no asset yet', async () => {
		watching.service.assets = [];
		const workflow = await watching.createWorkflow();
		const { message, description } = await getError(workflow.fetchTestEvent());
		expect(message).toBe('There are no assets that match');
		expect(description).toBe(
			'Add one in the studio application or change the filters, then fetch a test event again.',
		);
	});

	it('explains that no voice speaks the language, and which there are', async () => {
		watching.service.voices = watching.service.voices.slice(0, 1);
		const workflow = await watching.createWorkflow(watchVoices({ languageCode: 'Englsh' }));
		const { message, description } = await getError(workflow.fetchTestEvent());
		expect(message).toBe('No voice speaks the language "Englsh"');
		expect(description).toContain('Enter a language such as ar-EG');
	});
});
