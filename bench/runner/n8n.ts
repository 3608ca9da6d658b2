import type * as Core from 'n8n-core';
import type {
	IConnections,
	ICredentialsHelper,
	INode,
	INodeExecutionData,
	INodeTypes,
	IWorkflowExecuteAdditionalData,
} from 'n8n-workflow';
import type * as N8nWorkflow from 'n8n-workflow';

import { requireFromN8n } from '../../n8n/installation';
import type { ConfiguredNode } from '../cases/nodeParameters';
import type { Fixtures } from '../cases/task';

const CREDENTIAL_TYPE = 'avatarStudioApi';
const CREDENTIAL = { id: 'benchCredential1', name: 'Avatar Studio account' };

interface Container {
	get<T>(type: unknown): T;
}

interface ExpressionEvaluator {
	evaluate(...args: unknown[]): unknown;
	waitForReplenishment(): Promise<void>;
}

/** What n8n did while workflows ran. */
export interface Counters {
	evaluations: number;
	credentialReads: number;
}

/**
 * n8n in this process, started by its own `execute` command: its configuration, database, node
 * loader, credential storage and expression engine. Nothing is simulated, because most of a node's
 * cost in production is the work it causes in n8n.
 */
export class N8n {
	readonly counters: Counters = { evaluations: 0, credentialReads: 0 };
	private readonly core = requireFromN8n<typeof Core>('n8n-core');
	private readonly n8nWorkflow = requireFromN8n<typeof N8nWorkflow>('n8n-workflow');
	private readonly container = requireFromN8n<{ Container: Container }>('@n8n/di').Container;
	private readonly getAdditionalData = requireFromN8n<{
		getBase: (options: object) => Promise<IWorkflowExecuteAdditionalData>;
	}>('n8n/dist/workflow-execute-additional-data.js').getBase;
	private readonly evaluator: ExpressionEvaluator;
	private executions = 0;

	/** Starts n8n with the environment of this process. */
	static async start(): Promise<N8n> {
		// The same steps as n8n's bin/n8n.
		requireFromN8n<{ install(): void }>('source-map-support').install();
		requireFromN8n('reflect-metadata');
		requireFromN8n('n8n/dist/config');
		requireFromN8n<{ setDefaultAutoSelectFamily(on: boolean): void }>(
			'node:net',
		).setDefaultAutoSelectFamily(false);
		const { Container } = requireFromN8n<{ Container: Container }>('@n8n/di');
		const { ModuleRegistry } = requireFromN8n<{ ModuleRegistry: unknown }>('@n8n/backend-common');
		await Container.get<{ loadModules(): Promise<void> }>(ModuleRegistry).loadModules();
		const { Execute } = requireFromN8n<{
			Execute: new () => { init(): Promise<void>; needsTaskRunner: boolean };
		}>('n8n/dist/commands/execute.js');
		const command = new Execute();
		command.needsTaskRunner = false;
		await command.init();
		return new N8n();
	}

	private constructor() {
		const { vmEvaluator } = this.n8nWorkflow.Expression as unknown as {
			vmEvaluator: ExpressionEvaluator;
		};
		this.evaluator = vmEvaluator;
		this.countCalls(vmEvaluator, 'evaluate', 'evaluations');
		const helper = this.load<ICredentialsHelper>(
			'n8n/dist/credentials-helper.js',
			'CredentialsHelper',
		);
		this.countCalls(helper, 'getDecrypted', 'credentialReads');
	}

	/** Saves the credential encrypted in n8n's database; it replaces the previous one. */
	async saveCredential({ baseUrl, apiKey }: Fixtures): Promise<void> {
		const credentials = new this.core.Credentials(CREDENTIAL, CREDENTIAL_TYPE);
		await credentials.setData({ baseUrl, apiKey });
		const repository = this.load<{
			create(entity: object): object;
			save(entity: object): Promise<void>;
		}>('@n8n/db', 'CredentialsRepository');
		await repository.save(
			repository.create({ ...CREDENTIAL, type: CREDENTIAL_TYPE, data: credentials.data }),
		);
	}

	/**
	 * Runs nodes in a row as a production execution does, behind a trigger that emits the items.
	 *
	 * @param signal cancels the execution
	 * @returns what the last node emits
	 * @throws the error that ended the execution
	 */
	async runNodes(
		configured: (ConfiguredNode & Partial<INode>)[],
		items: INodeExecutionData[],
		signal?: AbortSignal,
	): Promise<INodeExecutionData[]> {
		const trigger = { type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} };
		const nodes: INode[] = [trigger, ...configured].map((node, index) => ({
			id: String(index),
			name: `Node ${index}`,
			position: [0, 0],
			credentials: { [CREDENTIAL_TYPE]: CREDENTIAL },
			...node,
		}));
		const connections: IConnections = {};
		for (const [index, { name }] of nodes.slice(1).entries()) {
			connections[nodes[index]!.name] = { main: [[{ node: name, type: 'main', index: 0 }]] };
		}
		const definition = {
			id: 'bench',
			name: 'Bench',
			nodes,
			connections,
			active: true,
			settings: { executionOrder: 'v1' as const },
		};
		const nodeTypes = this.load<INodeTypes>('n8n/dist/node-types.js', 'NodeTypes');
		const workflow = new this.n8nWorkflow.Workflow({ ...definition, nodeTypes });
		const executionId = String(++this.executions);
		const additionalData = await this.getAdditionalData({});
		additionalData.executionId = executionId;
		// Without n8n's hooks the execution is not saved, which costs the same for every node.
		additionalData.hooks = new this.core.ExecutionLifecycleHooks(
			'trigger',
			executionId,
			definition as never,
		);
		const runData = this.n8nWorkflow.createRunExecutionData({
			executionData: {
				nodeExecutionStack: [
					{ node: workflow.getNode(nodes[0]!.name)!, data: { main: [items] }, source: null },
				],
			},
		});
		const execution = new this.core.WorkflowExecute(additionalData, 'trigger', runData);
		const run = execution.processRunExecutionData(workflow);
		signal?.addEventListener('abort', () => run.cancel());
		const { resultData } = (await run).data;
		const task = resultData.runData[nodes.at(-1)!.name]?.[0];
		const error = resultData.error ?? task?.error;
		if (error) throw error;
		return task?.data?.main?.[0] ?? [];
	}

	/** The size in bytes of an item's stored file. */
	async readFileSize({ binary }: INodeExecutionData): Promise<number> {
		const storage = this.load<{ getMetadata(id: string): Promise<{ fileSize: number }> }>(
			'n8n-core',
			'BinaryDataService',
		);
		return (await storage.getMetadata(binary!.data!.id!)).fileSize;
	}

	/** Waits for the isolate that n8n creates in the background whenever an execution uses one. */
	async settle(): Promise<void> {
		await this.evaluator.waitForReplenishment();
	}

	private load<T>(module: string, className: string): T {
		return this.container.get<T>(requireFromN8n<Record<string, unknown>>(module)[className]);
	}

	private countCalls(target: object, method: string, counter: keyof Counters): void {
		const methods = target as Record<string, (...args: unknown[]) => unknown>;
		const original = methods[method]!.bind(target);
		methods[method] = (...args) => {
			this.counters[counter]++;
			return original(...args);
		};
	}
}
