import type * as Core from 'n8n-core';
import type * as Workflow from 'n8n-workflow';

import { requireFromN8n } from '../n8n/installation';

/** What n8n loads nodes with. */
interface NodeLoader {
	/** The descriptions as the editor gets them. */
	types: { nodes: Workflow.INodeTypeDescription[] };
	postProcessLoaders(): Promise<void>;
	unloadPackage(name: string): Promise<void>;
	loadPackage(name: string): Promise<unknown>;
}

/** The parts of n8n's own command line program that run a workflow: see n8n's dist/commands. */
interface N8nParts {
	Execute: new () => { init(): Promise<void>; needsTaskRunner: boolean };
	LoadNodesAndCredentials: new (...args: never[]) => NodeLoader;
	NodeTypes: new (...args: never[]) => Workflow.INodeTypes;
	CredentialsHelper: new (...args: never[]) => Workflow.ICredentialsHelper;
	getBase: (options: object) => Promise<Workflow.IWorkflowExecuteAdditionalData>;
}

interface Evaluator {
	evaluate(...args: unknown[]): unknown;
	waitForReplenishment(): Promise<void>;
	createBridge(): Promise<{ constructor: { name: string }; dispose(): Promise<void> }>;
}

/** What is counted while workflows run. */
export interface Tally {
	evaluations: number;
	credentialReads: number;
}

/** n8n inside this process, as its own `n8n execute` starts it. */
export interface N8nInside {
	core: typeof Core;
	workflow: typeof Workflow;
	nodeTypes: Workflow.INodeTypes;
	loadNodes: NodeLoader;
	additionalData: () => Promise<Workflow.IWorkflowExecuteAdditionalData>;
	tally: Tally;
	/** n8n makes a new isolate in the background whenever an execution takes one: waits for it. */
	isolatesReady: () => Promise<void>;
	/** The expression engine in use, found out by asking it. */
	expressionEngine: string;
	/** Milliseconds from the start of the process until n8n's node list was complete. */
	nodeListMs: number;
}

/**
 * Starts n8n in this process by n8n's own means: its configuration, database, node loader,
 * credential storage and expression engine. Nothing of it is rebuilt here, because what a node
 * costs in production is to a large part what it makes n8n do.
 */
export async function startN8nInside(): Promise<N8nInside> {
	prepareProcess();
	const { Container } = requireFromN8n<{ Container: { get<T>(type: unknown): T } }>('@n8n/di');
	const { ModuleRegistry } = requireFromN8n<{ ModuleRegistry: unknown }>('@n8n/backend-common');
	const { Execute, LoadNodesAndCredentials, NodeTypes, CredentialsHelper, getBase } = parts();
	const workflow = requireFromN8n<typeof Workflow>('n8n-workflow');

	const loadNodes = Container.get<NodeLoader>(LoadNodesAndCredentials);
	let nodeListMs = 0;
	const postProcess = loadNodes.postProcessLoaders.bind(loadNodes);
	loadNodes.postProcessLoaders = async () => {
		await postProcess();
		nodeListMs ||= performance.now();
	};

	await Container.get<{ loadModules(): Promise<void> }>(ModuleRegistry).loadModules();
	const command = new Execute();
	command.needsTaskRunner = false;
	await command.init();

	const tally: Tally = { evaluations: 0, credentialReads: 0 };
	const evaluator = (workflow.Expression as unknown as { vmEvaluator: Evaluator }).vmEvaluator;
	const evaluate = evaluator.evaluate.bind(evaluator);
	evaluator.evaluate = (...args) => {
		tally.evaluations++;
		return evaluate(...args);
	};
	const helper = Container.get<Workflow.ICredentialsHelper>(CredentialsHelper);
	const getDecrypted = helper.getDecrypted.bind(helper);
	helper.getDecrypted = async (...args) => {
		tally.credentialReads++;
		return await getDecrypted(...args);
	};
	return {
		core: requireFromN8n<typeof Core>('n8n-core'),
		workflow,
		nodeTypes: Container.get(NodeTypes),
		loadNodes,
		additionalData: async () => await getBase({}),
		tally,
		isolatesReady: async () => await evaluator.waitForReplenishment(),
		expressionEngine: await engineOf(evaluator),
		nodeListMs,
	};
}

/** The same steps as n8n's bin/n8n. */
function prepareProcess(): void {
	requireFromN8n<{ install(): void }>('source-map-support').install();
	requireFromN8n('reflect-metadata');
	requireFromN8n('n8n/dist/config');
	requireFromN8n<{ setDefaultAutoSelectFamily(on: boolean): void }>(
		'node:net',
	).setDefaultAutoSelectFamily(false);
}

function parts(): N8nParts {
	return {
		...requireFromN8n<Pick<N8nParts, 'Execute'>>('n8n/dist/commands/execute.js'),
		...requireFromN8n<Pick<N8nParts, 'LoadNodesAndCredentials'>>(
			'n8n/dist/load-nodes-and-credentials.js',
		),
		...requireFromN8n<Pick<N8nParts, 'NodeTypes'>>('n8n/dist/node-types.js'),
		...requireFromN8n<Pick<N8nParts, 'CredentialsHelper'>>('n8n/dist/credentials-helper.js'),
		...requireFromN8n<Pick<N8nParts, 'getBase'>>('n8n/dist/workflow-execute-additional-data.js'),
	};
}

/** @returns the class that expressions cross into: IsolatedVmBridge is the "vm" engine */
async function engineOf(evaluator: Evaluator): Promise<string> {
	const bridge = await evaluator.createBridge();
	await bridge.dispose();
	return bridge.constructor.name;
}
