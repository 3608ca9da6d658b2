import assert from 'node:assert/strict';

import * as fc from 'fast-check';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { getPage } from '../../service/pagination';
import type { TriggerWorkflow } from '../support/engine/triggerWorkflow';
import type { InMemoryRequest, InMemoryResponse } from '../support/inMemoryHost';
import { optional } from '../support/randomCases';
import { watchAssets, watchVoices } from '../support/trigger';

const KINDS = ['image', 'audio'] as const;
const FAULTS = [
	...([400, 403, 404, 429, 500, 503] as const),
	...(['disconnect', 'hang', 'emptyList', 'emptyBody', 'null', 'webPage'] as const),
];
const RECORD_FAULTS = [
	...([202, 204, 403, 404, 410, 500, 503] as const),
	...(['disconnect', 'null', 'noLink'] as const),
];
const ACCOUNTS = ['key-1', 'key-2'];

/** Ten times what a poll needs: code that never ends would ask forever. */
const MAX_REQUESTS = 2_000;

type ValueOf<A> = A extends fc.Arbitrary<infer T> ? T : never;

const KIND_FILTERS: string[][] = [[], ['image'], ['audio']];
// Some pages of a few assets, so that a poll takes few requests.
const at = fc.nat(16);
const count = fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 12 }));
const kind = fc.constantFrom(...KINDS);

const add = fc.record({ add: count, kind });
const remove = fc.record({ remove: at, count });
/** What happens to the list of an account. */
const change = fc.oneof(
	{ weight: 6, arbitrary: add },
	{ weight: 2, arbitrary: remove },
	fc.record({ hide: at, count }),
	fc.constant({ show: true } as const),
	fc.record({ rename: at }),
	fc.record({ rotate: at }),
	fc.record({
		breakRecord: at,
		kind: fc.constantFrom(...RECORD_FAULTS),
		times: fc.constantFrom(1, 4, 8, 99),
	}),
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
	/** Selects the credential by its ID, from now on; needs an update. */
	credentialId: optional(fc.constantFrom('1', '2'), 12),
	/** Selects the filters, from now on; needs an update. */
	kinds: optional(fc.nat(KIND_FILTERS.length - 1), 6),
	/** A poll has no time left after one record. */
	isShort: fc.nat(9).map((nat) => nat === 0),
	/** Goes wrong once, at the list request of this number. */
	fault: optional(
		fc.record({ request: fc.integer({ min: 1, max: 8 }), kind: fc.constantFrom(...FAULTS) }),
		3,
	),
	/** Happens when the list request of this number arrives. */
	during: optional(
		fc.record({ request: fc.integer({ min: 2, max: 8 }), change: fc.oneof(add, remove) }),
		3,
	),
});
type AnyStep = ValueOf<typeof step>;
export type Step = Pick<AnyStep, 'changes' | 'poll' | 'isShort'> & Partial<AnyStep>;

/** A service with two accounts, the trigger that watches one of them, and what happens. */
export const triggerModels = fc
	.record({
		isVoices: fc.nat(5).map((nat) => nat === 0),
		pagination: fc.record({
			firstPage: fc.constantFrom(0, 1),
			pageZero: fc.constantFrom<'sameAsFirst' | 'empty' | number>('sameAsFirst', 'empty', 400),
			pageBeyondLast: fc.constantFrom<'empty' | 'last' | number>('empty', 'last', 404),
			maxPageSize: fc.constantFrom(5, 9, 100),
			ignored: fc.nat(9).map((nat) => nat === 0),
		}),
		pageSize: fc.constantFrom(3, 10, 100),
		/** Whether the service lists the newest first, and the user says so. */
		newestFirst: fc.boolean(),
		/** Whether the list tells no more than ID and name. */
		isMinimal: fc.boolean(),
		downloadFile: fc.nat(3).map((nat) => nat === 0),
		initial: fc.oneof(fc.nat(3), fc.nat(16)),
		steps: fc.array(step, { minLength: 1, maxLength: 10 }),
	})
	// Pages of a few assets cannot overlap: then the end looks like a limit of the service.
	.filter(({ pagination: { maxPageSize, pageBeyondLast }, pageSize }) => {
		const isTiny = Math.min(maxPageSize, pageSize) < 8;
		return !isTiny || typeof pageBeyondLast !== 'number';
	})
	// What moves to a page that was read is not found behind known records (docs/assumptions.md).
	.filter(({ newestFirst, steps }) => {
		return !newestFirst || steps.every(({ during }) => !during || 'add' in during.change);
	});

