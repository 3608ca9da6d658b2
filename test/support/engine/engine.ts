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
	type ICredentialDataDecryptedObject,
	type IDataObject,
	type INode,
	type INodeCredentialTestResult,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	type IRun,
	type NodeApiError,
} from 'n8n-workflow';

import { createAdditionalData } from './additionalData';
import { NodeTypes } from './nodeTypes';
import { removeRegexTimeLimit } from './regexTimeLimit';

export const NODE = 'n8n-nodes-avatar-studio.avatarStudio';
export const TRIGGER = 'n8n-nodes-avatar-studio.avatarStudioTrigger';
export const CREDENTIAL = 'avatarStudioApi';
const SOURCE = 'test.source';
const LOOP = 'test.loop';
const AGENT = 'test.agent';

/** Under this type, the node is an agent's tool. */
export const TOOL = `${NODE}Tool`;

let runs = 0;

/** The setup of a node run besides its parameters. */
export interface RunOptions {
	items?: INodeExecutionData[];
	credentials: ICredentialDataDecryptedObject;
	/** The node's own settings: onError, retryOnFail, maxTries … */
	settings?: Partial<INode>;
	/** Called with the run as soon as it has started, to cancel it. */
	onStart?: (run: { cancel: () => void }) => void;
	/** The URL that n8n's links to files start with. */
	restApiUrl?: string;
	/** How often a loop in the workflow runs the node; by default there is no loop. */
	rounds?: number;
}

/** What a node run returns. */
export interface Output {
	/** Items of the first output. */
	items: INodeExecutionData[];
	/** Their `json`. */
	json: IDataObject[];
	/** Items of the error output, if the node has one. */
	errorItems: INodeExecutionData[];
	/** What ended the execution. */
	error?: NodeApiError;
	run: IRun;
}

/** Whether the engine is that of n8n 1.x, on which test/n8n/jest.config.js runs these tests as well. */
export const isVersion1 = WorkflowExecute.prototype.run.length > 1;

export const nodeTypes = new NodeTypes();

/** Warnings that nodes wrote to n8n's log. */
export const warnings: string[] = [];

/** The error of a run or poll that must fail. */
export async function getError(run: Promise<unknown>): Promise<NodeApiError> {
	return await run.then(
		() => {
			throw new Error('It did not fail');
		},
		(error: unknown) => error as NodeApiError,
	);
}

/** The error as the user reads it: what happened and what to do. */
export function getErrorText(error: Output['error']): string {
	return [error?.message, error?.description].filter(Boolean).join('. ');
}

/** Loads the package and n8n's binary storage once for a test file. */
export async function startEngine(binaryMode: 'default' | 'filesystem' = 'filesystem') {
	// n8n's own reporter prints the stack of every error that a test provokes.
	Container.set(ErrorReporter, { error() {}, warn() {}, info() {} } as never);
	const warn = { value: (message: string) => void warnings.push(message) };
	Container.set(Logger, Object.create(Container.get(Logger), { warn }) as Logger);
	const config = Container.get(BinaryDataConfig);
	config.mode = binaryMode;
	config.availableModes = ['filesystem'];
	await Container.get(BinaryDataService).init();
	removeRegexTimeLimit();
	await nodeTypes.load();
}

/** @returns the node type as n8n loads it */
export function getNodeType(type: string): INodeType {
	return nodeTypes.getByNameAndVersion(type);
}

/** @returns the bytes of a file that a node put on an item */
export async function readFile(item: INodeExecutionData | undefined, field = 'data') {
	const binary = item?.binary?.[field];
	if (!binary) throw new Error(`There is no file in ${field}`);
	return await Container.get(BinaryDataService).getAsBuffer(binary);
}

