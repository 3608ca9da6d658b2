import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createEnvironment } from '../n8n/environment';
import { n8nCommand, projectRoot } from '../n8n/installation';
import { installNode, type NodePackage } from '../n8n/nodePackage';
import { startService, type RateLimit, type Service } from '../service/service';

import type * as N8n from './n8n';
import { createItems, NODE_NAMES, NODES, type Fixtures, type NodeName, type Task } from './nodes';

export const FILE_BYTES = 200_000_000;
const FILE_ID = '5f0c2d7e-6b1a-4c38-8e94-2a7d9b3c1f60';
const ASSET_COUNT = 1_000;

export interface Conditions {
	latencyMs: number;
	/** The run is made with an account of its own, of which the node knows nothing. */
	rateLimit?: RateLimit;
	assetCount?: number;
}

export interface Run extends N8n.RunResult {
	admitted: number;
	refused: number;
	durationMs: number;
}

/** An n8n for each node, in a process of its own; the stand-in for the service is in this one. */
export class Contenders {
	private readonly folder = mkdtempSync(join(tmpdir(), 'avatar-studio-bench-'));
	private readonly processes = new Map<NodeName, ChildProcess>();
	private service!: Service;
	private accounts = 0;

	constructor(private readonly signal: AbortSignal) {}

	/** Installs the package as n8n's own installer does, and starts everything. */
	async start(nodePackage: NodePackage): Promise<void> {
		this.service = await startService({ asSpecified: true, speechResponse: 'empty', seed: false });
		for (const node of NODE_NAMES) installNode(nodePackage, join(this.folder, node));
		await this.restart();
	}

	/** Replaces both processes, whose memory includes all previous runs. */
	async restart(): Promise<void> {
		await this.endProcesses();
		for (const node of NODE_NAMES) {
			const userFolder = join(this.folder, node);
			const child = fork(join(__dirname, 'n8nProcess.js'), {
				execPath: n8nCommand()[0],
				execArgv: ['--expose-gc'],
				// Nothing listens on the port of the broker.
				env: createEnvironment({ userFolder, env: { N8N_LOG_LEVEL: 'error' } }),
				cwd: projectRoot,
				stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
			});
			this.processes.set(node, child);
			await this.call(node, 'start');
		}
	}

	/** Carries out a task with one of the nodes, in so many executions at once. */
	async run(
		node: NodeName,
		task: Task,
		conditions: Conditions,
		items: number,
		executions = 1,
	): Promise<Run> {
		this.signal.throwIfAborted();
		const fixtures = await this.prepare(conditions);
		const nodes = NODES[node](task, fixtures, conditions.rateLimit);
		const input = createItems(items, fixtures);
		const result = await this.call(node, 'run', nodes, input, executions, fixtures);
		await this.service.waitUntilIdle();
		const { requests, violations } = this.service;
		if (violations.length > 0) throw new Error(`${node}: ${violations[0]}`);
		const refused = requests.filter(({ responseStatus }) => responseStatus === 429).length;
		const starts = requests.map(({ startedAt }) => startedAt);
		const durationMs = Math.max(...starts) - Math.min(...starts) + conditions.latencyMs;
		return { ...result, admitted: requests.length - refused, refused, durationMs };
	}

	async close(): Promise<void> {
		await this.endProcesses();
		await this.service?.close();
		rmSync(this.folder, { recursive: true, force: true });
	}

	private async prepare({ latencyMs, rateLimit, assetCount }: Conditions): Promise<Fixtures> {
		const { service } = this;
		// Prefetched pages of the previous run may still be in flight.
		await service.waitUntilIdle();
		service.reset();
		const file = { id: FILE_ID, name: 'Large video', type: 'Video', extension: '.mp4' };
		const assets = service.addAssets(assetCount ?? ASSET_COUNT);
		if (assetCount === undefined) service.assets.push({ ...file, size: FILE_BYTES });
		const account = rateLimit && { apiKey: `account-${++this.accounts}` };
		service.configure({ latencyMs, rateLimit, ...account });
		return {
			baseUrl: service.url,
			apiKey: service.apiKey,
			assetIds: assets.map(({ id }) => id),
			voiceId: service.voices[0]!.voiceId,
			largeAssetId: FILE_ID,
		};
	}

	/** Calls a function of n8n.ts in the process of a node. */
	private async call<Name extends keyof typeof N8n>(
		node: NodeName,
		name: Name,
		...args: Parameters<(typeof N8n)[Name]>
	): Promise<Awaited<ReturnType<(typeof N8n)[Name]>>> {
		const child = this.processes.get(node)!;
		const done = new AbortController();
		const message = once(child, 'message', done);
		const end = once(child, 'exit', done).then(() => [{ error: `n8n with ${node} ended.` }]);
		child.send({ name, args });
		const [reply] = (await Promise.race([message, end])) as [{ value: never } | { error: string }];
		done.abort();
		if ('error' in reply) throw new Error(reply.error);
		return reply.value;
	}

	private async endProcesses(): Promise<void> {
		for (const child of this.processes.values()) {
			if (child.exitCode !== null || child.signalCode !== null) continue;
			child.kill('SIGKILL');
			await once(child, 'exit');
		}
	}
}
