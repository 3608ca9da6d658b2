import { createHash } from 'node:crypto';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { identifyAccount, type Credential } from '../../nodes/AvatarStudio/client/credential';
import { simplifyVoice } from '../../nodes/AvatarStudio/resources/voice/voice';
import type { Asset, Voice } from '../../service/service';
import { useClock } from '../support/clock';
import { warnings } from '../support/engine/engine';
import type { Saved, TriggerWorkflow } from '../support/engine/triggerWorkflow';
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

// That no existing record runs it is checked wherever a test activates a workflow.
describe('activating the workflow', () => {
	it('again does not run it for assets added while it was inactive', async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.addAssets(3);
		expect(await workflow.activate()).toEqual([]);
		await expectOnlyAdded(workflow);
	});

	it('fails with a readable error if the service is down, and stores nothing', async () => {
		const workflow = await watching.createWorkflow();
		watching.service.injectFault({ status: 500 });
		await expect(workflow.activate()).rejects.toThrow('did not complete the request (500)');
		expect(workflow.memory()).toBe('{"node:New Asset or Voice":{}}');
		watching.service.reset();
		expect(await workflow.activate()).toEqual([]);
	});

	it.each([
		['assets', watchAssets()],
		['voices', watchVoices()],
	])('causes no backlog later if the list of %s is empty for once', async (records, watch) => {
		watching.service.injectFault({ body: { [records]: [] }, times: 1 });
		const workflow = await watching.activateWorkflow(watch);
		expect(await workflow.poll()).toEqual([]);
	});
});

test('no new asset stays behind known ones when others are deleted during a poll, newest first', async () => {
	watching.service.configure({ pagination: { firstPage: 0, order: 'newest' } });
	const workflow = await watching.activateWorkflow(
		watchAssets({ pageSize: 10, newestFirst: true, firstPage: '0' }),
	);
	const added = getIds(watching.service.addAssets(40));
	let pagesRead = 0;
	watching.service.injectFault({
		when: () => {
			if (++pagesRead !== 4) return false;
			watching.service.assets = watching.service.assets.filter(({ id }) => !deleted.has(id));
			return false;
		},
	});
	const deleted = new Set(added.slice(-6));
	const emitted = [...getItemIds(await workflow.poll()), ...getItemIds(await workflow.poll())];
	expect(emitted).toEqual(expect.arrayContaining(added.filter((id) => !deleted.has(id))));
	expect(new Set(emitted).size).toBe(emitted.length);
});

describe('a new record', () => {
	it('runs the workflow once with the asset as listed by the service', async () => {
		const workflow = await watching.activateWorkflow();
		const [added] = watching.service.addAssets(1);
		const [item, ...others] = await workflow.poll();
		expect(item).toEqual({
			json: {
				id: added!.id,
				name: added!.name,
				extension: '.png',
				originalFileUrl: null,
				url: expect.stringContaining(watching.service.filesUrl),
			},
		});
		expect(others).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
	});

	it.each<[string, object, (voice: Voice) => object]>([
		['simplified by default', {}, simplifyVoice],
		['with all its fields if Simplify is off', { simplify: false }, (voice) => voice],
	])('that is a voice runs the workflow once, %s', async (_name, parameters, toJson) => {
		const workflow = await watching.activateWorkflow({ ...watchVoices(), ...parameters });
		const voice = watching.addVoice('amber');
		expect(await workflow.poll()).toEqual([{ json: toJson(voice) }]);
		expect(await workflow.poll()).toEqual([]);
	});

	it.each<[string, (number: number) => object]>([
		['a number as its ID', (number) => ({ id: number })],
		['no ID', () => ({})],
		['null as its ID', () => ({ id: null })],
		['an empty ID', () => ({ id: '' })],
	])('with %s is recognized in the next poll, even if its link changes', async (_what, getId) => {
		let link = 0;
		const list = (...names: string[]) => {
			const assets = names.map((name, index) => ({
				...getId(index),
				name,
				url: `https://files.example/${++link}`,
			}));
			watching.service.clearFaults();
			watching.service.injectFault({ body: { assets }, when: { path: '/v1/assets' } });
		};
		list('A');
		const workflow = await watching.activateWorkflow(watchAssets({ firstPage: '1' }));
		list('A', 'B');
		expect(getItemNames(await workflow.poll())).toEqual(['B']);
	});
});

/**
 * Replaces the key of the service and the one in the credential by one that the trigger can tell from
 * it: of 256 keys, it takes one for the same.
 */
function replaceKey({ credentials }: TriggerWorkflow): void {
	const check = (apiKey: unknown) => {
		const account = identifyAccount({ ...credentials, apiKey } as Credential);
		return createHash('sha256').update(account).digest('hex').slice(0, 2);
	};
	const before = check(credentials.apiKey);
	let apiKey = 'another-key';
	while (check(apiKey) === before) apiKey += '.';
	watching.service.configure({ apiKey });
	credentials.apiKey = apiKey;
}

