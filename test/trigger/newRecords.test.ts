import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { formatVoice } from '../../nodes/AvatarStudio/resources/voice/voice';
import type { Asset } from '../../service/service';
import { useClock } from '../support/clock';
import { warnings } from '../support/engine/engine';
import { type Saved, type TriggerWorkflow } from '../support/engine/triggerWorkflow';
import {
	getIds,
	getItemIds,
	getItemNames,
	useTrigger,
	watchAssets,
	watchVoices,
} from '../support/trigger';

const watching = useTrigger();

/** The workflow runs for an asset that is added, and for no other. */
async function expectOnlyAdded(workflow: TriggerWorkflow): Promise<void> {
	const added = watching.service.addAssets(1);
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	expect(await workflow.poll()).toEqual([]);
}

describe('G9: a new record', () => {
	it('runs the workflow once with the asset as listed by the service', async () => {
		const workflow = await watching.activateWorkflow();
		const [added] = watching.service.addAssets(1);
		const [item, ...others] = await workflow.poll();
		expect(item!.json).toEqual({
			id: added!.id,
			name: added!.name,
			extension: '.png',
			originalFileUrl: null,
			url: expect.stringContaining(watching.service.filesUrl),
		});
		expect(others).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
	});

	it('that is a voice runs the workflow once, simplified by default', async () => {
		const workflow = await watching.activateWorkflow(watchVoices());
		const voice = watching.addVoice('amber');
		expect(await workflow.poll()).toEqual([{ json: formatVoice(voice, {}) }]);
		expect(await workflow.poll()).toEqual([]);
	});

	it.each<[string, (number: number) => object]>([
		['a number as its ID', (number) => ({ id: number })],
		['an empty ID', () => ({ id: '' })],
	])('with %s is recognized in the next poll, even if its link changes', async (_what, getId) => {
		let link = 0;
		const list = (...names: string[]) => {
			const getUrl = () => `https://files.example/${++link}`;
			const assets = names.map((name, index) => ({ ...getId(index), name, url: getUrl() }));
			watching.service.clearFaults();
			watching.service.injectFault({ body: { assets }, when: { path: '/v1/assets' } });
		};
		list('A');
		const workflow = await watching.activateWorkflow(watchAssets({ firstPage: '1' }));
		list('A', 'B');
		expect(getItemNames(await workflow.poll())).toEqual(['B']);
	});

	it.each<[string, (assets: Asset[]) => Asset[]]>([
		['an asset that is renamed', (all) => all.map((asset) => ({ ...asset, name: 'Renamed' }))],
		['the remaining assets if some are deleted', (all) => all.filter((_, index) => index % 3 > 0)],
	])('is not: %s', async (_what, change) => {
		watching.service.addAssets(12);
		const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 5 }));
		watching.service.assets = change(watching.service.assets);
		await expectOnlyAdded(workflow);
	});

	it('is emitted in the order of time if the newest are listed first', async () => {
		watching.service.configure({ pagination: { order: 'newest' } });
		watching.service.addAssets(60);
		const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 10 }));
		const added = watching.service.addAssets(25);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});
});

describe('n8n', () => {
	it.each<[string, (workflow: TriggerWorkflow) => Promise<INodeExecutionData[]>]>([
		['restarts', (workflow) => workflow.restart()],
		['hands over to another main process', (workflow) => workflow.activate('leadershipChange')],
		['publishes a workflow again', (workflow) => workflow.update()],
		['polls durably, with a fresh context each time', (workflow) => workflow.pollDurably()],
	])('%s, and the workflow runs once for what was added', async (_what, poll) => {
		const workflow = await watching.activateWorkflow();
		expect(await poll(workflow)).toEqual([]);
		const added = watching.service.addAssets(120);
		expect(getItemIds(await poll(workflow))).toEqual(getIds(added));
		expect(await poll(workflow)).toEqual([]);
		await expectOnlyAdded(workflow);
	});

	it.each(['poll', 'update', 'activate'] as const)(
		'begins another (%s) while a poll is running, and each record is emitted once',
		async (next) => {
			const workflow = await watching.activateWorkflow();
			// n8n's own scheduler reports no budget.
			await workflow.update({ budgetMs: undefined });
			const added = watching.service.addAssets(2);
			watching.service.injectFault({ latencyMs: 50, times: 1 });
			const polls = await Promise.all([workflow.poll(), workflow[next]()]);
			const emptyPoll = next === 'poll' ? 1 : 0;
			expect(polls[emptyPoll]).toEqual([]);
			expect(polls.flatMap(getItemIds)).toEqual(getIds(added));
			expect(await workflow.poll()).toEqual([]);
			expect(await workflow.restart()).toEqual([]);
		},
	);
});

