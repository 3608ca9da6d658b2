import type { Fault, PaginationOptions } from '../../service/service';
import { isVersion1 } from '../support/engine/engine';
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

describe('switching the workflow on', () => {
	test('does not run it for the assets that are there already', async () => {
		watching.service.addAssets(250);
		const workflow = await watching.createWorkflow();
		expect(await workflow.activate()).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
	});

	test('does not run it for the voices that are there already', async () => {
		const workflow = await watching.createWorkflow(watchVoices());
		expect(await workflow.activate()).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
	});

	test('works where there is nothing yet, and the first asset runs it', async () => {
		watching.service.assets = [];
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});

	test('again after a break does not run it for what came in the break', async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.addAssets(3);
		expect(await workflow.activate()).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});

	test('again does not forget what a list leaves out just then', async () => {
		const workflow = await watching.activateWorkflow();
		const [hidden, ...others] = watching.service.assets;
		watching.service.assets = others;
		await workflow.activate();
		watching.service.assets = [hidden!, ...others];
		expect(await workflow.poll()).toEqual([]);
	});

	test('fails with a readable error while the service is down, and leaves nothing behind', async () => {
		const workflow = await watching.createWorkflow();
		watching.service.injectFault({ status: 500, times: 4 });
		await expect(workflow.activate()).rejects.toThrow('did not complete the request (500)');
		expect(workflow.memory()).toBe('{"node:New Asset or Voice":{}}');
		expect(await workflow.activate()).toEqual([]);
	});
});

test.each<[string, Fault]>([
	['error', { status: 500 }],
	['empty list', { body: { assets: [] } }],
	['empty body', { body: '' }],
])(
	'one %s for the first page, while the workflow is switched on, brings no backlog later',
	async (_name, fault) => {
		watching.service.configure({ pagination: { firstPage: 0 } });
		watching.service.addAssets(20);
		watching.service.injectFault({ ...fault, times: 1 });
		const workflow = await watching.activateWorkflow();
		expect(await workflow.poll()).toEqual([]);
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
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

test.each([400, 404, 416, 422])(
	'an account without assets can be watched although pages after the last are refused (%i)',
	async (status) => {
		for (const emptyList of [undefined, status]) {
			const pagination = { firstPage: 0, pageBeyondLast: status, emptyList } as const;
			watching.service.configure({ pagination });
			watching.service.assets = [];
			const workflow = await watching.activateWorkflow();
			const added = watching.service.addAssets(1);
			expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
		}
	},
);

describe('a new record', () => {
	test('runs the workflow once, with the asset as the service lists it', async () => {
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

	test('each of several comes as an item of its own, in the order of the list', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(250);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
		expect(await workflow.poll()).toEqual([]);
	});

	test('a voice runs the workflow once, with the whole voice', async () => {
		const workflow = await watching.activateWorkflow(watchVoices());
		const voice = createVoice(watching.service.voices, 'amber');
		watching.service.voices = [voice, ...watching.service.voices];
		expect(await workflow.poll()).toEqual([{ json: voice }]);
		expect(await workflow.poll()).toEqual([]);
	});

	test('the oldest comes first where the service lists the newest first', async () => {
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true, pageSize: 2 }),
		);
		const added = watching.service.addAssets(5);
		watching.service.assets = [...watching.service.assets].reverse();
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
		expect(await workflow.poll()).toEqual([]);
	});

	test('one that is deleted before the next poll runs nothing', async () => {
		const workflow = await watching.activateWorkflow();
		const before = watching.service.assets;
		watching.service.addAssets(1);
		watching.service.assets = before;
		expect(await workflow.poll()).toEqual([]);
	});

	test('whose ID is a number is known again as well', async () => {
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

	test('without any ID is known by its other fields, though its link is a fresh one each time', async () => {
		let link = 0;
		const list = (...wanted: string[]) => ({
			body: { assets: wanted.map((name) => ({ name, url: `https://files.example/${++link}` })) },
			when: { path: '/v1/assets' },
			times: 3,
		});
		watching.service.injectFault(list('A'));
		const workflow = await watching.activateWorkflow(watchAssets({ firstPage: '1' }));
		watching.service.reset();
		watching.service.injectFault(list('A', 'B'));
		expect(getItemNames(await workflow.poll())).toEqual(['B']);
	});
});

describe('what is not new', () => {
	test('an asset that is renamed', async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.assets = watching.service.assets.map((asset) => ({
			...asset,
			name: `${asset.name} renamed`,
		}));
		expect(await workflow.poll()).toEqual([]);
	});

	test('the others, when one is deleted', async () => {
		watching.service.addAssets(150);
		const workflow = await watching.activateWorkflow();
		watching.service.assets = watching.service.assets.filter((_, index) => index % 3 !== 0);
		expect(await workflow.poll()).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
	});

	test('an asset that is missing from one list and back in the next', async () => {
		const workflow = await watching.activateWorkflow();
		const all = watching.service.assets;
		watching.service.assets = all.slice(1);
		expect(await workflow.poll()).toEqual([]);
		watching.service.assets = [];
		expect(await workflow.poll()).toEqual([]);
		watching.service.assets = all;
		expect(await workflow.poll()).toEqual([]);
	});

	test('an asset that moves to another page', async () => {
		watching.service.addAssets(20);
		const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 5 }));
		for (let round = 0; round < 5; round++) {
			const [first, ...others] = watching.service.assets;
			watching.service.assets = [...others, first!];
			expect(await workflow.poll()).toEqual([]);
		}
	});

	test('assets in another order than before', async () => {
		watching.service.addAssets(60);
		watching.service.configure({ pagination: { order: 'shuffled' } });
		const workflow = await watching.activateWorkflow();
		expect(await workflow.poll()).toEqual([]);
		const added = watching.service.addAssets(3);
		expect(getItemIds(await workflow.poll()).sort()).toEqual(getIds(added).sort());
		expect(await workflow.poll()).toEqual([]);
	});

	test('assets that two pages overlap in', async () => {
		watching.service.addAssets(30);
		const workflow = await watching.activateWorkflow(watchAssets({ pageSize: 10 }));
		// Pages shift by one while the list is being read.
		watching.service.injectFault({
			when: (request) => {
				if (request.path !== '/v1/assets' || request.query.Page !== '1') return false;
				watching.service.assets = [watching.service.addAssets(1)[0]!, ...watching.service.assets];
				return false;
			},
		});
		const before = watching.service.assets;
		const emitted = [...getItemIds(await workflow.poll()), ...getItemIds(await workflow.poll())];
		expect(new Set(emitted).size).toBe(emitted.length);
		expect(getIds(before).filter((id) => emitted.includes(id))).toEqual([]);
	});
});

