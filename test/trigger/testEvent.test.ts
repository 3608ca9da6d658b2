import { fileOf } from '../engine/engine';
import { errorOf } from '../engine/polling';

import { ids, idsOf, names, newVoice, onAssets, onVoices, useWatching } from './watching';

const watching = useWatching();

// The harness checks at each test event that the memory is what it was.
describe('"Fetch test event"', () => {
	test('shows one asset that is there', async () => {
		const workflow = await watching.workflow();
		const items = await workflow.fetchTestEvent();
		expect(items).toHaveLength(1);
		expect(idsOf(watching.service.assets)).toContain(items[0]!.json.id);
	});

	test('shows one voice that is there', async () => {
		const workflow = await watching.workflow(onVoices());
		const items = await workflow.fetchTestEvent();
		expect(items).toEqual([{ json: watching.service.voices[0] }]);
	});

	test('shows the newest asset where the service lists the newest first', async () => {
		const [newest] = watching.service.assets;
		const workflow = await watching.workflow(onAssets({ newestFirst: true }));
		expect(ids(await workflow.fetchTestEvent())).toEqual([newest!.id]);
	});

	test('looks through all pages for one that fits the filters', async () => {
		watching.service.addAssets(150);
		watching.service.assets.push({ id: 'the-last-one', name: 'Needle', extension: '.mp4' });
		const workflow = await watching.workflow(
			onAssets({}, { nameContains: 'needle', kinds: ['video'] }),
		);
		expect(names(await workflow.fetchTestEvent())).toEqual(['Needle']);
	});

	test('obeys the language of voices', async () => {
		const workflow = await watching.workflow(onVoices({ languageCode: 'tr-TR' }));
		const [item] = await workflow.fetchTestEvent();
		expect(item!.json.languageCode).toBe('tr-TR');
	});

	test('attaches the file where that is asked for', async () => {
		const workflow = await watching.workflow(onAssets({ downloadFile: true }));
		const [item] = await workflow.fetchTestEvent();
		const [asset] = watching.service.assets;
		expect(await fileOf(item)).toEqual(asset!.content);
	});

	test('reads no more than it shows', async () => {
		watching.service.addAssets(1_000);
		const workflow = await watching.workflow();
		await workflow.fetchTestEvent();
		expect(watching.pagesRead()).toBe(1);
	});

	test('leaves an active workflow alone: what it showed still runs it', async () => {
		const workflow = await watching.activeWorkflow(onAssets({ newestFirst: true }));
		const added = watching.service.addAssets(1);
		watching.service.assets = [...added, ...watching.service.assets.slice(0, -1)];
		expect(ids(await workflow.fetchTestEvent())).toEqual(idsOf(added));
		expect(ids(await workflow.poll())).toEqual(idsOf(added));
	});

	test('says in a friendly way that there is no asset yet', async () => {
		watching.service.assets = [];
		const workflow = await watching.workflow();
		const { message } = await errorOf(workflow.fetchTestEvent());
		expect(message).toBe(
			'There are no assets yet that fit. Add one in the studio application or change the filters, then fetch a test event again.',
		);
	});

	test('says in a friendly way that no voice fits', async () => {
		watching.service.voices = [newVoice(watching.service.voices, 'amber')];
		const workflow = await watching.workflow(onVoices({ languageCode: 'xx-XX' }));
		const { message } = await errorOf(workflow.fetchTestEvent());
		expect(message).toContain('There are no voices yet that fit');
	});

	test('says what is wrong when the key is', async () => {
		const workflow = await watching.workflow();
		workflow.credentials.apiKey = 'a-wrong-key';
		const { message } = await errorOf(workflow.fetchTestEvent());
		expect(message).toContain('The service rejected the API key (401)');
	});
});