test('Activating the workflow again does not run it for assets added while it was inactive', async () => {
	const workflow = await watching.activateWorkflow();
	watching.service.addAssets(3);
	expect(await workflow.activate()).toEqual([]);
	await expectOnlyAdded(workflow);
});

describe('a change of', () => {
	const useLocalhost = ({ credentials }: TriggerWorkflow) => {
		credentials.baseUrl = watching.service.url.replace('127.0.0.1', 'localhost');
	};
	const respellBaseUrl = ({ credentials }: TriggerWorkflow) => {
		credentials.baseUrl = ` ${watching.service.url}/v1/ `;
		watching.service.assets = [];
	};
	const saveAs = (parameters: INodeParameters) => (workflow: TriggerWorkflow) => {
		workflow.change({ parameters });
	};
	/** Two keys that the trigger can tell apart: of 4,096, it takes one for the same. */
	const replaceKey = ({ credentials }: TriggerWorkflow) => {
		watching.service.configure({ apiKey: 'another-key' });
		credentials.apiKey = 'another-key';
	};

	it.each<[string, INodeParameters, Saved]>([
		['Types', watchAssets({}, { kinds: ['video'] }), { parameters: watchAssets() }],
		["the node's name", watchAssets(), { name: 'Renamed' }],
		['the credential', watchAssets(), { credentialId: '2' }],
		['the event', watchVoices(), { parameters: watchAssets() }],
	])('%s starts over, and says so', async (_what, before, changes) => {
		const workflow = await watching.activateWorkflow(before);
		watching.service.addAssets(2);
		await workflow.poll();
		watching.service.addAssets(1);
		expect(await workflow.update(changes)).toEqual([]);
		expect(warnings.join()).toContain('The trigger is new, or its name');
		await expectOnlyAdded(workflow);
		await workflow.restart();
		await expectOnlyAdded(workflow);
	});

	it.each<[string, (workflow: TriggerWorkflow) => void]>([
		["the API key to another account's", replaceKey],
		['Base URL to another service', useLocalhost],
	])('%s starts over, and says so', async (_what, change) => {
		const workflow = await watching.activateWorkflow();
		change(workflow);
		watching.service.assets = [];
		watching.service.addAssets(20);
		expect(await workflow.poll()).toEqual([]);
		expect(warnings.join()).toContain('nothing seen before is listed');
		await expectOnlyAdded(workflow);
		await workflow.restart();
		await expectOnlyAdded(workflow);
	});

	it("the API key, while no asset is listed, is not called another account's", async () => {
		const workflow = await watching.activateWorkflow();
		const { assets } = watching.service;
		replaceKey(workflow);
		watching.service.assets = [];
		expect(await workflow.poll()).toEqual([]);
		watching.service.assets = assets;
		await expectOnlyAdded(workflow);
		expect(warnings).toEqual([]);
	});

	it.each<[string, (workflow: TriggerWorkflow) => void]>([
		['the event to its label', saveAs({ ...watchAssets(), event: 'New Asset' })],
		['options', saveAs(watchAssets({ pageSize: 3, firstPage: '1' }))],
		['the API key to another one of the same account', replaceKey],
		['Base URL to another one of the same service', useLocalhost],
		['the spelling of Base URL, while no old asset is listed,', respellBaseUrl],
	])('%s loses nothing', async (_what, change) => {
		const workflow = await watching.activateWorkflow();
		change(workflow);
		const added = watching.service.addAssets(3);
		expect(getItemIds(await workflow.update())).toEqual(getIds(added));
		expect(warnings).toEqual([]);
	});
});

describe('a filter with the date in an expression', () => {
	const clock = useClock({ runs: true });
	const nameContains = '={{ $now.toUTC().toFormat("yyyy-MM-dd") }}';

	const polls = ['poll', 'restart', 'pollDurably'] as const;

	it.each(polls)('emits the assets of the next day (%s)', async (poll) => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains }));
		await clock.pass(86_400_000);
		const [added] = watching.service.addAssets(1);
		added!.name = `Report ${new Date().toISOString().slice(0, 10)}`;
		expect(getItemNames(await workflow[poll]())).toEqual([added!.name]);
		expect(warnings).toEqual([]);
	});
});
