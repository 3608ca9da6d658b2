import type { Asset, Fault } from '../../service/service';
import { useClock } from '../support/clock';
import { warnings } from '../support/engine/engine';
import type { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import { getIds, getItemIds, getItemNames, useTrigger, watchAssets } from '../support/trigger';

const watching = useTrigger();
const clock = useClock();
beforeEach(() => clock.run(100));

/** How many polls attempt to read a record. */
const ATTEMPTS = 5;

const POLLS: [string, (workflow: TriggerWorkflow) => Promise<unknown[]>][] = [
	['in process', async (workflow) => getItemNames(await workflow.poll())],
	['durably', async (workflow) => getItemNames(await workflow.pollDurably())],
	[
		'with a fresh context each time',
		async (workflow) => getItemNames(await workflow.pollWithFreshContext()),
	],
];

function addAssets(...wanted: string[]): Asset[] {
	const added = watching.service.addAssets(wanted.length);
	for (const [index, name] of wanted.entries()) added[index]!.name = name;
	return added;
}

/** Polls as often as records are retried, but for the last attempt. */
async function pollUntilTheEnd(workflow: TriggerWorkflow): Promise<unknown[]> {
	const names: unknown[] = [];
	for (let attempt = 1; attempt < ATTEMPTS; attempt++) {
		names.push(...getItemNames(await workflow.poll()));
	}
	return names;
}

/** Makes the file of an asset, or its details, fail. */
function breakFile({ id }: Asset, fault: Fault = { disconnect: 'beforeResponse' }): void {
	watching.service.injectFault({
		...fault,
		when: ({ host, path }) => host === 'files' && path.includes(id),
	});
}

describe.each(POLLS)('polled %s, an asset whose file is never available', (_name, poll) => {
	it('does not delay others, and is emitted with an error in the end', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({ downloadFile: true }));
		const [, dead] = addAssets('A', 'Dead', 'C');
		breakFile(dead!);
		expect(await poll(workflow)).toEqual(['A', 'C']);
		addAssets('Later');
		expect(await poll(workflow)).toEqual(['Later']);
		for (let attempt = 3; attempt < ATTEMPTS; attempt++) expect(await poll(workflow)).toEqual([]);
		const [item, ...others] = await workflow.poll();
		expect(item!.json).toMatchObject({
			name: 'Dead',
			url: expect.stringContaining('http'),
			fileError: expect.stringContaining('could not be downloaded from'),
		});
		expect(others).toEqual([]);
		expect(await poll(workflow)).toEqual([]);
	});
});

test('A new asset is never delayed by one that is held back', async () => {
	const workflow = await watching.activateWorkflow(watchAssets({ downloadFile: true }));
	const [dead] = addAssets('Dead');
	breakFile(dead!);
	await workflow.poll();
	await workflow.update({ budgetMs: 0 });
	addAssets('New');
	expect(getItemNames(await workflow.poll())).toEqual(['New']);
});

test('An asset that is held back is found behind newer ones if the newest come first', async () => {
	watching.service.configure({ pagination: { order: 'newest' } });
	const workflow = await watching.activateWorkflow(
		watchAssets({ downloadFile: true, newestFirst: true, pageSize: 10 }),
	);
	const [dead] = addAssets('Dead');
	// Two polls request it twice each, the second time from a fresh link.
	breakFile(dead!, { status: 404, times: 4 });
	expect(await workflow.poll()).toEqual([]);
	const newer = watching.service.addAssets(25);
	expect(getItemIds(await workflow.poll())).toEqual(getIds(newer));
	expect(getItemNames(await workflow.poll())).toEqual(['Dead']);
	expect(await workflow.poll()).toEqual([]);
});

test('An asset that is deleted while it is held back is dropped', async () => {
	const workflow = await watching.activateWorkflow(watchAssets({ downloadFile: true }));
	const before = watching.service.assets;
	const [dead] = addAssets('Dead');
	breakFile(dead!);
	await workflow.poll();
	watching.service.assets = before;
	expect(await workflow.poll()).toEqual([]);
	expect(workflow.memory()).toContain('"held":{}');
});

describe('an asset whose details cannot be read for the filter Types', () => {
	const setUp = async (status: number, times = Infinity, headers = {}) => {
		watching.service.configure({ listedAssetFields: 'minimal' });
		const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['image'] }));
		const [, odd] = addAssets('A', 'Odd', 'C');
		const when = { path: `/v1/assets/${odd!.id}` };
		watching.service.injectFault({ when, status, times, headers });
		return { workflow, odd: odd! };
	};

	it('(403) is emitted with the error immediately', async () => {
		const { workflow } = await setUp(403);
		const items = await workflow.poll();
		expect(getItemNames(items)).toEqual(['A', 'Odd', 'C']);
		expect(items[1]!.json.error).toContain('(403)');
		expect(await workflow.poll()).toEqual([]);
	});

	it.each<[status: number, type: string]>([
		[401, 'application/json'],
		[404, 'application/json'],
		[403, 'text/html'],
	])('(%i, %s) is emitted once they are there', async (status, type) => {
		const { workflow } = await setUp(status, 2, { 'content-type': type });
		expect(getItemNames(await workflow.poll())).toEqual(['A', 'C']);
		expect(warnings).toHaveLength(1);
		expect(await workflow.poll()).toEqual([]);
		expect(getItemNames(await workflow.poll())).toEqual(['Odd']);
	});

	it('(500) is emitted with the error in the end', async () => {
		const { workflow, odd } = await setUp(500);
		expect(await pollUntilTheEnd(workflow)).toEqual(['A', 'C']);
		const [item] = await workflow.poll();
		expect(item!.json).toMatchObject({ id: odd.id, error: expect.stringContaining('(500)') });
		expect(await workflow.poll()).toEqual([]);
	});
});

