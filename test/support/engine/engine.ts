import { Logger } from '@n8n/backend-common';
import { Container } from '@n8n/di';
import {
	BinaryDataConfig,
	BinaryDataService,
	CredentialTestContext,
	ErrorReporter,
	ExecutionLifecycleHooks,
	LoadOptionsContext,
	WorkflowExecute,
} from 'n8n-core';
import {
	Workflow,
	type IConnections,
	type IDataObject,
	type INode,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type INodeType,
	type IRun,
	type NodeApiError,
} from 'n8n-workflow';

import { createAdditionalData } from './additionalData';
import { nodeTypes, type OwnTypes } from './nodeTypes';
import {
	connectTo,
	createAvatarStudioNode,
	createNode,
	createType,
	CREDENTIAL,
	type Credentials,
	NODE,
} from './parts';

export { CREDENTIAL, TRIGGER } from './parts';

/** Under this type, the node is an agent's tool. */
export const TOOL = `${NODE}Tool`;

/** What a run of the node needs besides its parameters. */
export interface RunOptions {
	items?: INodeExecutionData[];
	credentials: Credentials;
	/** The node's own settings: onError, retryOnFail, maxTries … */
	settings?: Partial<INode>;
	/** Called with the run as soon as it has started, to cancel it. */
	onStart?: (run: { cancel: () => void }) => void;
	/** The URL that n8n's links to files start with. */
	restApiUrl?: string;
	/** How often a loop in the workflow runs the node; by default there is no loop. */
	rounds?: number;
}

export interface Output {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** The `json` of each item of the first output. */
	json: IDataObject[];
	/** Items of the error output, if the node has one. */
	errorItems: INodeExecutionData[];
	/** The error that ended the execution. */
	error?: NodeApiError;
	run: IRun;
}

/** Whether the engine is that of n8n 1.x, on which test/n8n/jest.config.js runs these tests as well. */
export const isVersion1 = WorkflowExecute.prototype.run.length > 1;

/** A line that the node wrote to n8n's log. */
export interface LogLine {
	level: 'debug' | 'info' | 'warn' | 'error';
	message: string;
	metadata?: IDataObject;
}
/** What the node wrote to n8n's log, without n8n's own lines. */
export const logLines: LogLine[] = [];
/** The messages of its warnings. */
export const warnings: string[] = [];

/** Returns the error of a run or poll, which must fail. */
export async function getError(run: Promise<unknown>): Promise<NodeApiError> {
	return await run.then(
		() => {
			throw new Error('It did not fail');
		},
		(error: unknown) => error as NodeApiError,
	);
}

/** Formats an error as the user reads it: what happened, then what to do. */
export function getErrorText(error: Output['error']): string {
	return [error?.message, error?.description].filter(Boolean).join('. ');
}

/** Loads the package and n8n's binary storage once for a test file. */
export async function startEngine(binaryMode: 'default' | 'filesystem' = 'filesystem') {
	// n8n's own reporter prints the stack of every error that a test provokes.
	Container.set(ErrorReporter, { error() {}, warn() {}, info() {} } as never);
	const logger = Object.create(Container.get(Logger), {
		debug: { value: collectLines('debug') },
		info: { value: collectLines('info') },
		warn: { value: collectLines('warn') },
		error: { value: collectLines('error') },
	}) as Logger;
	Container.set(Logger, logger);
	const config = Container.get(BinaryDataConfig);
	config.mode = binaryMode;
	config.availableModes = ['filesystem'];
	await Container.get(BinaryDataService).init();
	await nodeTypes.load();
}

/** @returns a method of n8n's logger, which keeps the node's lines: n8n's own have a workflow only */
function collectLines(level: LogLine['level']) {
	return (message: string, metadata: IDataObject = {}) => {
		const isOfN8n = 'workflowId' in metadata && !('executionId' in metadata);
		if (!isOfN8n) logLines.push({ level, message, metadata });
		if (level === 'warn') warnings.push(message);
	};
}

/** @returns the bytes of a file that a node put on an item */
export async function readFile(item: INodeExecutionData | undefined, field = 'data') {
	return await Container.get(BinaryDataService).getAsBuffer(item!.binary![field]!);
}

/** Runs the node after a source of items through n8n's real engine. */
export async function runNode(
	parameters: INodeParameters,
	{ items = [{ json: {} }], settings = {}, rounds = 1, ...options }: RunOptions,
): Promise<Output> {
	let round = 1;
	const repeat = createType(() => (round++ < rounds ? items : []));
	const types = { Source: createType(() => items), Loop: repeat };
	const node = { ...createAvatarStudioNode(parameters), ...settings };
	const nodes = [createNode('Source'), node, createNode('Loop')];
	const toNode = connectTo('Avatar Studio');
	const connections = { Source: toNode, 'Avatar Studio': connectTo('Loop'), Loop: toNode };
	const run = await runWorkflow(nodes, connections, { ...options, types });
	const task = run.data.resultData.runData['Avatar Studio']?.[0];
	const main = task?.data?.main ?? [];
	return {
		items: main[0] ?? [],
		json: (main[0] ?? []).map((item) => item.json),
		errorItems: main[1] ?? [],
		error: (run.data.resultData.error ?? task?.error) as Output['error'],
		run,
	};
}