describe('a service that lists several pages in another order at every request', () => {
	test('has each new asset run the workflow once in the end, and brings no backlog', async () => {
		watching.service.addAssets(250);
		watching.service.configure({ pagination: { order: 'shuffled' } });
		const workflow = await watching.createWorkflow();
		expect(await workflow.activate()).toEqual([]);
		const added = getIds(watching.service.addAssets(20));
		const emitted: unknown[] = [];
		for (let poll = 0; poll < 20; poll++) emitted.push(...getItemIds(await workflow.poll()));
		expect(new Set(emitted).size).toBe(emitted.length);
		expect(emitted).toEqual(expect.arrayContaining(added));
		// By chance every reading may leave one and the same asset out.
		expect(emitted.length).toBeLessThanOrEqual(added.length + 2);
	});
});

test('an asset that is deleted while the workflow is switched on makes no other one new', async () => {
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

const conventions: Record<string, PaginationOptions> = {
	'counts from 0': { firstPage: 0 },
	'counts from 1 and takes 0 for 1': { firstPage: 1, pageZero: 'sameAsFirst' },
	'counts from 1 and refuses page 0': { firstPage: 1, pageZero: 400 },
	'counts from 1 and has nothing on page 0': { firstPage: 1, pageZero: 'empty' },
	'has smaller pages than asked for': { firstPage: 1, maxPageSize: 3 },
	'ignores pagination': { ignored: true },
	'refuses a page after the last': { firstPage: 0, pageBeyondLast: 400 },
	'repeats the last page': { firstPage: 1, pageBeyondLast: 'last' },
};

describe.each(Object.entries(conventions))('a service that %s', (_name, pagination) => {
	test.each([false, true])(
		'runs the workflow once for each new asset (newest first: %s)',
		async (newestFirst) => {
			watching.service.addAssets(6);
			watching.service.configure({ pagination });
			const place = (count: number) => {
				const before = watching.service.assets;
				const added = watching.service.addAssets(count);
				if (newestFirst) watching.service.assets = [...added].reverse().concat(before);
				return getIds(added);
			};
			const workflow = await watching.activateWorkflow(watchAssets({ newestFirst, pageSize: 5 }));
			for (const count of [1, 0, 12, 2]) {
				const added = place(count);
				expect(getItemIds(await workflow.poll())).toEqual(added);
			}
			expect(await workflow.poll()).toEqual([]);
		},
	);
});

describe('n8n', () => {
	test('restarts, and the workflow runs for what came meanwhile', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(3);
		expect(getItemIds(await workflow.restart())).toEqual(getIds(added));
		expect(await workflow.restart()).toEqual([]);
		expect(await workflow.poll()).toEqual([]);
	});

	test('restarts over and over, and nothing comes twice', async () => {
		const workflow = await watching.activateWorkflow();
		for (let round = 0; round < 5; round++) {
			const added = watching.service.addAssets(2);
			expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
			expect(await workflow.restart()).toEqual([]);
		}
	});

	test('hands the workflow over to another main process, which polls on', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.activate('leadershipChange'))).toEqual(getIds(added));
		expect(await workflow.poll()).toEqual([]);
	});

	test('publishes a changed workflow, which polls on', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(2);
		expect(getItemIds(await workflow.update())).toEqual(getIds(added));
		expect(await workflow.poll()).toEqual([]);
	});

	test('polls durably, with a fresh context each time', async () => {
		const workflow = await watching.activateWorkflow();
		expect(await workflow.pollDurably()).toEqual([]);
		const added = watching.service.addAssets(2);
		expect(getItemIds(await workflow.pollDurably())).toEqual(getIds(added));
		expect(await workflow.pollDurably()).toEqual([]);
	});

	test('stores nothing new after a durable poll that found nothing', async () => {
		const workflow = await watching.activateWorkflow(
			watchAssets({ newestFirst: true, pageSize: 2 }),
		);
		await workflow.pollDurably();
		const memory = workflow.memory();
		await workflow.pollDurably();
		expect(workflow.memory()).toBe(memory);
	});

	test('starts a poll while another goes on, and nothing comes twice', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(2);
		watching.service.injectFault({ latencyMs: 200, times: 1 });
		const polls = await Promise.all([workflow.poll(), workflow.poll()]);
		expect(polls.map(getItemIds)).toEqual([getIds(added), []]);
		expect(await workflow.poll()).toEqual([]);
	});

	test('leaves little time, and what was not got to comes in the next polls', async () => {
		const workflow = await watching.activateWorkflow();
		const added = watching.service.addAssets(3);
		const emitted = [...getItemIds(await workflow.update({ budgetMs: 0 }))];
		// n8n 1.x sets no limit.
		expect(emitted).toHaveLength(isVersion1 ? 3 : 1);
		for (let poll = 0; poll < 3; poll++) emitted.push(...getItemIds(await workflow.poll()));
		expect(emitted).toEqual(getIds(added));
	});
});

