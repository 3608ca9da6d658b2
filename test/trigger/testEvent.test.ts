import { readFile } from '../support/engine/engine';
import { getPollError } from '../support/engine/triggerWorkflow';
import {
	createVoice,
	getIds,
	getItemIds,
	getItemNames,
	useTrigger,
	watchAssets,
	watchVoices,
} from '../support/trigger';

const watching = useTrigger();

// The harness checks at each test event that the memory is what it was.
describe('"Fetch test event"', () => {
	test('shows one asset that is there', async () => {
		const workflow = await watching.createWorkflow();
		const items = await workflow.fetchTestEvent();
		expect(items).toHaveLength(1);
		expect(getIds(watching.service.assets)).toContain(items[0]!.json.id);
	});

	test('shows one voice that is there', async () => {
		const workflow = await watching.createWorkflow(watchVoices());
		const items = await workflow.fetchTestEvent();
		expect(items).toEqual([{ json: watching.service.voices[0] }]);
	});

	test('shows the newest asset where the service lists the newest first', async () => {
		const [newest] = watching.service.assets;
		const workflow = await watching.createWorkflow(watchAssets({ newestFirst: true }));
		expect(getItemIds(await workflow.fetchTestEvent())).toEqual([newest!.id]);
	});

	test('looks through all pages for one that fits the filters', async () => {
		watching.service.addAssets(150);
		watching.service.assets.push({ id: 'the-last-one', name: 'Needle', extension: '.mp4' });
		const workflow = await watching.createWorkflow(
			watchAssets({}, { nameContains: 'needle', kinds: ['video'] }),
		);
		expect(getItemNames(await workflow.fetchTestEvent())).toEqual(['Needle']);
	});

	test('obeys the language of voices', async () => {
		const workflow = await watching.createWorkflow(watchVoices({ languageCode: 'tr-TR' }));
		const [item] = await workflow.fetchTestEvent();
		expect(item!.json.languageCode).toBe('tr-TR');
	});

	test('attaches the file where that is asked for', async () => {
		const workflow = await watching.createWorkflow(watchAssets({ downloadFile: true }));
		const [item] = await workflow.fetchTestEvent();
		const [asset] = watching.service.assets;
		expect(await readFile(item)).toEqual(asset!.content);
	});

	test('reads no more than it shows', async () => {
		watching.service.addAssets(1_000);
		const workflow = await watching.createWorkflow();
		await workflow.fetchTestEvent();
		expect(watching.countPagesRead()).toBe(1);
	});

	test('leaves an active workflow alone: what it showed still runs it', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({ newestFirst: true }));
		const added = watching.service.addAssets(1);
		watching.service.assets = [...added, ...watching.service.assets.slice(0, -1)];
		expect(getItemIds(await workflow.fetchTestEvent())).toEqual(getIds(added));
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});

	test('says in a friendly way that there is no asset yet', async () => {
		watching.service.assets = [];
		const workflow = await watching.createWorkflow();
		const { message, description } = await getPollError(workflow.fetchTestEvent());
		expect(message).toBe('There are no assets yet that fit');
		expect(description).toBe(
			'Add one in the studio application or change the filters, then fetch a test event again.',
		);
	});

	test('says in a friendly way that no voice fits', async () => {
		watching.service.voices = [createVoice(watching.service.voices, 'amber')];
		const workflow = await watching.createWorkflow(watchVoices({ languageCode: 'xx-XX' }));
		const { message } = await getPollError(workflow.fetchTestEvent());
		expect(message).toContain('There are no voices yet that fit');
	});

	test('says what is wrong when the key is', async () => {
		const workflow = await watching.createWorkflow();
		workflow.credentials.apiKey = 'a-wrong-key';
		const { message } = await getPollError(workflow.fetchTestEvent());
		expect(message).toContain('The service rejected the API key (401)');
	});
});