/** Runs the node in a two-node workflow through n8n's real engine. */
export async function runNode(
	parameters: INodeParameters,
	{ items = [{ json: {} }], settings = {}, rounds = 1, ...options }: RunOptions,
): Promise<Output> {
	// Runs that start together have their own items.
	const [source, loop] = [`${SOURCE}${++runs}`, `${LOOP}${runs}`];
	let round = 1;
	nodeTypes.own[source] = createTestNodeType(() => items);
	nodeTypes.own[loop] = createTestNodeType(() => (round++ < rounds ? items : []));
	const nodes: INode[] = [
		createTestNode('Source', source),
		{ ...createAvatarStudioNode(parameters), ...settings },
		createTestNode('Loop', loop),
	];
	const toNode = { main: [[{ node: 'Avatar Studio', type: 'main' as const, index: 0 }]] };
	const connections: IConnections = { Source: toNode };
	if (rounds > 1) {
		connections['Avatar Studio'] = { main: [[{ node: 'Loop', type: 'main', index: 0 }]] };
		connections.Loop = toNode;
	}
	const run = await runWorkflow(nodes, connections, options);
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
	const { description, ...methods } = getNodeType(NODE);
	nodeTypes.own[SOURCE] = createTestNodeType(() => items);
	nodeTypes.own[TOOL] = {
		...methods,
		description: { ...description, inputs: [], outputs: ['ai_tool'] },
	};
	const agent = createTestNodeType(() => []);
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
	nodeTypes.own[AGENT] = agent;
	const node = createAvatarStudioNode(parameters);
	await runWorkflow(
		[
			createTestNode('Source', SOURCE),
			createTestNode('Agent', AGENT),
			{ ...node, ...settings, type: TOOL },
		],
		{
			Source: { main: [[{ node: 'Agent', type: 'main', index: 0 }]] },
			[node.name]: { ai_tool: [[{ node: 'Agent', type: 'ai_tool', index: 0 }]] },
		},
		options,
	);
	return answers;
}

/**
 * Runs a workflow through n8n's real engine.
 *
 * @param options `start` names the first node; `types` are node types of the test, by name
 */
export async function runWorkflow(
	nodes: INode[],
	connections: IConnections,
	{
		credentials,
		onStart,
		restApiUrl,
		start = 'Source',
		types = {},
	}: RunOptions & { start?: string; types?: Record<string, INodeType> },
): Promise<IRun> {
	Object.assign(nodeTypes.own, types);
	// n8n computes the offset of any other zone again for every item.
	const settings = { executionOrder: 'v1', timezone: 'UTC' } as const;
	const data = { id: 'workflow', name: 'Workflow', nodes, connections, active: false, settings };
	const workflow = new Workflow({ ...data, nodeTypes });
	const additional = createAdditionalData(nodeTypes, credentials);
	if (restApiUrl !== undefined) additional.restApiUrl = restApiUrl;
	additional.hooks = new ExecutionLifecycleHooks('manual', 'execution', data as never);
	const execution = new WorkflowExecute(additional, 'manual');
	const startNode = workflow.getNode(start)!;
	const setup = isVersion1 ? [workflow, startNode] : [{ workflow, startNode }];
	const started = execution.run(...(setup as Parameters<typeof execution.run>));
	onStart?.(started);
	return await started;
}

/** Runs a list search through n8n's real context. */
export async function searchList(
	method: 'searchAssets' | 'searchVoices',
	credentials: ICredentialDataDecryptedObject,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	return await getNodeType(NODE).methods!.listSearch![method]!.call(
		createEditorContext(credentials),
		filter,
		paginationToken,
	);
}

/** Loads the options of a field through n8n's real context. */
export async function loadOptions(
	method: string,
	credentials: ICredentialDataDecryptedObject,
): Promise<INodePropertyOptions[]> {
	return await getNodeType(NODE).methods!.loadOptions![method]!.call(
		createEditorContext(credentials),
	);
}

/** Tests a credential as the credential dialog does. */
export async function testCredential(
	credentials: ICredentialDataDecryptedObject,
): Promise<INodeCredentialTestResult> {
	const [{ testedBy } = {}] = getNodeType(NODE).description.credentials ?? [];
	const test = getNodeType(NODE).methods!.credentialTest![testedBy as string]!;
	return await test.call(new CredentialTestContext(createAdditionalData(nodeTypes, credentials)), {
		id: '1',
		name: 'Avatar Studio account',
		type: CREDENTIAL,
		data: credentials,
	});
}

function createEditorContext(credentials: ICredentialDataDecryptedObject) {
	const node = createAvatarStudioNode({});
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return new LoadOptionsContext(
		workflow,
		node,
		createAdditionalData(nodeTypes, credentials),
		'',
	) as never;
}

function createAvatarStudioNode(parameters: INodeParameters): INode {
	return {
		id: '2',
		name: 'Avatar Studio',
		type: NODE,
		typeVersion: 1,
		position: [0, 0],
		parameters,
		credentials: { [CREDENTIAL]: { id: '1', name: 'Avatar Studio account' } },
	};
}

function createTestNode(name: string, type: string): INode {
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters: {} };
}

function createTestNodeType(items: () => INodeExecutionData[]): INodeType {
	return {
		description: {
			displayName: 'Test',
			name: 'test',
			group: ['transform'],
			version: 1,
			description: '',
			defaults: {},
			inputs: ['main'],
			outputs: ['main'],
			properties: [],
		},
		execute: async () => await Promise.resolve([items()]),
	};
}
