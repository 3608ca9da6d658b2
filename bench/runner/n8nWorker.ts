import type { INodeExecutionData } from 'n8n-workflow';

import { avatarStudioNode, httpRequestNodes } from '../cases/nodeParameters';
import { inputItems, type Fixtures, type Task } from '../cases/task';

import type { RunResult } from './contenders';
import { measure } from './measure';
import { N8n } from './n8n';

/** The nodes that are compared. */
export type NodeUnderTest = 'avatarStudio' | 'httpRequest';

let n8n: N8n;

/** Starts n8n in this process. */
export async function start(fixtures: Fixtures): Promise<void> {
	n8n = await N8n.start();
	await n8n.saveCredential(fixtures);
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
	// The HTTP Request node emits pages; a Split Out node would have to follow.
	const counts = items.map(({ json }) => (Array.isArray(json.assets) ? json.assets.length : 1));
	return counts.reduce((sum, count) => sum + count, 0);
}
