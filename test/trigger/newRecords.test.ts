import { createHash } from 'node:crypto';

import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { identifyAccount, type Credential } from '../../nodes/AvatarStudio/client/credential';
import { simplifyVoice } from '../../nodes/AvatarStudio/resources/voice/voice';
import type { Fault, Voice } from '../../service/service';
import { useClock } from '../support/clock';
import { isVersion1, warnings } from '../support/engine/engine';
import type { TriggerWorkflow } from '../support/engine/triggerWorkflow';
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

/** The workflow runs for an asset that is added, and for no other. */
async function expectOnlyAdded(workflow: TriggerWorkflow): Promise<void> {
	const added = watching.service.addAssets(1);
	expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	expect(await workflow.poll()).toEqual([]);
}

describe('activating the workflow', () => {
	it.each([
		['assets', watchAssets()],
		['voices', watchVoices()],
	])('does not run it for existing %s', async (_what, parameters) => {
		watching.service.addAssets(150);
		const workflow = await watching.createWorkflow(parameters);
		expect(await workflow.activate()).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
	});

	it('works in an empty account, and the first asset runs it', async () => {
		watching.service.assets = [];
		await expectOnlyAdded(await watching.activateWorkflow());
	});

	it('again does not run it for assets added while it was inactive', async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.addAssets(3);
		expect(await workflow.activate()).toEqual([]);
		await expectOnlyAdded(workflow);
	});

	it('again does not forget assets that are temporarily missing from the list', async () => {
		const workflow = await watching.activateWorkflow();
		const [hidden, ...others] = watching.service.assets;
		watching.service.assets = others;
		await workflow.activate();
		watching.service.assets = [hidden!, ...others];
		expect(await workflow.poll()).toEqual([]);
	});

	it('fails with a readable error if the service is down, and stores nothing', async () => {
		const workflow = await watching.createWorkflow();
		watching.service.injectFault({ status: 500 });
		await expect(workflow.activate()).rejects.toThrow('did not complete the request (500)');
		expect(workflow.memory()).toBe('{"node:New Asset or Voice":{}}');
		watching.service.reset();
		expect(await workflow.activate()).toEqual([]);
	});
});

test.each<[string, Fault]>([
	['error', { status: 500 }],
	['empty list', { body: { assets: [] } }],
	['empty body', { body: '' }],
])(
	'a single %s on the first page while the workflow is activated causes no backlog later',
	async (_name, fault) => {
		watching.service.configure({ pagination: { firstPage: 0 } });
		watching.service.addAssets(20);
		watching.service.injectFault({ ...fault, times: 1 });
		const workflow = await watching.activateWorkflow();
		expect(await workflow.poll()).toEqual([]);
		await expectOnlyAdded(workflow);
	},
);