describe('not a new record:', () => {
	it.each<[string, (assets: Asset[]) => Asset[]]>([
		['an asset that is renamed', (all) => all.map((asset) => ({ ...asset, name: 'Renamed' }))],
		['the remaining assets if some are deleted', (all) => all.filter((_, index) => index % 3 > 0)],
		['an asset that moves to another page', ([first, ...others]) => [...others, first!]],
	])('%s', async (_what, change) => {
		watching.service.addAssets(12);
		const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 5 }));
		watching.service.assets = change(watching.service.assets);
		await expectOnlyAdded(workflow);
	});
});

describe('Newest First for a service that lists the newest', () => {
	const clock = useClock();
	const addTo = async (order: 'oldest' | 'newest') => {
		clock.run(1);
		watching.service.configure({ pagination: { order } });
		watching.service.addAssets(20);
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true, pageSize: 10 }),
		);
		return { workflow, added: getIds(watching.service.addAssets(3)) };
	};

	it('last emits what is new within an hour, one by one if time is short, and says so', async () => {
		const { workflow, added } = await addTo('oldest');
		expect(await workflow.poll()).toEqual([]);
		await clock.pass(3_600_000);
		const emitted = getItemIds(await workflow.update({ budgetMs: 0 }));
		for (let poll = 0; poll < 2; poll++) emitted.push(...getItemIds(await workflow.poll()));
		expect(emitted.sort()).toEqual(added.sort());
		expect(warnings.join()).toContain('turn off Newest First');
		expect(await workflow.poll()).toEqual([]);
	});

	it('last emits it also if n8n restarts every few minutes', async () => {
		const { workflow, added } = await addTo('oldest');
		const emitted: unknown[] = [];
		for (let restart = 0; restart < 13; restart++) {
			await clock.pass(300_000);
			emitted.push(...getItemIds(await workflow.restart()));
		}
		expect(emitted.sort()).toEqual(added.sort());
	});

	it('first emits it in the order of time, without a warning', async () => {
		const { workflow, added } = await addTo('newest');
		await clock.pass(3_600_000);
		expect(getItemIds(await workflow.poll())).toEqual(added);
		expect(warnings).toEqual([]);
	});
});

describe('a filter with the date in an expression', () => {
	const clock = useClock();
	beforeEach(() => clock.run(1));
	const nameContains = '={{ $now.toUTC().toFormat("yyyy-MM-dd") }}';
	const addAssetOfToday = () => {
		const [added] = watching.service.addAssets(1);
		added!.name = `Report ${new Date().toISOString().slice(0, 10)}`;
		return added!.name;
	};

	it.each(['poll', 'restart', 'pollDurably'] as const)(
		'emits the assets of the next day (%s)',
		async (poll) => {
			const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains }));
			await clock.pass(86_400_000);
			const name = addAssetOfToday();
			expect(getItemNames(await workflow[poll]())).toEqual([name]);
			expect(warnings).toEqual([]);
		},
	);
});

describe('a service that lists several pages in a different order at every request', () => {
	it('eventually runs the workflow once for each new asset, without a backlog', async () => {
		watching.service.addAssets(150);
		watching.service.configure({ pagination: { order: 'shuffled' } });
		const workflow = await watching.createWorkflow();
		expect(await workflow.activate()).toEqual([]);
		const added = getIds(watching.service.addAssets(20));
		const emitted: unknown[] = [];
		for (let poll = 0; poll < 12; poll++) emitted.push(...getItemIds(await workflow.poll()));
		expect(new Set(emitted).size).toBe(emitted.length);
		expect(emitted).toEqual(expect.arrayContaining(added));
		// By chance, every reading may miss the same asset.
		expect(emitted.length).toBeLessThanOrEqual(added.length + 2);
	});
});

describe('n8n', () => {
	it.each<[string, (workflow: TriggerWorkflow) => Promise<INodeExecutionData[]>]>([
		['restarts', (workflow) => workflow.restart()],
		['hands over to another main process', (workflow) => workflow.activate('leadershipChange')],
		['publishes a changed workflow', (workflow) => workflow.update()],
		['polls durably, with a fresh context each time', (workflow) => workflow.pollDurably()],
	])('%s, and the workflow runs once for what was added', async (_what, poll) => {
		const workflow = await watching.activateWorkflow();
		expect(await poll(workflow)).toEqual([]);
		const added = watching.service.addAssets(120);
		expect(getItemIds(await poll(workflow))).toEqual(getIds(added));
		expect(await poll(workflow)).toEqual([]);
		await expectOnlyAdded(workflow);
	});

	it('stores nothing new after a durable poll that found nothing', async () => {
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true, pageSize: 2 }),
		);
		await workflow.pollDurably();
		const memory = workflow.memory();
		await workflow.pollDurably();
		expect(workflow.memory()).toBe(memory);
	});

	it.each(['poll', 'update', 'activate'] as const)(
		'begins another (%s) while a poll is running, and each record is emitted once',
		async (next) => {
			const workflow = await watching.activateWorkflow();
			const added = watching.service.addAssets(2);
			watching.service.injectFault({ latencyMs: 50, times: 1 });
			const polls = await Promise.all([workflow.poll(), workflow[next]()]);
			expect(polls.map(getItemIds)).toEqual(
				next === 'poll' ? [getIds(added), []] : [[], getIds(added)],
			);
			expect(await workflow.poll()).toEqual([]);
			expect(await workflow.restart()).toEqual([]);
		},
	);
});