export type TriggerModel = ValueOf<typeof triggerModels>;

interface Asset {
	id: string;
	name: string;
	kind: (typeof KINDS)[number];
	isHidden: boolean;
	broken?: { kind: (typeof RECORD_FAULTS)[number]; times: number };
}

/** What the trigger has to know of the records of an account. */
interface Knowledge {
	/** The workflow's filter and credential. */
	source?: string;
	account?: number;
	/** Never to be emitted (again). */
	old: Set<string>;
	/** Seen for a moment only: to be emitted or not. */
	either: Set<string>;
}

/** A poll in process, without anything that happens before or during it. */
export const CALM: Step = { changes: [], poll: 'poll', isShort: false };

const copy = ({ old, either, ...others }: Knowledge): Knowledge => ({
	...others,
	old: new Set(old),
	either: new Set(either),
});

/** The service of a model in memory, and the judge of what the trigger emits. */
export class TriggerWorld {
	private readonly accounts: Asset[][];
	private created = 0;
	private account = 0;
	private credentialId = '1';
	private kinds = 0;
	private step?: Step;
	private requests = 0;
	private listRequests = 0;
	private throughout = new Set<string>();
	private everListed = new Set<string>();
	private inProcess: Knowledge = { old: new Set(), either: new Set() };
	private saved: Knowledge = copy(this.inProcess);

	constructor(private readonly model: TriggerModel) {
		this.accounts = ACCOUNTS.map(() => []);
		for (this.account of [1, 0]) this.apply({ add: model.initial, kind: 'image' });
	}

	get parameters(): INodeParameters {
		const { isVoices, pageSize, newestFirst, downloadFile } = this.model;
		const kinds = KIND_FILTERS[this.kinds]!;
		if (isVoices) return watchVoices(kinds.length > 0 ? { languageCode: kinds[0]! } : {});
		return watchAssets({ pageSize, newestFirst, downloadFile }, { kinds });
	}

	/** Lets a step happen and judges the poll. */
	async run(workflow: TriggerWorkflow, step: Step, warnings: string[]): Promise<void> {
		const { account = this.account, credentialId = this.credentialId, kinds = this.kinds } = step;
		const hasChanged = credentialId !== this.credentialId || kinds !== this.kinds;
		const poll = hasChanged && step.poll !== 'activate' ? 'update' : step.poll;
		Object.assign(this, { account, credentialId, kinds });
		workflow.credentials.apiKey = ACCOUNTS[account]!;
		workflow.change({
			parameters: this.parameters,
			credentialId,
			budgetMs: step.isShort ? 0 : 300_000,
		});
		for (const each of step.changes) this.apply(each);

		this.step = step;
		this.requests = 0;
		this.listRequests = 0;
		this.throughout = new Set(this.getListed().map(({ id }) => id));
		this.everListed = new Set(this.throughout);
		const loggedBefore = warnings.length;
		const attempt = async () => await workflow[poll]();
		const outcome = await attempt().catch((error: Error) => {
			if (error.name !== 'NodeApiError' || (!step.fault && !step.during)) throw error;
			return undefined;
		});
		assert.ok(this.requests < MAX_REQUESTS, 'requests without end');
		const isAbrupt =
			this.listRequests > 0 && (step.fault !== undefined || step.during !== undefined);
		this.step = undefined;
		const isLeft = warnings.slice(loggedBefore).some((text) => text.includes('next poll tries'));
		if (outcome && !isLeft) {
			this.verify(outcome, { ...step, poll }, isAbrupt, warnings.length - loggedBefore);
		} else if (!isLeft && (poll === 'restart' || poll === 'update' || poll === 'activate')) {
			// A workflow that cannot be switched on is off: it is switched on once more.
			await this.run(workflow, { ...CALM, poll }, warnings);
		} else if (poll !== 'poll') {
			this.inProcess = copy(this.saved);
		}
	}