test.each<[string, Fault]>([
	['empty list', { body: { voices: [] } }],
	['empty body', { body: '' }],
])(
	'one %s of voices, while the workflow is switched on, brings no backlog later',
	async (_name, fault) => {
		watching.service.injectFault({ ...fault, times: 1 });
		const workflow = await watching.activateWorkflow(watchVoices());
		expect(await workflow.poll()).toEqual([]);
	},
);

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
		const voice = createVoice(watching.service.voices, 'amber');
		watching.service.voices = [voice, ...watching.service.voices];
		expect(await workflow.poll()).toEqual([{ json: toJson(voice) }]);
		expect(await workflow.poll()).toEqual([]);
	});

	it('is emitted after older ones even if the service lists the newest first', async () => {
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true, pageSize: 2 }),
		);
		const added = watching.service.addAssets(5);
		watching.service.assets = [...watching.service.assets].reverse();
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
		expect(await workflow.poll()).toEqual([]);
	});

	it('that is deleted before the next poll runs nothing', async () => {
		const workflow = await watching.activateWorkflow();
		const before = watching.service.assets;
		watching.service.addAssets(1);
		watching.service.assets = before;
		expect(await workflow.poll()).toEqual([]);
	});

	it('whose ID is a number is recognized in the next poll', async () => {
		const list = (...numbers: number[]) => ({
			body: { assets: numbers.map((id) => ({ id, name: `Asset ${id}` })) },
			when: { path: '/v1/assets' },
			times: 3,
		});
		watching.service.injectFault(list(1, 2));
		const workflow = await watching.activateWorkflow();
		watching.service.injectFault(list(1, 2, 3));
		expect(getItemIds(await workflow.poll())).toEqual([3]);
	});

	it.each([{}, { id: null }, { id: '' }])(
		'without an ID is recognized by its other fields, even if its link changes: %j',
		async (id) => {
			let link = 0;
			const getUrl = () => `https://files.example/${++link}`;
			const list = (...wanted: string[]) => ({
				body: { assets: wanted.map((name) => ({ ...id, name, url: getUrl() })) },
				when: { path: '/v1/assets' },
				times: 3,
			});
			watching.service.injectFault(list('A'));
			const workflow = await watching.activateWorkflow(watchAssets({ firstPage: '1' }));
			watching.service.reset();
			watching.service.injectFault(list('A', 'B'));
			expect(getItemNames(await workflow.poll())).toEqual(['B']);
		},
	);
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
	it('an asset that is renamed', async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.assets = watching.service.assets.map((asset) => ({
			...asset,
			name: `${asset.name} renamed`,
		}));
		await expectOnlyAdded(workflow);
	});

	it('the remaining assets if some are deleted', async () => {
		watching.service.addAssets(150);
		const workflow = await watching.activateWorkflow();
		watching.service.assets = watching.service.assets.filter((_, index) => index % 3 !== 0);
		await expectOnlyAdded(workflow);
	});

	it('an asset that is temporarily missing from the list', async () => {
		const workflow = await watching.activateWorkflow();
		const all = watching.service.assets;
		watching.service.assets = all.slice(1);
		expect(await workflow.poll()).toEqual([]);
		watching.service.assets = [];
		expect(await workflow.poll()).toEqual([]);
		watching.service.assets = all;
		await expectOnlyAdded(workflow);
	});

	it('an asset that moves to another page', async () => {
		watching.service.addAssets(12);
		const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 5 }));
		for (let round = 0; round < 3; round++) {
			const [first, ...others] = watching.service.assets;
			watching.service.assets = [...others, first!];
			await expectOnlyAdded(workflow);
		}
	});

	it('assets in a different order', async () => {
		watching.service.addAssets(60);
		watching.service.configure({ pagination: { order: 'shuffled' } });
		const workflow = await watching.activateWorkflow();
		expect(await workflow.poll()).toEqual([]);
		const added = watching.service.addAssets(3);
		expect(getItemIds(await workflow.poll()).sort()).toEqual(getIds(added).sort());
		expect(await workflow.poll()).toEqual([]);
	});

	it('assets on two overlapping pages', async () => {
		watching.service.addAssets(30);
		const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 10 }));
		// Pages shift by one asset while the list is read.
		watching.service.injectFault({
			when: (request) => {
				if (request.path !== '/v1/assets' || request.query.Page !== '1') return false;
				watching.service.assets = [watching.service.addAssets(1)[0]!, ...watching.service.assets];
				return false;
			},
		});
		const before = watching.service.assets;
		const emitted = [...getItemIds(await workflow.poll()), ...getItemIds(await workflow.poll())];
		expect(emitted.length).toBeGreaterThan(0);
		expect(new Set(emitted).size).toBe(emitted.length);
		expect(getIds(before).filter((id) => emitted.includes(id))).toEqual([]);
	});
});

describe('Newest First for a service that lists the newest last', () => {
	const clock = useClock();

	it('emits what is new within an hour, and says so', async () => {
		clock.run(1);
		watching.service.addAssets(20);
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true, pageSize: 10 }),
		);
		const added = getIds(watching.service.addAssets(3));
		expect(await workflow.poll()).toEqual([]);
		await clock.pass(3_600_000);
		expect(getItemIds(await workflow.poll()).sort()).toEqual(added.sort());
		expect(warnings.join()).toContain('turn off Newest First');
		expect(await workflow.poll()).toEqual([]);
	});

	it('emits all of it, one by one, if a poll has little time', async () => {
		clock.run(1);
		watching.service.addAssets(20);
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true, pageSize: 10 }),
		);
		const added = getIds(watching.service.addAssets(3));
		await clock.pass(3_600_000);
		const emitted = getItemIds(await workflow.update({ budgetMs: 0 }));
		for (let poll = 0; poll < 2; poll++) emitted.push(...getItemIds(await workflow.poll()));
		expect(emitted.sort()).toEqual(added.sort());
	});

	it('emits it also if n8n restarts every few minutes', async () => {
		clock.run(1);
		watching.service.addAssets(20);
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true, pageSize: 10 }),
		);
		const added = getIds(watching.service.addAssets(3));
		const emitted: unknown[] = [];
		for (let restart = 0; restart < 13; restart++) {
			await clock.pass(300_000);
			emitted.push(...getItemIds(await workflow.restart()));
		}
		expect(emitted.sort()).toEqual(added.sort());
	});

	it('is no reason to warn if the newest do come first', async () => {
		clock.run(1);
		watching.service.configure({ pagination: { order: 'newest' } });
		watching.service.addAssets(40);
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true, pageSize: 10 }),
		);
		const added = getIds(watching.service.addAssets(15));
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

	it('emits the assets of the next day', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains }));
		await clock.pass(86_400_000);
		const name = addAssetOfToday();
		expect(getItemNames(await workflow.poll())).toEqual([name]);
	});

	it('says so if it starts over after a restart of n8n', async () => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains }));
		await clock.pass(86_400_000);
		addAssetOfToday();
		expect(await workflow.restart()).toEqual([]);
		expect(warnings.join()).toContain('its name, event, filters or credential changed');
	});
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