describe('an asset that is renamed to match Name Contains', () => {
	const rename = (name: string) => (watching.service.assets.at(-1)!.name = name);

	it.each(['poll', 'restart'] as const)(
		'is emitted once if it was added since the workflow was activated (%s)',
		async (poll) => {
			const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains: 'logo' }));
			watching.service.addAssets(1);
			const emitted: unknown[] = [];
			for (const name of ['Draft', 'Sketch', 'Logo', 'Old', 'Logo 2']) {
				rename(name);
				emitted.push(...getItemNames(await workflow[poll]()));
			}
			expect(emitted).toEqual(['Logo']);
		},
	);

	it('is not if it was there when another account was started over with', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains: 'logo' }));
		watching.service.assets = [];
		watching.service.addAssets(2);
		workflow.credentials.baseUrl = watching.service.url.replace('127.0.0.1', 'localhost');
		expect(await workflow.poll()).toEqual([]);
		rename('Logo');
		expect(await workflow.poll()).toEqual([]);
		await expectOnlyAdded(await watching.activateWorkflow());
	});

	it.each(['poll', 'restart'] as const)('is not if it was there before (%s)', async (poll) => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains: 'logo' }));
		expect(await workflow.poll()).toEqual([]);
		rename('Logo');
		expect(await workflow[poll]()).toEqual([]);
	});
});

describe('a change of', () => {
	const useLocalhost = ({ credentials }: TriggerWorkflow) => {
		credentials.baseUrl = watching.service.url.replace('127.0.0.1', 'localhost');
	};

	it.each<[string, INodeParameters, Saved]>([
		['Types', watchAssets({}, { kinds: ['video'] }), { parameters: watchAssets() }],
		['Name Contains', watchAssets({}, { nameContains: 'nobody' }), { parameters: watchAssets() }],
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

	it.each([
		['language', watchVoices({ languageCode: 'xx-XX' })],
		['event', watchAssets()],
	])('the %s starts over with the voices', async (_what, before) => {
		const workflow = await watching.activateWorkflow(before);
		watching.addVoice('amber');
		expect(await workflow.poll()).toEqual([]);
		const parameters = watchVoices({ languageCode: 'en-GB' });
		expect(await workflow.update({ parameters })).toEqual([]);
		watching.addVoice('blanche');
		expect(getItemNames(await workflow.poll())).toEqual(['Blanche']);
	});

	it.each<[string, (workflow: TriggerWorkflow) => void, number]>([
		["the API key to another account's", replaceKey, 20],
		["the API key to an empty account's", replaceKey, 0],
		['Base URL to another service', useLocalhost, 20],
	])('%s starts over, and says so', async (_what, change, count) => {
		const workflow = await watching.activateWorkflow();
		change(workflow);
		watching.service.assets = [];
		watching.service.addAssets(count);
		expect(await workflow.poll()).toEqual([]);
		expect(warnings.join()).toContain('nothing seen before is listed');
		await expectOnlyAdded(workflow);
		await workflow.restart();
		await expectOnlyAdded(workflow);
	});

	const changeTo = (parameters: INodeParameters) => (workflow: TriggerWorkflow) =>
		workflow.change({ parameters });
	it.each<[string, INodeParameters, (workflow: TriggerWorkflow) => void]>([
		[
			'the order of Types',
			watchAssets({}, { kinds: ['image', 'video'] }),
			changeTo(watchAssets({}, { kinds: ['video', 'image'] })),
		],
		['no Types to none of them', watchAssets(), changeTo(watchAssets({}, { kinds: [] }))],
		['options', watchAssets(), changeTo(watchAssets({ pageSize: 3, firstPage: '1' }))],
		['the API key to another one of the same account', watchAssets(), replaceKey],
		['Base URL to another one of the same service', watchAssets(), useLocalhost],
		[
			'the spelling of Base URL, while no old asset is listed,',
			watchAssets(),
			({ credentials }) => {
				credentials.baseUrl = ` ${watching.service.url}/v1/ `;
				watching.service.assets = [];
			},
		],
	])('%s loses nothing', async (_what, before, change) => {
		const workflow = await watching.activateWorkflow(before);
		change(workflow);
		const added = watching.service.addAssets(3);
		expect(getItemIds(await workflow.update())).toEqual(getIds(added));
		expect(warnings).toEqual([]);
	});
});
