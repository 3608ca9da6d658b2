import type { IConnections, INode, INodeExecutionData, IRun } from 'n8n-workflow';

import { requireFromN8n } from '../n8n/installation';

import type { Job, Outcome, Subject } from './job';
import { measured } from './measured';
import { CREDENTIAL } from './n8nCredential';
import type { N8nInside } from './n8nInside';
import { inputOf, nodesFor, type NodeUnderTest } from './nodesUnderTest';

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
	const trigger = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	const nodes: INode[] = [trigger, ...nodesFor(node, job, subject)].map((configured, index) => ({
		id: String(index),
		name: nameOf(index),
		position: [0, 0],
		credentials: { avatarStudioApi: CREDENTIAL },
		...configured,
	}));
	const last = nameOf(nodes.length - 1);
	const connections: IConnections = {};
	for (let index = 1; index < nodes.length; index++) {
		connections[nameOf(index - 1)] = {
			main: [[{ node: nameOf(index), type: 'main', index: 0 }]],
		};
	}
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
				{ node: workflow.getNode(nameOf(0))!, data: { main: [items] }, source: null },
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
		produced: await producedBy(result, last, job),
		evaluations: tally.evaluations - before.evaluations,
		credentialReads: tally.credentialReads - before.credentialReads,
	};
}

/** The trigger is the first, 0. */
function nameOf(index: number): string {
	return `Node ${index}`;
}

/** @returns how many records a run gave out at its last node, or the bytes of its file */
async function producedBy({ data }: IRun, last: string, { what }: Job): Promise<number> {
	const task = data.resultData.runData[last]?.[0];
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
