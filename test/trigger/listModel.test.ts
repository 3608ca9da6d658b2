import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';

import * as fc from 'fast-check';

import { forgetLists } from '../../nodes/AvatarStudio/client/knownLists';
import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import { forgetNodes } from '../../nodes/AvatarStudio/trigger/memory';
import type { Asset } from '../../service/service';
import { createUuid } from '../../service/uuids';
import { useClock } from '../support/clock';
import { warnings } from '../support/engine/engine';
import { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import { optional } from '../support/optional';
import { getItemNames, useTrigger, watchAssets } from '../support/trigger';

/** How late a record may be that no short read shows. */
const MAX_LATE_MS = 3_600_000;
const ORDERS = ['oldest', 'newest', 'byName', 'changing'] as const;

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;

const between = (min: number, max: number) => fc.integer({ min, max });
const request = between(1, 6);

/** What happens to the list before a poll, and during it. */
const step = fc.record({
	minutes: fc.constantFrom(1, 1, 1, 1, 2, 9, 25, 61),
	add: fc.constantFrom(0, 0, 0, 1, 1, 2, 3, 12),
	/** What is added shows so many steps later. */
	hiddenSteps: fc.constantFrom(0, 0, 0, 0, 3),
	/** The first request for the details of what is added fails so many times. */
	broken: fc.constantFrom(0, 0, 0, 4),
	removed: fc.array(fc.nat(99), { maxLength: 3 }),
	isWiped: fc.nat(29).map((nat) => nat === 0),
	/** How n8n polls; which of two ways depends on its scheduler. */
	poll: fc.constantFrom(0, 0, 0, 0, 0, 1, 1, 2, 3),
	/** The list request with this number fails. */
	fault: optional(request, 6),
	/** What happens while the request with this number is on its way. */
	during: optional(
		fc.record({ request, add: between(0, 2), removed: fc.array(fc.nat(99), { maxLength: 2 }) }),
		6,
	),
});
type Step = ValueOf<typeof step>;

const models = fc.record({
	order: fc.constantFrom(...ORDERS),
	pageSize: between(3, 8),
	pagination: fc
		.record({
			firstPage: fc.constantFrom(0 as const, 1 as const),
			pageZero: fc.constantFrom('sameAsFirst' as const, 'empty' as const, 404, 500),
			pageBeyondLast: fc.constantFrom('empty' as const, 'last' as const, 404),
			maxPageSize: fc.constantFrom(3, 5, 100, 100),
		})
		// The end of a list is proved by a page of another size.
		.filter(({ pageBeyondLast, maxPageSize }) => pageBeyondLast !== 404 || maxPageSize === 100),
	/** Whether the details are requested, because the list has only IDs and names. */
	isMinimal: fc.nat(3).map((nat) => nat === 0),
	isDurable: fc.boolean(),
	initial: fc.constantFrom(0, 3, 14, 30, 31, 47),
	steps: fc.array(step, { minLength: 5, maxLength: 40 }),
});
type ListModel = ValueOf<typeof models>;

/** A record, and since when a poll may have found it. */
interface Tracked extends Asset {
	created: number;
	visibleAtStep: number;
	broken: number;
	since?: number;
}

const watching = useTrigger();
const clock = useClock();

/** The list of a model, and the judge of what is emitted. */
class ListWorld {
	private records: Tracked[] = [];
	private step = 0;
	private created = 0;
	private readonly emitted = new Set<string>();
	private readonly old = new Set<string>();
	readonly workflow: TriggerWorkflow;
	latestMs = 0;

	constructor(private readonly model: ListModel) {
		const { pageSize, pagination, isMinimal, initial } = model;
		watching.service.configure({
			pagination,
			listedAssetFields: isMinimal ? 'minimal' : undefined,
		});
		const filters = isMinimal ? { kinds: ['image'] } : {};
		this.workflow = new TriggerWorkflow(watchAssets({ pageSize }, filters), watching.credentials);
		this.add(initial, 0, 0);
		for (const { id } of this.records) this.old.add(id);
		this.list();
	}

	async run(): Promise<void> {
		while (true) {
			// An activation that fails is tried again, as a user would.
			const items = await this.workflow.activate().catch(() => undefined);
			if (items) break;
		}
		for (const step of this.model.steps) await this.take(step);
	}

	private async take(step: Step): Promise<void> {
		this.step++;
		await clock.pass(step.minutes * 60_000);
		if (step.isWiped) this.records = [];
		this.add(step.add, step.hiddenSteps, step.broken);
		this.remove(step.removed);
		this.list();
		const now = performance.now();
		for (const record of this.listVisible()) {
			if (record.broken === 0) record.since ??= now;
		}
		const before = new Set(this.listVisible());
		const everListed = new Set(this.listVisible().map(({ id }) => id));
		const faults = this.injectFaults(step, everListed);
		const items = await this.poll(step).catch((error: Error) => {
			if (error.name !== 'NodeApiError') throw error;
			return undefined;
		});
		watching.service.clearFaults();
		// A record that moves while the list is read may be missed once more.
		if (faults.isDisturbed()) for (const record of this.records) record.since = undefined;
		if (items) this.judge(items as string[], now, before, everListed);
	}

	private async poll({ poll }: Step) {
		const { workflow } = this;
		const durable = ['pollWithFreshContext', 'pollDurably', 'restart', 'pollInVain'] as const;
		const regular = ['poll', 'poll', 'restart', 'update'] as const;
		const way = (this.model.isDurable ? durable : regular)[poll];
		if (way === 'restart') forgetProcess();
		const items = await workflow[way]();
		// A restart that fails is left to the next poll.
		const said = warnings.splice(0);
		const isLeft = said.some((text) => text.includes('The next poll tries again'));
		const unexpected = said.filter((text) => !/could not be read|The next poll/.test(text));
		assert.deepEqual(unexpected, [], 'it says more than it should');
		return items && !isLeft ? getItemNames(items) : undefined;
	}

	private judge(names: string[], now: number, before: Set<Tracked>, everListed: Set<string>) {
		assert.equal(new Set(names).size, names.length, 'emitted twice at once');
		for (const name of names) {
			const id = createUuid(name);
			assert.ok(!this.old.has(id), 'emitted though it was there at the activation');
			assert.ok(!this.emitted.has(id), `emitted twice: ${name}`);
			assert.ok(everListed.has(id), 'emitted though it is gone');
			this.emitted.add(id);
		}
		for (const { id, since } of this.listVisible().filter((record) => before.has(record))) {
			if (this.old.has(id) || since === undefined) continue;
			const isEmitted = this.emitted.has(id);
			if (!isEmitted) this.latestMs = Math.max(this.latestMs, now - since);
			assert.ok(isEmitted || now - since < MAX_LATE_MS, 'not emitted within an hour');
		}
	}

	private injectFaults({ fault, during }: Step, everListed: Set<string>) {
		const { service } = watching;
		let requests = 0;
		let isDisturbed = false;
		const injected = {
			status: 500,
			when: ({ path }: { path: string }) => {
				if (path !== '/v1/assets') return this.isBroken(path);
				requests++;
				if (during?.request === requests) {
					isDisturbed = true;
					this.add(during.add, 0, 0);
					this.remove(during.removed);
					this.list();
					for (const { id } of this.listVisible()) everListed.add(id);
				}
				return fault === requests;
			},
		};
		service.injectFault({ ...injected, status: 404, when: ({ path }) => this.isBroken(path) });
		service.injectFault({
			...injected,
			when: (it) => it.path === '/v1/assets' && injected.when(it),
		});
		return { isDisturbed: () => isDisturbed };
	}

	private isBroken(path: string): boolean {
		const record = this.records.find(({ id }) => path.endsWith(id));
		if (!record || record.broken === 0) return false;
		record.broken--;
		return true;
	}

	private add(count: number, hiddenSteps: number, broken: number): void {
		for (let added = 0; added < count; added++) {
			const created = ++this.created;
			const name = createHash('sha256').update(`${created}`).digest('hex').slice(0, 12);
			const asset = { id: createUuid(name), name, extension: '.png', content: Buffer.from('') };
			const visibleAtStep = this.step + hiddenSteps;
			const isBroken = this.model.isMinimal ? broken : 0;
			this.records.push({ ...asset, created, visibleAtStep, broken: isBroken });
		}
	}

	private remove(indexes: number[]): void {
		for (const index of indexes) this.records.splice(index % (this.records.length + 1), 1);
	}

	private listVisible(): Tracked[] {
		return this.records.filter(({ visibleAtStep }) => visibleAtStep <= this.step);
	}

	/** Lets the service list what is visible, in the order of the model. */
	private list(): void {
		const { order } = this.model;
		const sorted = this.listVisible().sort((one, other) => {
			if (order === 'byName') return one.name < other.name ? -1 : 1;
			return one.created - other.created;
		});
		if (order === 'newest') sorted.reverse();
		const turn = order === 'changing' ? Math.floor(this.step / 4) % (sorted.length || 1) : 0;
		watching.service.assets = [...sorted.slice(turn), ...sorted.slice(0, turn)];
	}
}

function forgetProcess(): void {
	forgetLists();
	forgetNodes();
	forgetRateLimits();
}

async function watch(model: ListModel): Promise<void> {
	watching.service.reset();
	forgetProcess();
	warnings.length = 0;
	const world = new ListWorld(model);
	await world.run();
}

test('G9, G14: Each record is emitted once, an hour late at most, whatever the order and the pages', async () => {
	clock.run();
	const property = fc.asyncProperty(models, watch);
	await expect(
		fc.assert(property, { numRuns: 40, seed: 1, includeErrorInReport: true }),
	).resolves.toBeUndefined();
}, 3_600_000);
