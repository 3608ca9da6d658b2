import assert from 'node:assert/strict';
import type { IncomingMessage, ServerResponse } from 'node:http';

import * as fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { forgetLists } from '../../nodes/AvatarStudio/client/knownLists';
import { forgetRateLimits } from '../../nodes/AvatarStudio/client/limiter/rateLimiters';
import { useClock } from '../support/clock';
import { startEngine, warnings } from '../support/engine/engine';
import { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import { optional } from '../support/optional';
import { startRawHost } from '../support/rawHost';
import { watchAssets } from '../support/trigger';

/** Ten times what a poll needs: code that never ends would ask forever. */
const MAX_REQUESTS = 2_000;

const FAULTS = [400, 403, 404, 429, 500, 503, 'disconnect', 'hang', 'emptyList'] as const;
const RECORD_FAULTS = [202, 204, 403, 404, 410, 500, 503, 'disconnect'] as const;
const KINDS = ['image', 'audio'] as const;
const KIND_FILTERS: string[][] = [[], ['image'], ['audio']];
/** Two keys at one address that the trigger can tell apart: of 4,096 pairs, it takes one for the same. */
const BASE_URL = 'http://127.0.0.2';
const ACCOUNTS = ['key-1', 'key-2'];

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;

const between = (min: number, max: number) => fc.integer({ min, max });
const count = fc.oneof(between(1, 3), between(1, 12));
const add = fc.record({ add: count, kind: fc.constantFrom(...KINDS) });
const remove = fc.record({ remove: fc.nat(16), count });
/** What happens to the list of an account. */
const change = fc.oneof(
	{ weight: 6, arbitrary: add },
	{ weight: 2, arbitrary: remove },
	fc.constant({ isHidden: true }),
	fc.constant({ isHidden: false }),
	fc.record({ fault: fc.constantFrom(...RECORD_FAULTS), times: fc.constantFrom(1, 4, 99) }),
);
type Change = ValueOf<typeof change>;

/** What happens between two polls, and during the second of them. */
const step = fc.record({
	changes: fc.array(change, { maxLength: 3 }),
	/** How n8n comes to poll: within its process or not, and after what. */
	poll: fc.constantFrom(
		...(['poll', 'poll', 'poll', 'poll', 'pollDurably', 'pollWithFreshContext'] as const),
		...(['restart', 'update', 'activate'] as const),
	),
	/** Selects the account by its key, from now on. */
	account: optional(fc.nat(1), 8),
	/** Selects the filter, from now on; needs an update. */
	kinds: optional(fc.nat(KIND_FILTERS.length - 1), 6),
	/** A poll has no time left after one record. */
	isShort: fc.nat(9).map((nat) => nat === 0),
	/** Goes wrong once, at the list request of this number. */
	fault: optional(fc.record({ request: between(1, 8), kind: fc.constantFrom(...FAULTS) }), 3),
	/** Happens when the list request of this number arrives. */
	during: optional(fc.record({ request: between(2, 8), change: fc.oneof(add, remove) }), 3),
});
type AnyStep = ValueOf<typeof step>;
type Step = Pick<AnyStep, 'changes' | 'poll' | 'isShort'> & Partial<AnyStep>;

/** A poll in process, without anything that happens before or during it. */
const CALM: Step = { changes: [], poll: 'poll', isShort: false };

/** A service with two accounts, the trigger that watches one of them, and what happens. */
const triggerModels = fc.record({
	pageSize: fc.constantFrom(3, 10, 100),
	/** Whether the service lists the newest first. */
	newestFirst: fc.boolean(),
	/** Whether the list tells no more than ID and name. */
	isMinimal: fc.boolean(),
	downloadFile: fc.nat(3).map((nat) => nat === 0),
	initial: fc.nat(16),
	steps: fc.array(step, { minLength: 1, maxLength: 10 }),
});
type TriggerModel = ValueOf<typeof triggerModels>;

interface Asset {
	id: string;
	kind: (typeof KINDS)[number];
	isHidden: boolean;
	broken?: { fault: (typeof RECORD_FAULTS)[number]; times: number };
}

type Answer = [status: number | 'disconnect' | 'hang', body: object | string];

/** What the trigger has to know of the records of an account. */
interface Knowledge {
	/** The workflow's filter. */
	kinds?: number;
	account?: number;
	/** Never to be emitted (again). */
	old: Set<string>;
	/** Perhaps seen: to be emitted or not. */
	either: Set<string>;
	/** Could not be read, as the log said, or may have been missed in an abrupt poll: found within an hour. */
	late: Set<string>;
}

const copy = ({ old, either, late, ...others }: Knowledge): Knowledge => ({
	...others,
	old: new Set(old),
	either: new Set(either),
	late: new Set(late),
});

const clock = useClock();

/** The service of a model, and the judge of what the trigger emits. */
class TriggerWorld {
	private readonly accounts: Asset[][] = ACCOUNTS.map(() => []);
	private created = 0;
	private account = 0;
	private kinds = 0;
	private step?: Step;
	private requests = 0;
	private listRequests = 0;
	private throughout = new Set<string>();
	private everListed = new Set<string>();
	private inProcess: Knowledge = {
		old: new Set(),
		either: new Set(),
		late: new Set(),
	};
	private saved = copy(this.inProcess);

	constructor(private readonly model: TriggerModel) {
		for (this.account of [1, 0]) this.apply({ add: model.initial, kind: 'image' });
	}

	get parameters(): INodeParameters {
		const { pageSize, downloadFile } = this.model;
		const options = { pageSize, downloadFile, firstPage: '0' };
		return watchAssets(options, { kinds: KIND_FILTERS[this.kinds]! });
	}

	/** Lets a step happen and judges the poll. */
	async run(workflow: TriggerWorkflow, step: Step): Promise<void> {
		const { account = this.account, kinds = this.kinds, isShort } = step;
		const poll = kinds !== this.kinds && step.poll !== 'activate' ? 'update' : step.poll;
		Object.assign(this, { account, kinds, step, requests: 0, listRequests: 0 });
		workflow.credentials.apiKey = ACCOUNTS[account]!;
		workflow.change({ parameters: this.parameters, budgetMs: isShort ? 0 : 300_000 });
		for (const each of step.changes) this.apply(each);
		this.throughout = new Set(this.getListed().map(({ id }) => id));
		this.everListed = new Set(this.throughout);
		const loggedBefore = warnings.length;
		const attempt = async () => await workflow[poll]();
		const items = await attempt().catch((error: Error) => {
			if (error.name !== 'NodeApiError' || (!step.fault && !step.during)) throw error;
			return undefined;
		});
		assert.ok(this.requests < MAX_REQUESTS, 'requests without end');
		this.step = undefined;
		const logged = warnings.slice(loggedBefore);
		const isLeft = logged.some((text) => text.includes('next poll tries'));
		if (items && !isLeft) {
			this.verify(items, { ...step, poll }, logged.length);
		} else if (!isLeft && ['restart', 'update', 'activate'].includes(poll)) {
			// A workflow that cannot be switched on is off: it is switched on once more.
			await this.run(workflow, { ...CALM, poll });
		} else if (poll !== 'poll') {
			this.inProcess = copy(this.saved);
		}
	}

	/** Lets all go well until everything is emitted. */
	async settle(workflow: TriggerWorkflow): Promise<void> {
		for (const asset of this.accounts.flat()) asset.broken = undefined;
		await clock.pass(3_600_000);
		this.inProcess.late.clear();
		for (let poll = 0; poll < 2; poll++) await this.run(workflow, CALM);
	}

	private verify(items: INodeExecutionData[], step: Step, logged: number): void {
		const { poll, isShort, fault, during } = step;
		const known = poll === 'poll' ? this.inProcess : copy(this.saved);
		const after = { ...copy(known), kinds: this.kinds, account: this.account };
		const emitted = items.map(({ json }) => json.id as string);
		const listed = this.getListed().filter(({ id }) => this.throughout.has(id));
		const check = (wrong: unknown[], what: string) => assert.deepEqual(wrong, [], what);
		assert.equal(new Set(emitted).size, emitted.length, 'emitted twice');
		const reported = items.filter(({ json }) => json.error).map(({ json }) => json.id);
		const mayEmit = new Set(listed.filter((asset) => this.matches(asset)).map(({ id }) => id));
		for (const id of emitted) {
			assert.ok(!known.old.has(id), 'emitted though not new');
			assert.ok(this.everListed.has(id), 'emitted though not listed');
			const isExcluded = this.throughout.has(id) && !mayEmit.has(id) && !reported.includes(id);
			assert.ok(!isExcluded, 'emitted though filtered out');
			after.old.add(id);
		}

		const isAbrupt = fault !== undefined || during !== undefined;
		const isOtherKey = known.account !== this.account;
		const isSeen = [...known.old].some((id) => this.throughout.has(id));
		const isPerhapsKnown = (id: string) => known.old.has(id) || known.either.has(id);
		const isPerhapsSeen = [...this.everListed].some(isPerhapsKnown);
		if (known.kinds !== this.kinds || poll === 'activate' || (isOtherKey && !isPerhapsSeen)) {
			check(emitted, 'a backlog');
			const isSure = (id: string) => this.throughout.has(id) && !isAbrupt;
			for (const id of this.everListed) (isSure(id) ? after.old : after.either).add(id);
		} else if ((isOtherKey && !isSeen) || isAbrupt || isShort) {
			const isUnsure = ({ id }: Asset) => isOtherKey || !mayEmit.has(id);
			for (const asset of this.getListed()) {
				if (after.old.has(asset.id)) continue;
				after.late.add(asset.id);
				if (isUnsure(asset)) after.either.add(asset.id);
			}
		} else {
			const rest = listed.filter(({ id }) => !after.old.has(id) && !after.either.has(id));
			const missing = rest.filter((asset) => this.matches(asset));
			const untold = missing.filter(({ id }) => !known.late.has(id));
			assert.ok(logged >= untold.length, 'not emitted, without a word');
			after.late = new Set(missing.map(({ id }) => id));
			for (const asset of rest) if (!missing.includes(asset)) after.old.add(asset.id);
		}
		this.inProcess = after;
		const isSaved = poll !== 'poll' && poll !== 'pollWithFreshContext';
		if (isSaved || items.length > 0) this.saved = copy(after);
	}

	private matches({ kind }: Asset): boolean {
		const kinds = KIND_FILTERS[this.kinds]!;
		return kinds.length === 0 || kinds.includes(kind);
	}

	private getListed(): Asset[] {
		const listed = this.accounts[this.account]!.filter(({ isHidden }) => !isHidden);
		return this.model.newestFirst ? listed.reverse() : listed;
	}

	private apply(change: Change): void {
		const assets = this.accounts[this.account]!;
		if ('add' in change) {
			for (let added = 0; added < change.add; added++) {
				assets.push({ id: `id-${++this.created}`, kind: change.kind, isHidden: false });
			}
		} else if ('remove' in change) {
			assets.splice(change.remove, change.count);
		} else if ('isHidden' in change) {
			const isKnown = ({ id }: Asset) => this.inProcess.old.has(id) && this.saved.old.has(id);
			for (const asset of assets.filter(isKnown)) asset.isHidden = change.isHidden;
		} else {
			const last = assets.at(-1);
			if (last) last.broken = { ...change };
		}
	}

	/** Responds to a request of the trigger. */
	respond(request: IncomingMessage, response: ServerResponse): void {
		const { pathname, searchParams } = new URL(request.url!, BASE_URL);
		const [status, body] = this.answer(pathname, searchParams);
		if (status === 'hang') return;
		if (status === 'disconnect') return void request.socket.destroy();
		const type = typeof body === 'string' ? 'image/png' : 'application/json';
		response.writeHead(status, { 'content-type': type });
		response.end(typeof body === 'string' ? body : JSON.stringify(body));
	}

	private answer(pathname: string, query: URLSearchParams): Answer {
		if (++this.requests >= MAX_REQUESTS) return [400, {}];
		if (pathname === '/v1/assets') return this.answerList(query);
		const asset = this.getListed().find(({ id }) => pathname.endsWith(`/${id}`));
		if (!asset) return [404, {}];
		const { broken } = asset;
		if (broken) {
			if (--broken.times <= 0) asset.broken = undefined;
			return [broken.fault, {}];
		}
		return [200, pathname.startsWith('/files') ? 'file' : this.toListed(asset)];
	}

	private answerList(query: URLSearchParams): Answer {
		const number = ++this.listRequests;
		const { during, fault } = this.step ?? {};
		if (during?.request === number) {
			this.apply(during.change);
			const ids = this.getListed().map(({ id }) => id);
			for (const id of ids) this.everListed.add(id);
			for (const id of this.throughout) if (!ids.includes(id)) this.throughout.delete(id);
		}
		if (fault?.request === number) {
			return fault.kind === 'emptyList' ? [200, { assets: [] }] : [fault.kind, {}];
		}
		const size = Number(query.get('PageSize'));
		const first = Number(query.get('Page')) * size;
		const page = this.getListed().slice(first, first + size);
		const { isMinimal } = this.model;
		const assets = page.map((asset) => (isMinimal ? { id: asset.id } : this.toListed(asset)));
		return [200, { assets }];
	}

	private toListed({ id, kind }: Asset) {
		const extension = kind === 'image' ? '.png' : '.mp3';
		return { id, name: id, extension, url: `${BASE_URL}/files/${id}` };
	}
}

async function watch(model: TriggerModel): Promise<void> {
	const world = new TriggerWorld(model);
	const host = await startRawHost((request, response) => world.respond(request, response));
	process.env.HTTP_PROXY = host.url;
	const workflow = new TriggerWorkflow(world.parameters, { baseUrl: BASE_URL, apiKey: '' });
	await world.run(workflow, { ...CALM, poll: 'activate' });
	for (const step of model.steps) await world.run(workflow, step);
	await world.settle(workflow);
	await host.close();
	forgetRateLimits();
	forgetLists();
	warnings.length = 0;
}

beforeAll(async () => await startEngine('default'));
afterAll(() => {
	delete process.env.HTTP_PROXY;
});

test('Each record is emitted once, or n8n’s log speaks of it, in random cases', async () => {
	clock.run();
	const property = fc.asyncProperty(triggerModels, watch);
	await expect(
		fc.assert(property, { numRuns: 40, seed: 1, includeErrorInReport: true }),
	).resolves.toBeUndefined();
}, 3_600_000);