/**
 * Runs the node as the tool of an agent that calls tools itself, as AI Agent 2.2 and below do
 * (n8n-core, get-input-connection-data.js).
 *
 * @param calls the arguments of each call, in sequence
 * @returns the result of each call that the agent reads
 */
export async function callTool(
	parameters: INodeParameters,
	calls: IDataObject[],
	{ settings = {}, items = [{ json: {} }], ...options }: RunOptions,
): Promise<string[]> {
	const answers: string[] = [];
	const agent = createType(() => []);
	agent.description.inputs = ['main', 'ai_tool'];
	agent.execute = async function () {
		const [tool] = (await this.getInputConnectionData('ai_tool', 0)) as {
			invoke: (args: IDataObject) => Promise<string>;
		}[];
		for (const args of calls) {
			answers.push(await tool!.invoke(args).catch((error: Error) => error.message));
		}
		return [[]];
	};
	const { description, ...methods } = nodeTypes.getByNameAndVersion(NODE);
	const name = `${description.name}Tool`;
	const tool = {
		...methods,
		description: { ...description, name, inputs: [], outputs: ['ai_tool'] },
	};
	const types = { Source: createType(() => items), Agent: agent, [TOOL]: tool as INodeType };
	const node = { ...createAvatarStudioNode(parameters), ...settings, type: TOOL };
	const nodes = [createNode('Source'), createNode('Agent'), node];
	const toAgent = { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 } as const]] };
	const connections = { Source: connectTo('Agent'), [node.name]: toAgent };
	await runWorkflow(nodes, connections, { ...options, types });
	return answers;
}

/**
 * Runs a workflow through n8n's real engine.
 *
 * @param options `start` names the first node; `types` are those of the test
 */
export async function runWorkflow(
	nodes: INode[],
	connections: IConnections,
	options: RunOptions & { start?: string; types: OwnTypes },
): Promise<IRun> {
	const { credentials, onStart, restApiUrl, start = 'Source', types } = options;
	// Any other zone is slow: n8n computes its offset again for every item.
	const settings = { executionOrder: 'v1', timezone: 'UTC' } as const;
	const data = { id: 'workflow', name: 'Workflow', nodes, connections, active: false, settings };
	const workflow = new Workflow({ ...data, nodeTypes: nodeTypes.with(types) });
	const additional = createAdditionalData(credentials);
	if (restApiUrl !== undefined) additional.restApiUrl = restApiUrl;
	additional.hooks = new ExecutionLifecycleHooks('manual', 'execution', data as never);
	const execution = new WorkflowExecute(additional, 'manual');
	const startNode = workflow.getNode(start)!;
	const setup = isVersion1 ? [workflow, startNode] : [{ workflow, startNode }];
	const started = execution.run(...(setup as Parameters<typeof execution.run>));
	onStart?.(started);
	return await started;
}

/** A search in the list of a field, in the main node unless it says otherwise. */
interface Search {
	text?: string;
	paginationToken?: string;
	nodeType?: string;
}

/** Runs a list search through n8n's real context. */
export async function searchList(
	method: string,
	credentials: Credentials,
	{ text, paginationToken, nodeType = NODE }: Search = {},
): Promise<INodeListSearchResult> {
	const { listSearch } = nodeTypes.getByName(nodeType).methods!;
	const context = createEditorContext(credentials, nodeType);
	return await listSearch![method]!.call(context, text, paginationToken);
}

/** Loads the options of a field through n8n's real context. */
export async function loadOptions(method: string, credentials: Credentials, nodeType = NODE) {
	const { loadOptions: methods } = nodeTypes.getByName(nodeType).methods!;
	return await methods![method]!.call(createEditorContext(credentials, nodeType));
}

/** Tests a credential as the credential dialog does. */
export async function testCredential(credentials: Credentials): Promise<INodeCredentialTestResult> {
	const { credentialTest } = nodeTypes.getByName(NODE).methods!;
	const context = new CredentialTestContext(createAdditionalData(credentials));
	const credential = { id: '1', name: 'Avatar Studio account', type: CREDENTIAL };
	return await credentialTest!.testCredential!.call(context, { ...credential, data: credentials });
}

function createEditorContext(credentials: Credentials, type: string) {
	const node = { ...createAvatarStudioNode({}), type };
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const additional = createAdditionalData(credentials);
	return new LoadOptionsContext(workflow, node, additional, '') as never;
}
