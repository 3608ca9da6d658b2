import { execFileSync, fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { projectRoot } from '../n8n/installation';
import { UserError } from '../scripts/userError';
import { createNumberedAssets, type Asset } from '../service/assets';
import { startService, type Service } from '../service/service';

import type { PollResult, PollTask } from './pollProcess';

/** The last build that read the whole list at each poll. */
export const BASELINE = '4992f238';
/** What it takes to poll with a build, beside the packages. */
const BUILD_FILES = [
	'nodes',
	'credentials',
	'service',
	'test/support',
	'package.json',
	'tsconfig.json',
];

const POLLS_A_DAY = 1_440;
/** That build reads the same at each poll, so an hour of it shows as much as a day. */
const BASELINE_POLLS = 60;
const ADDED_A_DAY = 20;
const DELETED_A_DAY = 5;

export type ListOrder = 'newest first' | 'newest last' | 'by name';

interface PollCase {
	assets: number;
	order: ListOrder;
	firstPage: 0 | 1;
}

/** What a poll takes on average. */
interface PollCost {
	requests: number;
	cpuMs: number;
}

export interface PollComparison extends PollCase {
	now: PollCost;
	baseline: PollCost;
}

export function pollCases(): PollCase[] {
	const orders: ListOrder[] = ['newest first', 'newest last', 'by name'];
	return [10_000, 200].flatMap((assets) =>
		orders.flatMap((order) => ([0, 1] as const).map((firstPage) => ({ assets, order, firstPage }))),
	);
}

/** Two builds of the trigger, each polling in a process of its own; the stand-in is in this one. */
export class Builds {
	private readonly folder = mkdtempSync(join(tmpdir(), 'avatar-studio-polls-'));
	private service!: Service;

	constructor(private readonly signal: AbortSignal) {}

	async start(): Promise<void> {
		this.service = await startService({ seed: false });
		const commit = ['archive', BASELINE, ...BUILD_FILES];
		try {
			const archive = execFileSync('git', commit, {
				cwd: projectRoot,
				maxBuffer: 64 * 1024 * 1024,
			});
			execFileSync('tar', ['-x', '-C', this.folder], { input: archive });
		} catch {
			const hint =
				'Polls are compared with a build of the past: run this in a clone with its history.';
			throw new UserError(`Git has no commit ${BASELINE} here.`, hint);
		}
		symlinkSync(join(projectRoot, 'node_modules'), join(this.folder, 'node_modules'), 'dir');
	}

	/** Polls once a minute for a day with this build, and for an hour with that of the past. */
	async compare(pollCase: PollCase): Promise<PollComparison> {
		const now = await this.measure(projectRoot, pollCase, POLLS_A_DAY);
		const baseline = await this.measure(this.folder, pollCase, BASELINE_POLLS);
		return { ...pollCase, now, baseline };
	}

	async close(): Promise<void> {
		await this.service?.close();
		rmSync(this.folder, { recursive: true, force: true });
	}

	private async measure(root: string, pollCase: PollCase, polls: number): Promise<PollCost> {
		const { service } = this;
		const list = new GrowingList(service, pollCase);
		const child = fork(join(__dirname, 'pollProcess.ts'), [root], {
			execArgv: ['--import', 'tsx'],
			cwd: projectRoot,
			env: { ...process.env, NODE_ENV: 'test' },
		});
		const cost = { requests: 0, cpuMs: 0 };
		try {
			const credentials = { baseUrl: service.url, apiKey: service.apiKey };
			const options = { downloadFile: false };
			const parameters = { event: 'assetCreated', options, filters: {} };
			await call(child, { parameters, credentials });
			for (let minute = 1; minute <= polls; minute++) {
				this.signal.throwIfAborted();
				list.change();
				await service.waitUntilIdle();
				service.requests.length = 0;
				const { emitted, cpuMs } = await call(child, 'poll');
				await service.waitUntilIdle();
				list.emitted.push(...emitted);
				cost.requests += service.requests.length;
				cost.cpuMs += cpuMs;
			}
			list.check();
		} finally {
			child.kill('SIGKILL');
		}
		return { requests: cost.requests / polls, cpuMs: cost.cpuMs / polls };
	}
}

/** The assets of an account, to and from which some are added and deleted in the course of a day. */
class GrowingList {
	readonly emitted: unknown[] = [];
	private readonly added: string[] = [];
	private created = 0;
	private minute = 0;
	/** Seed of the same pseudo-random numbers for each build. */
	private random = 1;
	/** The minutes of the day in which an asset is added or deleted. */
	private readonly additions = this.chooseMinutes(ADDED_A_DAY);
	private readonly deletions = this.chooseMinutes(DELETED_A_DAY);

	constructor(
		private readonly service: Service,
		private readonly pollCase: PollCase,
	) {
		const { assets, order, firstPage } = pollCase;
		service.reset();
		service.configure({
			pagination: { firstPage, order: order === 'newest first' ? 'newest' : 'oldest' },
		});
		service.assets = Array.from({ length: assets }, () => this.createAsset());
		this.sort();
	}

	/** What happens in a minute. */
	change(): void {
		const { assets } = this.service;
		this.minute++;
		if (this.deletions.has(this.minute)) {
			assets.splice(Math.floor(this.getRandom() * assets.length), 1);
		}
		if (!this.additions.has(this.minute)) return;
		const asset = this.createAsset();
		assets.push(asset);
		this.added.push(asset.id);
		this.sort();
	}

	/** Throws if the trigger has not emitted what was added, once each, as far as a poll could find it. */
	check(): void {
		const { emitted, added } = this;
		const isOnceEach = new Set(emitted).size === emitted.length;
		const isAllAdded = emitted.every((id) => added.includes(id as string));
		// What was added while another asset was deleted may take an hour.
		if (!isOnceEach || !isAllAdded || emitted.length < added.length - 2) {
			throw new Error(`${emitted.length} assets of ${added.length} were emitted.`);
		}
	}

	private chooseMinutes(count: number): Set<number> {
		const minutes = new Set<number>();
		while (minutes.size < count) minutes.add(1 + Math.floor(this.getRandom() * POLLS_A_DAY));
		return minutes;
	}

	private createAsset(): Asset {
		const [asset] = createNumberedAssets(1, ++this.created);
		return { ...asset!, name: `Asset ${Math.floor(this.getRandom() * 1e9)}` };
	}

	private sort(): void {
		if (this.pollCase.order !== 'by name') return;
		this.service.assets.sort((one, other) => (one.name < other.name ? -1 : 1));
	}

	/** @returns the next number of a linear congruential generator, from 0 to 1 */
	private getRandom(): number {
		this.random = (this.random * 1_664_525 + 1_013_904_223) % 2 ** 32;
		return this.random / 2 ** 32;
	}
}

async function call(child: ChildProcess, task: PollTask): Promise<PollResult> {
	const done = new AbortController();
	const message = once(child, 'message', done);
	const end = once(child, 'exit', done).then(() => [{ error: 'The process that polls ended.' }]);
	child.send(task);
	const [reply] = (await Promise.race([message, end])) as [
		{ value: PollResult } | { error: string },
	];
	done.abort();
	if ('error' in reply) throw new Error(reply.error);
	return reply.value;
}