describe('the filter Types and an asset of unknown type', () => {
	const setUp = async () => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { kinds: ['image'] }));
		const [odd] = addAssets('Odd', 'Fine');
		odd!.extension = '';
		return { workflow, odd: odd! };
	};

	it.each([
		['wanted', '.png', ['Odd']],
		['another', '.mp3', []],
	])('that turns out to be %s is treated as such', async (_what, extension, emitted) => {
		const { workflow, odd } = await setUp();
		expect(getItemNames(await workflow.poll())).toEqual(['Fine']);
		expect(warnings.join()).toContain('The type of the asset is not known');
		odd.extension = extension;
		expect(getItemNames(await workflow.poll())).toEqual(emitted);
		expect(await workflow.poll()).toEqual([]);
	});

	it('that stays unknown is emitted with the error in the end', async () => {
		const { workflow, odd } = await setUp();
		expect(await pollUntilTheEnd(workflow)).toEqual(['Fine']);
		const [item] = await workflow.poll();
		expect(item!.json).toMatchObject({
			id: odd.id,
			url: expect.stringContaining('http'),
			error: expect.stringContaining('The type of the asset is not known'),
		});
		expect(await workflow.poll()).toEqual([]);
	});
});

describe('Download File and a file that is not there yet', () => {
	const ofAsset = (body: object): Fault => ({ when: { path: /^\/v1\/assets\/./ }, body });
	const ofFile = (fault: Fault): Fault => ({ when: ({ host }) => host === 'files', ...fault });
	const faults: [string, Fault][] = [
		['a link of null', ofAsset({ url: null })],
		['no link', ofAsset({})],
		['a link that cannot be requested', ofAsset({ url: 'https://files.example.com:99999' })],
		['202', ofFile({ status: 202, body: '' })],
		['204', ofFile({ status: 204 })],
		['JSON', ofFile({ body: { status: 'processing' } })],
		['a web page', ofFile({ headers: { 'content-type': 'text/html' }, body: '<p>Soon</p>' })],
		['an empty file', ofFile({ headers: { 'content-type': 'video/mp4' }, body: '' })],
		['404', ofFile({ status: 404 })],
		['404 for the asset', { when: { path: /^\/v1\/assets\/./ }, status: 404 }],
	];

	it.each(faults)('(%s) attaches it once it is', async (_name, fault) => {
		const workflow = await watching.activateWorkflow(watchAssets({ downloadFile: true }));
		addAssets('Slow');
		watching.service.injectFault(fault);
		expect(await workflow.poll()).toEqual([]);
		watching.service.clearFaults();
		const [item] = await workflow.poll();
		expect(item!.json).toMatchObject({ name: 'Slow' });
		expect(item!.binary).toBeDefined();
		expect(await workflow.poll()).toEqual([]);
	});

	it('emits the asset without it in the end', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({ downloadFile: true }));
		addAssets('Slow');
		watching.service.injectFault(ofFile({ status: 202, body: '' }));
		expect(await pollUntilTheEnd(workflow)).toEqual([]);
		const [item] = await workflow.poll();
		expect(item!.json).toMatchObject({ name: 'Slow', fileError: expect.any(String) });
		expect(item!.binary).toBeUndefined();
		expect(await workflow.poll()).toEqual([]);
	});
});

test.each(['\ud800', '..', '', undefined])(
	'An asset whose ID (%j) cannot be part of a URL is emitted with the error in the end',
	async (id) => {
		const workflow = await watching.activateWorkflow(watchAssets({ downloadFile: true }));
		watching.service.injectFault({
			when: { path: '/v1/assets' },
			body: { assets: [{ id, name: 'Odd' }] },
		});
		expect(await pollUntilTheEnd(workflow)).toEqual([]);
		const [item] = await workflow.poll();
		expect(item!.json.fileError).toContain('cannot be part of a URL');
		expect(await workflow.poll()).toEqual([]);
	},
);

test('A test event shows the first asset although its file cannot be downloaded', async () => {
	const workflow = await watching.createWorkflow(watchAssets({ downloadFile: true }));
	const [first] = watching.service.assets;
	breakFile(first!);
	const items = await workflow.fetchTestEvent();
	expect(getItemIds(items)).toEqual([first!.id]);
	expect(items[0]!.json.fileError).toContain('could not be downloaded from');
});