test('an asset that is deleted during activation makes no other one count as new', async () => {
	watching.service.addAssets(30);
	let isDeleted = false;
	watching.service.injectFault({
		when: ({ query }) => {
			if (query.Page === '1' && !isDeleted) {
				isDeleted = true;
				watching.service.assets = watching.service.assets.slice(1);
			}
			return false;
		},
	});
	watching.service.configure({ pagination: { firstPage: 0 } });
	const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 10 }));
	expect(isDeleted).toBe(true);
	expect(await workflow.poll()).toEqual([]);
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

	it('starts a poll while another is running, and nothing is emitted twice', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(2);
		watching.service.injectFault({ latencyMs: 50, times: 1 });
		const polls = await Promise.all([workflow.poll(), workflow.poll()]);
		expect(polls.map(getItemIds)).toEqual([getIds(added), []]);
		expect(await workflow.poll()).toEqual([]);
	});

	it.each(['update', 'activate'] as const)(
		'publishes the workflow (%s) while a poll is running, and each record is emitted once',
		async (mode) => {
			const workflow = await watching.activateWorkflow();
			const added = watching.service.addAssets(2);
			watching.service.injectFault({ latencyMs: 50, times: 1 });
			const polls = await Promise.all([workflow.poll(), workflow.activate(mode)]);
			expect(polls.map(getItemIds)).toEqual([[], getIds(added)]);
			expect(await workflow.poll()).toEqual([]);
			expect(await workflow.restart()).toEqual([]);
		},
	);

	it('leaves little time, and the rest is emitted in the next polls', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(3);
		const emitted = [...getItemIds(await workflow.update({ budgetMs: 0 }))];
		// n8n 1.x sets no limit.
		expect(emitted).toHaveLength(isVersion1 ? 3 : 1);
		for (let poll = 0; poll < 3; poll++) emitted.push(...getItemIds(await workflow.poll()));
		expect(emitted).toEqual(getIds(added));
	});
});

describe('an asset that is renamed to match Name Contains', () => {
	const rename = (name: string) => (watching.service.assets.at(-1)!.name = name);

	it.each<['poll' | 'restart' | 'pollDurably']>([['poll'], ['restart'], ['pollDurably']])(
		'is emitted once if it was added since the workflow was activated (%s)',
		async (poll) => {
			const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains: 'logo' }));
			watching.service.addAssets(1);
			rename('Draft');
			expect(await workflow[poll]()).toEqual([]);
			rename('Sketch');
			expect(await workflow.poll()).toEqual([]);
			rename('Logo');
			expect(getItemNames(await workflow[poll]())).toEqual(['Logo']);
			rename('Old');
			expect(await workflow[poll]()).toEqual([]);
			rename('Logo 2');
			expect(await workflow[poll]()).toEqual([]);
		},
	);

	it.each(['poll', 'restart'] as const)('is not if it was there before (%s)', async (poll) => {
		const workflow = await watching.activateWorkflow(watchAssets({}, { nameContains: 'logo' }));
		expect(await workflow.poll()).toEqual([]);
		rename('Logo');
		expect(await workflow[poll]()).toEqual([]);
	});
});

