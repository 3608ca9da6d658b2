import type { INodeExecutionData } from 'n8n-workflow';

import type { LimitCase } from '../cases/limits';
import {
	avatarStudioNode,
	httpRequestNodes,
	httpRequestWithinLimit,
} from '../cases/nodeParameters';
import { inputItems, type Fixtures, type Task } from '../cases/task';

import type { RunResult } from './contenders';
import { measure } from './measure';
import { N8n } from './n8n';

/** The nodes that are compared. */
export type NodeUnderTest = 'avatarStudio' | 'httpRequest';

const BESIDE_MS = 30_000;

let n8n: N8n;

/** Starts n8n in this process. */
export async function start(fixtures: Fixtures): Promise<void> {
	n8n = await N8n.start();
	await n8n.saveCredential(fixtures);
}

/** The result of one of several executions. */
export interface ExecutionResult {
	/** Time since all of them started. */
	wallMs: number;
	/** Number of returned items. */
	output: number;
	error?: string;
}

/** Runs parallel executions of a node, each creating a speech per item. */
export async function runAtOnce(
	node: NodeUnderTest,
	{ executions, items, rateLimit }: LimitCase,
	fixtures: Fixtures,
): Promise<{ results: ExecutionResult[]; utilization: number }> {
	await n8n.saveCredential(fixtures);
	const task: Task = { kind: 'create', items, expressions: 0 };
	const nodes =
		node === 'avatarStudio'
			? [avatarStudioNode(task, fixtures)]
			: [httpRequestWithinLimit(task, fixtures, rateLimit)];
	const startedAt = performance.now();
	const loopAtStart = performance.eventLoopUtilization();
	const runOne = async () => {
		try {
			const output = await n8n.runNodes(nodes, inputItems(task, fixtures));
			return { wallMs: performance.now() - startedAt, output: output.length };
		} catch (error) {
			return { wallMs: performance.now() - startedAt, output: 0, error: (error as Error).message };
		}
	};
	const results = await Promise.all(Array.from({ length: executions }, runOne));
	return { results, utilization: performance.eventLoopUtilization(loopAtStart).utilization };
}

/**
 * Times short executions of our node in sequence: alone, then alongside a long one on the
 * same account, for at most half a minute.
 *
 * @returns milliseconds of each
 */
export async function timeShortExecutions(
	shortItems: number,
	longItems: number,
	fixtures: Fixtures,
): Promise<{ alone: number[]; beside: number[] }> {
	await n8n.saveCredential(fixtures);
	const runItems = async (items: number, signal?: AbortSignal) => {
		const task: Task = { kind: 'create', items, expressions: 0 };
		const startedAt = performance.now();
		const nodes = [avatarStudioNode(task, fixtures)];
		await n8n.runNodes(nodes, inputItems(task, fixtures), signal);
		return performance.now() - startedAt;
	};
	const alone: number[] = [];
	while (alone.length < 5) alone.push(await runItems(shortItems));
	const end = new AbortController();
	const long = runItems(longItems, end.signal)
		.catch((error: unknown) => {
			if (!end.signal.aborted) throw error;
		})
		.finally(() => end.abort());
	const beside: number[] = [];
	const besideLong = async () => {
		const startedAt = performance.now();
		while (!end.signal.aborted && performance.now() - startedAt < BESIDE_MS) {
			beside.push(await runItems(shortItems));
		}
		end.abort();
	};
	await Promise.all([long, besideLong()]);
	return { alone, beside };
}

/** Runs a node in one execution and measures it. */
export async function run(node: NodeUnderTest, task: Task, fixtures: Fixtures): Promise<RunResult> {
	const nodes =
		node === 'avatarStudio' ? [avatarStudioNode(task, fixtures)] : httpRequestNodes(task, fixtures);
	const items = inputItems(task, fixtures);
	const before = { ...n8n.counters };
	const { result, ...measurement } = await measure(
		async () => await n8n.runNodes(nodes, items),
		async () => await n8n.settle(),
	);
	return {
		...measurement,
		output: await countOutput(result, task),
		evaluations: n8n.counters.evaluations - before.evaluations,
		credentialReads: n8n.counters.credentialReads - before.credentialReads,
	};
}

async function countOutput(items: INodeExecutionData[], { kind }: Task): Promise<number> {
	if (kind === 'download') return await n8n.readFileSize(items[0]!);
	if (kind !== 'list') return items.length;
	// The HTTP Request node emits pages, which would have to be split into items.
	const counts = items.map(({ json }) => (Array.isArray(json.assets) ? json.assets.length : 1));
	return counts.reduce((sum, count) => sum + count, 0);
}