describe('a change of', () => {
	test('the filters does not let through what was there before', async () => {
		const filtered = watchAssets({}, { nameContains: 'nothing has this name' });
		const workflow = await watching.activateWorkflow(filtered);
		watching.service.addAssets(20);
		expect(await workflow.poll()).toEqual([]);
		await workflow.pollDurably();
		expect(await workflow.update({ parameters: watchAssets() })).toEqual([]);
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});

	test('the options does not either', async () => {
		watching.service.addAssets(20);
		const workflow = await watching.activateWorkflow();
		const parameters = watchAssets({ newestFirst: true, pageSize: 3, firstPage: '1' });
		expect(await workflow.update({ parameters })).toEqual([]);
	});

	test('the credential starts over with the other account', async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.assets = [];
		const others = watching.service.addAssets(20);
		expect(await workflow.update({ credentialId: '2' })).toEqual([]);
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
		watching.service.assets = others;
		expect(await workflow.update({ credentialId: '1' })).toEqual([]);
	});

	test("the API key to another account's does not run it for what that account has", async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.configure({ apiKey: 'key-of-another-account' });
		workflow.credentials.apiKey = 'key-of-another-account';
		watching.service.assets = [];
		watching.service.addAssets(20);
		expect(await workflow.poll()).toEqual([]);
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
		expect(workflow.memory()).not.toContain('key-of-another');
	});

	test('Base URL in the credential starts over at the other address', async () => {
		const workflow = await watching.activateWorkflow();
		watching.service.addAssets(20);
		workflow.credentials.baseUrl = watching.service.url.replace('127.0.0.1', 'localhost');
		expect(await workflow.poll()).toEqual([]);
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});

	test('how Base URL is written does not', async () => {
		const workflow = await watching.activateWorkflow();
		workflow.credentials.baseUrl = ` ${watching.service.url}/v1/ `;
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});

	test('the event starts over with the other records, there and back', async () => {
		const workflow = await watching.activateWorkflow();
		expect(await workflow.update({ parameters: watchVoices() })).toEqual([]);
		watching.service.addAssets(5);
		watching.service.voices = [
			...watching.service.voices,
			createVoice(watching.service.voices, 'amber'),
		];
		expect(getItemNames(await workflow.poll())).toEqual(['amber']);
		expect(await workflow.update({ parameters: watchAssets() })).toEqual([]);
		const added = watching.service.addAssets(1);
		expect(getItemIds(await workflow.poll())).toEqual(getIds(added));
	});
});
