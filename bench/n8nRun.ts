import type { INode, INodeExecutionData, IRun } from 'n8n-workflow';

import { requireFromN8n } from '../demo/n8nFolder';

import type { Job, Outcome, Subject } from './job';
import { measured } from './measured';
import { CREDENTIAL } from './n8nCredential';
import type { N8nInside } from './n8nInside';
import { inputOf, nodeFor, type NodeUnderTest } from './nodesUnderTest';

/** Which node is to do what. */
export interface Run {
	node: NodeUnderTest;
	job: Job;
	subject: Subject;
	/** Watches the work: a profiler. */
	around?: <T>(work: () => Promise<T>) => Promise<T>;
}

/** Runs a node as a production execution does: a trigger with the items, then the node. */
export async function runInN8n(
	{ core, workflow: n8nWorkflow, nodeTypes, additionalData, tally, isolatesReady }: N8nInside,
	{ node, job, subject, around }: Run,
): Promise<Outcome> {
	const nodes: INode[] = [
		{
			id: '1',
			name: 'Trigger',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: '2',
			name: 'Node',
			position: [0, 0],
			credentials: { avatarStudioApi: CREDENTIAL },
			...nodeFor(node, job, subject),
		},
	];
	const connections = { Trigger: { main: [[{ node: 'Node', type: 'main' as const, index: 0 }]] } };
	const definition = { id: 'bench', name: 'Bench', nodes, connections, active: true };
	const settings = { executionOrder: 'v1' as const };
	const workflow = new n8nWorkflow.Workflow({ ...definition, nodeTypes, settings });
	const data = await additionalData();
	data.executionId = 'execution';
	data.hooks = new core.ExecutionLifecycleHooks('trigger', 'execution', {
		...definition,
		settings,
	} as never);
	const items = inputOf(job, subject);
	const runData = n8nWorkflow.createRunExecutionData({
		executionData: {
			nodeExecutionStack: [
				{ node: workflow.getNode('Trigger')!, data: { main: [items] }, source: null },
			],
		},
	});
	const before = { ...tally };
	const execute = async () =>
		await new core.WorkflowExecute(data, 'trigger', runData).processRunExecutionData(workflow);
	const { result, ...taken } = await measured<IRun>(
		async () => await (around ? around(execute) : execute()),
		isolatesReady,
	);
	return {
		...taken,
		produced: await producedBy(result, job),
		evaluations: tally.evaluations - before.evaluations,
		credentialReads: tally.credentialReads - before.credentialReads,
	};
}

/** @returns how many records a run gave out, or the bytes of its file */
async function producedBy({ data }: IRun, { what }: Job): Promise<number> {
	const task = data.resultData.runData.Node?.[0];
	const error = data.resultData.error ?? task?.error;
	if (error) throw error;
	const items = task?.data?.main?.[0] ?? [];
	if (what === 'download') return await fileSize(items[0]!);
	if (what !== 'list') return items.length;
	// The HTTP Request node gives out pages; a Split Out node would have to follow.
	const sizes = items.map(({ json }) => (Array.isArray(json.assets) ? json.assets.length : 1));
	return sizes.reduce((sum, size) => sum + size, 0);
}

async function fileSize({ binary }: INodeExecutionData): Promise<number> {
	const id = binary?.data?.id;
	if (id === undefined) throw new Error('The file is not in the binary storage');
	const { Container } = requireFromN8n<{ Container: { get<T>(type: unknown): T } }>('@n8n/di');
	const { BinaryDataService } = requireFromN8n<{ BinaryDataService: unknown }>('n8n-core');
	const storage = Container.get<{ getMetadata(id: string): Promise<{ fileSize: number }> }>(
		BinaryDataService,
	);
	return (await storage.getMetadata(id)).fileSize;
}