describe('a change of', () => {
	it.each<[string, INodeParameters, INodeParameters, () => unknown]>([
		['Types', { kinds: ['video'] }, { kinds: ['image'] }, () => watching.service.addAssets(30)],
		['Name Contains', { nameContains: 'no such name' }, {}, () => watching.service.addAssets(30)],
	])('%s does not emit the records passed over before', async (_name, before, after, add) => {
		const workflow = await watching.activateWorkflow(watchAssets({}, before));
		add();
		expect(await workflow.poll()).toEqual([]);
		expect(await workflow.update({ parameters: watchAssets({}, after) })).toEqual([]);
		await expectOnlyAdded(workflow);
		await workflow.restart();
		await expectOnlyAdded(workflow);
	});

	it.each<[string, string[] | undefined, string[]]>([
		['the order of Types', ['image', 'video'], ['video', 'image']],
		['no Types to none of them', undefined, []],
	])('%s loses nothing', async (_name, before, after) => {
		const workflow = await watching.activateWorkflow(watchAssets({}, before && { kinds: before }));
		const added = watching.service.addAssets(1);
		const parameters = watchAssets({}, { kinds: after });
		expect(getItemIds(await workflow.update({ parameters }))).toEqual(getIds(added));
	});

	it('the language does not emit the voices passed over before', async () => {
		const workflow = await watching.activateWorkflow(watchVoices({ languageCode: 'xx-XX' }));
		const add = (name: string) =>
			(watching.service.voices = [
				...watching.service.voices,
				createVoice(watching.service.voices, name),
			]);
		add('amber');
		expect(await workflow.poll()).toEqual([]);
		const parameters = watchVoices({ languageCode: 'en-GB' });
		expect(await workflow.update({ parameters })).toEqual([]);
		add('blanche');
		expect(getItemNames(await workflow.poll())).toEqual(['Blanche']);
	});

	it("the node's name starts over, and says so", async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.addAssets(1);
		expect(await workflow.update({ name: 'Renamed' })).toEqual([]);
		expect(warnings.join()).toContain('The trigger is new, or its name');
		await expectOnlyAdded(workflow);
	});

	it('options does not emit existing records', async () => {
		watching.service.addAssets(20);
		const workflow = await watching.activateWorkflow();
		const parameters = watchAssets({ newestFirst: true, pageSize: 3, firstPage: '1' });
		expect(await workflow.update({ parameters })).toEqual([]);
	});

	it('the credential starts over with the new account', async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.assets = [];
		const others = watching.service.addAssets(20);
		expect(await workflow.update({ credentialId: '2' })).toEqual([]);
		await expectOnlyAdded(workflow);
		watching.service.assets = others;
		expect(await workflow.update({ credentialId: '1' })).toEqual([]);
	});

	it("the API key to another account's starts over with the new account, and says so", async () => {
		const workflow = await watching.activateWorkflow();
		replaceKey(workflow);
		watching.service.assets = [];
		watching.service.addAssets(20);
		expect(await workflow.poll()).toEqual([]);
		expect(warnings.join()).toContain('nothing seen before is listed');
		await expectOnlyAdded(workflow);
		await workflow.restart();
		await expectOnlyAdded(workflow);
	});

	it("the API key to an empty account's does not lose its first asset", async () => {
		const workflow = await watching.activateWorkflow();
		replaceKey(workflow);
		watching.service.assets = [];
		expect(await workflow.poll()).toEqual([]);
		await expectOnlyAdded(workflow);
	});

	it('the API key to another one of the same account loses nothing', async () => {
		const workflow = await watching.activateWorkflow();
		replaceKey(workflow);
		const [old] = watching.service.assets;
		const added = watching.service.addAssets(3);
		watching.service.assets = [...added, old!];
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
		expect(warnings).toEqual([]);
	});

	it('the API key loses nothing if n8n restarts before the workflow has run', async () => {
		const workflow = await watching.activateWorkflow();
		replaceKey(workflow);
		expect(await workflow.poll()).toEqual([]);
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.restart())).toEqual(getIds(added));
	});

	it.each([
		['that leads to the same records', (url: string) => url.replace('127.0.0.1', 'localhost')],
		['spelled in another way', (url: string) => ` ${url}/v1/ `],
	])('Base URL in the credential to one %s loses nothing', async (_which, change) => {
		const workflow = await watching.activateWorkflow();
		workflow.credentials.baseUrl = change(watching.service.url);
		await expectOnlyAdded(workflow);
	});

	it('Base URL in the credential starts over if it leads to other records', async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.assets = [];
		watching.service.addAssets(20);
		workflow.credentials.baseUrl = watching.service.url.replace('127.0.0.1', 'localhost');
		expect(await workflow.poll()).toEqual([]);
		await expectOnlyAdded(workflow);
	});

	it('the event starts over with the other records, in both directions', async () => {
		const workflow = await watching.activateWorkflow();
		expect(await workflow.update({ parameters: watchVoices() })).toEqual([]);
		watching.service.addAssets(5);
		watching.service.voices = [
			...watching.service.voices,
			createVoice(watching.service.voices, 'amber'),
		];
		expect(getItemNames(await workflow.poll())).toEqual(['Amber']);
		expect(await workflow.update({ parameters: watchAssets() })).toEqual([]);
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});
});
