import type { INodeExecutionData } from 'n8n-workflow';

import type { Asset, Fault, PaginationOptions } from '../../service/service';
import { useClock } from '../support/clock';
import type { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import { randomFrom } from '../support/random';
import { getIds, getItemIds, useTrigger, watchAssets } from '../support/trigger';

const watching = useTrigger();
const clock = useClock();

const ROUNDS = 50;

const services: [string, PaginationOptions, boolean][] = [
	['counts from 0', { firstPage: 0 }, false],
	['counts from 0, newest first', { firstPage: 0 }, true],
	['takes 0 for 1', { pageZero: 'sameAsFirst' }, false],
	['refuses page 0, newest first', { pageZero: 400 }, true],
	['has nothing on page 0', { pageZero: 'empty' }, false],
	['has small pages', { maxPageSize: 7 }, false],
	['has small pages, newest first', { maxPageSize: 3 }, true],
	['ignores pagination', { ignored: true }, false],
	['repeats the last page', { pageBeyondLast: 'last' }, false],
	['lists in another order each time', { ignored: true, order: 'shuffled' }, false],
];

// 10 services of 50 rounds each.
test.each(services)(
	'500 random rounds: with a service that %s, what is emitted is what was created, once',
	async (name, pagination, newestFirst) => {
		clock.run(100);
		const random = randomFrom(services.findIndex(([other]) => other === name) + 1);
		watching.service.configure({ pagination });
		watching.service.addAssets(random.upTo(30));
		const parameters = watchAssets({ pageSize: 10, newestFirst });
		const workflow = await watching.activateWorkflow(parameters);

		const everSeen = new Set(getIds(watching.service.assets));
		const wanted = new Set<string>();
		const emitted: unknown[] = [];
		let hidden: Asset[] = [];
		const failures: { isFaulty: boolean; forgot: boolean }[] = [];
		let now = 0;

		const change = () => {
			const { service } = watching;
			for (let times = random.upTo(4); times > 0; times--) {
				const at = random.upTo(service.assets.length - 1);
				switch (random.pick(['add', 'add', 'delete', 'rename', 'hide', 'show', 'move'])) {
					case 'add': {
						const before = service.assets;
						const added = service.addAssets(1 + random.upTo(random.pick([1, 3, 12])));
						service.assets = newestFirst ? [...[...added].reverse(), ...before] : service.assets;
						break;
					}
					case 'delete':
						service.assets = service.assets.filter((_, index) => index !== at);
						break;
					case 'rename':
						service.assets = service.assets.map((asset, index) =>
							index === at ? { ...asset, name: `Renamed ${random.upTo(999)}` } : asset,
						);
						break;
					case 'hide':
						// What was not seen yet would be new when it shows again, in the middle of the list.
						hidden.push(
							...service.assets.filter(({ id }, index) => index === at && everSeen.has(id)),
						);
						service.assets = service.assets.filter((asset) => !hidden.includes(asset));
						break;
					case 'show':
						service.assets = [...service.assets, ...hidden];
						hidden = [];
						break;
					case 'move':
						if (!newestFirst)
							service.assets = [...service.assets.slice(at), ...service.assets.slice(0, at)];
				}
			}
		};

		for (let round = 0; round < ROUNDS; round++) {
			change();
			const isFaulty = random.upTo(3) === 0;
			if (isFaulty) watching.service.injectFault(fault(random, () => now === round));
			now = round;
			const listed = getIds(watching.service.assets);
			const poll = random.pick(POLLS);
			const memory = workflow.memory();
			const outcome = await outcomeOf(poll(workflow));
			if (outcome === undefined) {
				failures.push({ isFaulty, forgot: poll === inProcess && workflow.memory() !== memory });
				continue;
			}
			const isNew = listed.filter((id) => !everSeen.has(id));
			expect(getItemIds(outcome).sort()).toEqual(isNew.sort());
			emitted.push(...getItemIds(outcome));
			for (const id of isNew) wanted.add(id);
			for (const id of listed) everSeen.add(id);
		}

		expect(new Set(emitted).size).toBe(emitted.length);
		expect(new Set(emitted)).toEqual(wanted);
		expect(emitted.length).toBeGreaterThan(ROUNDS);
		expect(failures.length).toBeGreaterThan(0);
		expect(failures.filter(({ isFaulty, forgot }) => !isFaulty || forgot)).toEqual([]);
		watching.service.requests.length = 0;
	},
	60_000,
);

const inProcess = async (workflow: TriggerWorkflow) => await workflow.poll();
const POLLS = [
	inProcess,
	inProcess,
	inProcess,
	inProcess,
	async (workflow: TriggerWorkflow) => await workflow.pollDurably(),
	async (workflow: TriggerWorkflow) => await workflow.restart(),
	async (workflow: TriggerWorkflow) => await workflow.update(),
];

/** The items of a poll, or undefined where it failed as the node fails. */
async function outcomeOf(poll: Promise<INodeExecutionData[]>) {
	return await poll.catch((error: Error) => {
		if (error.name !== 'NodeApiError') throw error;
		return undefined;
	});
}

/** Some pass within the poll, some make it fail, some meet no request at all. */
function fault({ pick, upTo }: ReturnType<typeof randomFrom>, isOn: () => boolean): Fault {
	const page = String(upTo(3));
	return {
		when: ({ path, query }) => isOn() && path === '/v1/assets' && query.Page === page,
		times: pick([1, 2, Infinity]),
		...pick<Fault>([
			{ status: 429 },
			{ status: 429, headers: { 'retry-after': '60' } },
			{ status: 503 },
			{ disconnect: 'beforeResponse' },
			{ disconnect: 'midBody' },
			{ status: 503, body: '<html>Down</html>', headers: { 'content-type': 'text/html' } },
		]),
	};
}