	/** Lets all go well until everything is emitted. */
	async settle(workflow: TriggerWorkflow, warnings: string[]): Promise<void> {
		for (const asset of this.accounts.flat()) asset.broken = undefined;
		for (let poll = 0; poll < 2; poll++) await this.run(workflow, CALM, warnings);
	}

	private verify(
		items: INodeExecutionData[],
		{ poll, isShort }: Step,
		isAbrupt: boolean,
		warned: number,
	): void {
		const source = `${this.credentialId} ${this.kinds}`;
		const before = poll === 'poll' ? this.inProcess : copy(this.saved);
		const known = before;
		const isSame = known.source === source;
		const after: Knowledge = { ...copy(known), source, account: this.account };
		const emitted = items.map(({ json }) => (json.id ?? json.voiceId) as string);
		const reported = new Set(
			items.filter(({ json }) => json.error ?? json.fileError).map(({ json }) => json.id),
		);

		assert.equal(new Set(emitted).size, emitted.length, 'emitted twice');
		assert.deepEqual(
			emitted.filter((id) => known.old.has(id)),
			[],
			'emitted though not new',
		);
		assert.deepEqual(
			emitted.filter((id) => !this.everListed.has(id)),
			[],
			'emitted though not listed',
		);
		const wrong = this.getListed().filter(
			(asset) => emitted.includes(asset.id) && !reported.has(asset.id) && !this.matches(asset),
		);
		assert.deepEqual(wrong, [], 'emitted though filtered out');
		for (const id of emitted) after.old.add(id);

		// Another key is another account's if no record seen before is listed.
		const isOtherKey = known.account !== this.account;
		const isListed = [...known.old].some((id) => this.throughout.has(id));
		const isPerhapsListed = [...this.everListed].some(
			(id) => known.old.has(id) || known.either.has(id),
		);
		if (!isSame || poll === 'activate' || (isOtherKey && !isPerhapsListed)) {
			assert.deepEqual(emitted, [], 'a backlog');
			for (const id of this.everListed) {
				(this.throughout.has(id) && !isAbrupt ? after.old : after.either).add(id);
			}
		} else if (isOtherKey && !isListed) {
			for (const id of this.everListed) if (!after.old.has(id)) after.either.add(id);
		} else {
			const isNew = ({ id }: Asset) =>
				this.throughout.has(id) && !after.old.has(id) && !after.either.has(id);
			const rest = this.getListed().filter(isNew);
			const missing = rest.filter((asset) => this.matches(asset));
			if (!isAbrupt && !isShort) {
				assert.ok(warned >= missing.length, 'not emitted, without a word');
				for (const asset of rest) if (!missing.includes(asset)) after.old.add(asset.id);
			} else {
				for (const asset of this.getListed()) {
					const isSeen = this.everListed.has(asset.id) && !after.old.has(asset.id);
					if (isSeen && !this.matches(asset)) after.either.add(asset.id);
				}
			}
		}
		this.inProcess = after;
		const isSaved = poll !== 'poll' && poll !== 'pollWithFreshContext';
		if (isSaved || items.length > 0) this.saved = copy(after);
	}

	/** A record never seen before that shows again is not in front, where Newest First has it. */
	private mayHide({ id }: Asset): boolean {
		const isKnown = [this.inProcess, this.saved].every(({ old }) => old.has(id));
		return !this.model.newestFirst || isKnown;
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
		const slice = (start: number, count: number) =>
			assets.filter((_asset, index) => index >= start && index < start + count);
		if ('add' in change) {
			for (let added = 0; added < change.add; added++) {
				const id = `id-${++this.created}`;
				assets.push({ id, name: `Asset ${id}`, kind: change.kind, isHidden: false });
			}
		} else if ('remove' in change) {
			assets.splice(change.remove, change.count);
		} else if ('hide' in change) {
			for (const asset of slice(change.hide, change.count)) asset.isHidden ||= this.mayHide(asset);
		} else if ('show' in change) {
			for (const asset of assets) if (this.mayHide(asset)) asset.isHidden = false;
		} else if ('rename' in change) {
			for (const asset of slice(change.rename, 1)) asset.name += ' renamed';
		} else if ('rotate' in change) {
			if (!this.model.newestFirst) assets.push(...assets.splice(0, change.rotate));
		} else {
			const { kind, times } = change;
			for (const asset of slice(assets.length - 1 - (change.breakRecord % 4), 1)) {
				asset.broken = { kind, times };
			}
		}
	}

