import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnvironment } from '../../n8n/environment';
import { installNode, type NodePackage } from '../../n8n/nodePackage';
import type { Fixtures, Task } from '../cases/task';

import type * as Baseline from './baseline';
import type { Measurement } from './measure';
import type { Counters } from './n8n';
import type * as N8nWorker from './n8nWorker';
import type * as ServiceWorker from './service';
import { summarize, type Summary } from './summarize';
import { Worker } from './worker';

/** One run of a task. */
export interface RunResult extends Measurement, Counters {
	/** Number of returned records, or bytes of the file. */
	output: number;
}

export const CONTENDERS = ['avatarStudio', 'httpRequest', 'baseline'] as const;
export type Contender = (typeof CONTENDERS)[number];

/** A task and the conditions it is measured under. */
export interface Case extends ServiceWorker.Conditions {
	title: string;
	/** Number of items, pages or bytes. */
	size: number;
	task: Task;
	expectedOutput: number;
	rounds: number;
	/** Warm-up rounds, which are not counted. */
	warmUps: number;
	/** When to replace the processes, whose memory includes all previous runs. */
	freshProcesses?: 'perCase' | 'perRound';
}

/** Medians over the rounds of a case. */
export interface CaseResult extends Pick<Case, 'title' | 'size' | 'latencyMs'> {
	figures: Record<Contender, Measurement>;
	/** The work that our node caused in n8n and the service. */
	counters: Counters & { requests: number };
	/**
	 * The node divided by the HTTP Request node in the same round, because a machine's speed drifts.
	 * That of memory only with fresh processes in every round.
	 */
	ratios: { cpuMs: Summary; wallMs: Summary; memoryMb?: Summary };
}

type Run = RunResult & ServiceWorker.Traffic;

/** The contenders, each in its own process, and the stand-in for the service in another one. */
export class Contenders {
	private readonly folder = mkdtempSync(join(tmpdir(), 'avatar-studio-bench-'));
	private readonly service = new Worker<typeof ServiceWorker>('service.ts');
	/** Set by `start`. */
	processes?: Record<N8nWorker.NodeUnderTest, Worker<typeof N8nWorker>> & {
		baseline: Worker<typeof Baseline>;
	};
	private fixtures!: Fixtures;

	constructor(private readonly signal: AbortSignal) {}

	/** Installs the package as n8n's own installer does, and starts every process. */
	async start(nodePackage: NodePackage, fileBytes: number): Promise<void> {
		this.fixtures = await this.service.call('start', fileBytes);
		for (const node of ['avatarStudio', 'httpRequest']) {
			installNode(nodePackage, join(this.folder, node));
		}
		await this.restart();
	}

	/** The folder that n8n loads the package from. */
	packageFolder({ name }: NodePackage): string {
		return join(this.folder, 'avatarStudio', '.n8n', 'nodes', 'node_modules', name);
	}

	/** Replaces the contenders' processes with new ones. */
	async restart(): Promise<void> {
		await this.endWorkers();
		this.processes = {
			baseline: new Worker('baseline.ts'),
			avatarStudio: this.fork('avatarStudio'),
			httpRequest: this.fork('httpRequest'),
		};
		await this.processes.avatarStudio.call('start', this.fixtures);
		await this.processes.httpRequest.call('start', this.fixtures);
	}

	/** Measures a case round by round; the contenders take turns in changing order. */
	async compare(benchCase: Case): Promise<CaseResult> {
		const { title, size, latencyMs, rounds, warmUps, freshProcesses } = benchCase;
		if (freshProcesses === 'perCase') await this.restart();
		const runs: Record<Contender, Run[]> = { avatarStudio: [], httpRequest: [], baseline: [] };
		for (let round = 0; round < warmUps + rounds; round++) {
			if (freshProcesses === 'perRound') await this.restart();
			for (let turn = 0; turn < CONTENDERS.length; turn++) {
				const contender = CONTENDERS[(round + turn) % CONTENDERS.length]!;
				const run = await this.runOnce(contender, benchCase);
				if (round >= warmUps) runs[contender].push(run);
			}
		}
		const ratio = (figure: keyof Measurement) =>
			summarize(
				runs.avatarStudio.map((run, round) => run[figure] / runs.httpRequest[round]![figure]),
			);
		const { requests, evaluations, credentialReads } = runs.avatarStudio.at(-1)!;
		return {
			title,
			size,
			latencyMs,
			figures: {
				avatarStudio: takeMedians(runs.avatarStudio),
				httpRequest: takeMedians(runs.httpRequest),
				baseline: takeMedians(runs.baseline),
			},
			counters: { requests, evaluations, credentialReads },
			ratios: {
				cpuMs: ratio('cpuMs'),
				wallMs: ratio('wallMs'),
				...(freshProcesses === 'perRound' && { memoryMb: ratio('memoryMb') }),
			},
		};
	}

	/** Stops every process and removes their files. */
	async close(): Promise<void> {
		await Promise.all([this.endWorkers(), this.service.end()]);
		rmSync(this.folder, { recursive: true, force: true });
	}

	private fork(node: N8nWorker.NodeUnderTest): Worker<typeof N8nWorker> {
		const env = createEnvironment({
			userFolder: join(this.folder, node),
			// Nothing listens on it; it is only the port that n8n would use.
			brokerPort: 0,
			env: {
				N8N_LOG_LEVEL: 'error',
				N8N_ENCRYPTION_KEY: 'the key of the bench',
				N8N_INSTANCE_OWNER_MANAGED_BY_ENV: 'false',
			},
		});
		return new Worker<typeof N8nWorker>('n8nWorker.ts', env);
	}

	private async runOnce(contender: Contender, benchCase: Case): Promise<Run> {
		this.signal.throwIfAborted();
		const { title, task, expectedOutput, latencyMs, assetCount } = benchCase;
		await this.service.call('prepare', { latencyMs, assetCount });
		const result =
			contender === 'baseline'
				? await this.processes!.baseline.call('run', task, this.fixtures)
				: await this.processes![contender].call('run', contender, task, this.fixtures);
		const traffic = await this.service.call('readTraffic');
		if (result.output !== expectedOutput || traffic.violations > 0) {
			throw new Error(
				`${contender}, ${title}: ${result.output} of ${expectedOutput} came out; ${traffic.violations} requests violate the contract`,
			);
		}
		return { ...result, ...traffic };
	}

	private async endWorkers(): Promise<void> {
		await Promise.all(
			Object.values(this.processes ?? {}).map(async (worker) => await worker.end()),
		);
	}
}

function takeMedians(runs: Run[]): Measurement {
	const median = (figure: keyof Measurement) => summarize(runs.map((run) => run[figure])).median;
	return { cpuMs: median('cpuMs'), wallMs: median('wallMs'), memoryMb: median('memoryMb') };
}
