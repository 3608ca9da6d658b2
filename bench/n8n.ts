import type * as Core from 'n8n-core';
import type {
	IConnections,
	INode,
	INodeExecutionData,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type * as N8nWorkflow from 'n8n-workflow';

import { requireFromN8n } from '../n8n/installation';

import type { ConfiguredNode, Fixtures } from './nodes';

const CREDENTIAL_TYPE = 'avatarStudioApi';
const CREDENTIAL = { id: 'benchCredential1', name: 'Avatar Studio account' };
const SAMPLE_INTERVAL_MS = 10;

/** What the executions cost this process: all its threads, including garbage collection. */
export interface Measurement {
	cpuMs: number;
	wallMs: number;
	/** Growth of the resident memory at its peak. */
	memoryMb: number;
}

/** Starts n8n as its own `execute` command does: most of a node's cost is the work it causes there. */
export async function start(): Promise<void> {
	// As n8n's bin/n8n does.
	requireFromN8n('reflect-metadata');
	requireFromN8n('n8n/dist/config');
	const modules = getInstance<{ loadModules(): Promise<void> }>(
		'@n8n/backend-common',
		'ModuleRegistry',
	);
	await modules.loadModules();
	const { Execute } = requireFromN8n<{
		Execute: new () => { init(): Promise<void>; needsTaskRunner: boolean };
	}>('n8n/dist/commands/execute.js');
	const command = new Execute();
	command.needsTaskRunner = false;
	await command.init();
}

/** The cost of all executions, and what came of each. */
export interface RunResult extends Measurement {
	results: { output: number; error?: string }[];
}

/** Measures executions of nodes in a row, starting with a clean heap. */
export async function run(
	nodes: ConfiguredNode[],
	items: INodeExecutionData[],
	executions: number,
	account: Fixtures,
): Promise<RunResult> {
	await saveCredential(account);
	// n8n creates an isolate for expressions in the background whenever an execution takes one.
	const { vmEvaluator } = requireFromN8n<typeof N8nWorkflow>('n8n-workflow')
		.Expression as unknown as { vmEvaluator: { waitForReplenishment(): Promise<void> } };
	await vmEvaluator.waitForReplenishment();
	globalThis.gc?.();
	const rssBefore = process.memoryUsage.rss();
	let peakRss = rssBefore;
	const sampling = setInterval(() => {
		peakRss = Math.max(peakRss, process.memoryUsage.rss());
	}, SAMPLE_INTERVAL_MS);
	const cpuBefore = process.cpuUsage();
	const startedAt = performance.now();
	const results = await Promise.all(
		Array.from({ length: executions }, async () => await execute(nodes, items)),
	);
	const wallMs = performance.now() - startedAt;
	await vmEvaluator.waitForReplenishment();
	const { user, system } = process.cpuUsage(cpuBefore);
	clearInterval(sampling);
	return { results, wallMs, cpuMs: (user + system) / 1000, memoryMb: (peakRss - rssBefore) / 1e6 };
}

/** @returns number of returned records, or bytes of the file */
async function execute(
	nodes: ConfiguredNode[],
	items: INodeExecutionData[],
): Promise<RunResult['results'][number]> {
	try {
		const returned = await runNodes(nodes, items);
		return { output: returned.reduce((sum, item) => sum + countOutput(item), 0) };
	} catch (error) {
		return { output: 0, error: (error as Error).message };
	}
}

function countOutput({ json, binary }: INodeExecutionData): number {
	// The HTTP Request node emits pages, which would have to be split into items.
	return binary?.data?.bytes ?? (Array.isArray(json.assets) ? json.assets.length : 1);
}

/** Saves the credential encrypted in n8n's database; it replaces the previous one. */
async function saveCredential({ baseUrl, apiKey }: Fixtures): Promise<void> {
	const { Credentials } = requireFromN8n<typeof Core>('n8n-core');
	const credentials = new Credentials(CREDENTIAL, CREDENTIAL_TYPE);
	await credentials.setData({ baseUrl, apiKey });
	const repository = getInstance<{
		create(entity: object): object;
		save(entity: object): Promise<void>;
	}>('@n8n/db', 'CredentialsRepository');
	await repository.save(
		repository.create({ ...CREDENTIAL, type: CREDENTIAL_TYPE, data: credentials.data }),
	);
}

/** Runs nodes in a row as a production execution does, behind a trigger that emits the items. */
async function runNodes(
	configured: ConfiguredNode[],
	items: INodeExecutionData[],
): Promise<INodeExecutionData[]> {
	const core = requireFromN8n<typeof Core>('n8n-core');
	const { Workflow, createRunExecutionData } = requireFromN8n<typeof N8nWorkflow>('n8n-workflow');
	const { getBase } = requireFromN8n<{
		getBase: (options: object) => Promise<IWorkflowExecuteAdditionalData>;
	}>('n8n/dist/workflow-execute-additional-data.js');
	const trigger = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
	const nodes: INode[] = [trigger, ...configured].map((node, index) => ({
		id: String(index),
		name: `Node ${index}`,
		position: [0, 0],
		credentials: { [CREDENTIAL_TYPE]: CREDENTIAL },
		...node,
	}));
	const connections: IConnections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index]!.name,
				{ main: [[{ node: name, type: 'main', index: 0 }]] },
			]),
	);
	const settings = { executionOrder: 'v1' as const };
	const definition = { id: 'bench', name: 'Bench', nodes, connections, active: true, settings };
	const nodeTypes = getInstance<INodeTypes>('n8n/dist/node-types.js', 'NodeTypes');
	const workflow = new Workflow({ ...definition, nodeTypes });
	const additionalData = await getBase({});
	additionalData.executionId = 'bench';
	additionalData.hooks = new core.ExecutionLifecycleHooks('trigger', 'bench', definition as never);
	const node = workflow.getNode(nodes[0]!.name)!;
	const runData = createRunExecutionData({
		executionData: { nodeExecutionStack: [{ node, data: { main: [items] }, source: null }] },
	});
	const execution = new core.WorkflowExecute(additionalData, 'trigger', runData);
	const { resultData } = (await execution.processRunExecutionData(workflow)).data;
	const task = resultData.runData[nodes.at(-1)!.name]?.[0];
	const error = resultData.error ?? task?.error;
	if (error) throw error;
	return task?.data?.main?.[0] ?? [];
}

function getInstance<T>(module: string, className: string): T {
	const { Container } = requireFromN8n<{ Container: { get<I>(type: unknown): I } }>('@n8n/di');
	return Container.get<T>(requireFromN8n<Record<string, unknown>>(module)[className]);
}