	/** Responds to a request of the trigger. */
	respond({ url: { pathname, host, searchParams }, apiKey }: InMemoryRequest): InMemoryResponse {
		if (++this.requests >= MAX_REQUESTS) return { status: 400 };
		const [, id] = /([^/]+)$/.exec(pathname) ?? [];
		if (host === 'files.example')
			return this.respondToRecord(id, () => ({
				status: 200,
				body: 'file',
				contentType: 'image/png',
			}));
		if (apiKey !== ACCOUNTS[this.account]) throw new Error(`The key is ${apiKey}`);
		if (pathname === '/v1/assets' || pathname === '/v1/voices') {
			return this.respondToList(pathname, searchParams);
		}
		return this.respondToRecord(id, (asset) => ({ status: 200, body: describe(asset) }));
	}

	private respondToRecord(
		id: string | undefined,
		respond: (asset: Asset) => InMemoryResponse,
	): InMemoryResponse {
		const asset = this.getListed().find((listed) => listed.id === id);
		if (!asset) return { status: 404 };
		const { broken } = asset;
		if (!broken) return respond(asset);
		const response = respond(asset);
		if (--broken.times <= 0) asset.broken = undefined;
		if (broken.kind === 'disconnect') return broken.kind;
		if (broken.kind === 'null') return { status: 200, body: 'null' };
		if (broken.kind === 'noLink') return response;
		return { status: broken.kind };
	}

	private respondToList(path: string, query: URLSearchParams): InMemoryResponse {
		const { isVoices, isMinimal, pagination } = this.model;
		const property = path.slice('/v1/'.length);
		if (property === 'voices' && !isVoices) return { status: 200, body: { voices: [] } };
		const number = ++this.listRequests;
		const { during, fault } = this.step ?? {};
		if (during?.request === number) {
			this.apply(during.change);
			const ids = new Set(this.getListed().map(({ id }) => id));
			for (const id of ids) this.everListed.add(id);
			for (const id of this.throughout) if (!ids.has(id)) this.throughout.delete(id);
		}
		if (fault?.request === number) {
			switch (fault.kind) {
				case 'emptyList':
					return { status: 200, body: { [property]: [] } };
				case 'emptyBody':
					return { status: 200, body: '' };
				case 'null':
					return { status: 200, body: 'null' };
				case 'webPage':
					return { status: 200, body: '<title>Down</title>', contentType: 'text/html' };
				case 'disconnect':
				case 'hang':
					return fault.kind;
				default:
					return { status: fault.kind };
			}
		}
		if (isVoices) {
			const voices = this.getListed().map(({ id, name, kind }) => ({
				id,
				voiceId: id,
				name,
				languageCode: kind,
			}));
			return { status: 200, body: { voices } };
		}
		const requested = { page: query.get('Page')!, pageSize: query.get('PageSize')! };
		const page = getPage(this.getListed(), requested, { ...pagination, order: 'oldest' }, number);
		if ('error' in page) return { status: page.status };
		const assets = page.items.map((asset) => {
			const { id, name } = asset;
			return isMinimal ? { id, name } : describe(asset);
		});
		return { status: 200, body: { assets } };
	}
}

function describe({ id, name, kind, broken }: Asset) {
	return {
		id,
		name,
		extension: kind === 'image' ? '.png' : '.mp3',
		url: broken?.kind === 'noLink' ? null : `https://files.example/${id}`,
	};
}
