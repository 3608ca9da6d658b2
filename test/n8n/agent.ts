import type { INodeProperties } from 'n8n-workflow';

import type { Execution } from '../../n8n/execution';
import { isVersion1 } from '../../n8n/installation';
import {
	startLanguageModel,
	type Conversation,
	type LanguageModel,
	type OfferedTool,
	type ToolCall,
	type Turn,
} from '../../n8n/languageModel';
import { operations, type DescribedOperation } from '../support/operations';

import { startByHand, STUDIO, type Part, type RunningN8n, type Wire } from './runningN8n';
import { n8nVersion } from './servers';

/** Which of n8n's agents to use, and how it calls its model. */
interface AgentOptions {
	/** Version of the node AI Agent; the latest if not given. */
	version?: number;
	/** Settings of the tools besides their parameters, such as On Error. */
	toolSettings?: object;
}

/** A fixed turn, or one that depends on the tools' results so far. */
type ScriptedTurn = Turn | ((answers: string[]) => Turn);

interface AgentRun {
	execution: Execution;
	/** The result of each tool call, in order, as the model read it. */
	answers: string[];
	/** The tools as described to the model. */
	offered: OfferedTool[];
}

/** Every operation as the editor adds it, with its main fields left to the model. */
const tools = operations
	// An agent has no file to hand over.
	.filter(({ operation }) => operation.value !== 'upload')
	.map(createTool);

const AGENT = 'AI Agent';
const MODEL = 'OpenAI Chat Model';

const wires: Wire[] = [
	[startByHand.name, 'main', AGENT],
	[MODEL, 'ai_languageModel', AGENT],
	...tools.map(({ name }): Wire => [name, 'ai_tool', AGENT]),
];

/** One of n8n's AI agents, with all operations as its tools, for the tests of one file or block. */
export function useAgent(n8n: RunningN8n, options: AgentOptions = {}) {
	let model: LanguageModel;
	let script: ScriptedTurn[] = [];
	let conversations: Conversation[] = [];
	let workflowId: string;

	beforeAll(async () => {
		model = await startLanguageModel(0, (conversation) => {
			conversations.push(conversation);
			const turn = script.shift() ?? 'I am done.';
			return typeof turn === 'function' ? turn(conversation.answers) : turn;
		});
		const openAi = await n8n.newAccount('openAiApi', { apiKey: 'not-needed', url: model.url });
		const settings = { credentials: n8n.account, ...options.toolSettings };
		const toolParts = tools.map((part) => ({ ...part, ...settings }));
		const parts = [startByHand, agentPart(options), modelPart(openAi, options), ...toolParts];
		workflowId = await n8n.newWorkflow('Agent', parts, wires);
	});

	afterAll(async () => await model.close());

	return {
		/** Runs the agent while the model plays the script. */
		async play(...turns: ScriptedTurn[]): Promise<AgentRun> {
			script = turns;
			conversations = [];
			const execution = await n8n.run(workflowId);
			const { tools: offered, answers } = conversations.at(-1)!;
			return { execution, answers, offered };
		},
	};
}

/** A call of the tool for this action. */
export function call(action: string, args: ToolCall['args'] = {}): ToolCall {
	return { tool: `${action} in Avatar Studio`.replaceAll(' ', '_'), args };
}

/** The fields of a tool's result, which n8n passes on as a list of items. */
export function parseItems(answer: string | undefined): Record<string, unknown>[] {
	return JSON.parse(answer ?? '[]') as Record<string, unknown>[];
}

/** The versions of the node AI Agent to test with: n8n 1.x has no 3.1. */
export function agentVersions(): number[] {
	return isVersion1(n8nVersion()) ? [2.2, 3] : [2.2, 3, 3.1];
}

function agentPart({ version = agentVersions().at(-1)! }: AgentOptions): Part {
	return {
		name: AGENT,
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: version,
		parameters: { promptType: 'define', text: 'Play the script.', options: { maxIterations: 30 } },
	};
}

/** Agents older than version 3 know OpenAI's former protocol only. */
function modelPart(credentials: object, { version = 3 }: AgentOptions): Part {
	return {
		name: MODEL,
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.3,
		parameters: {
			model: { __rl: true, mode: 'id', value: 'scripted' },
			responsesApiEnabled: version >= 3,
			options: {},
		},
		credentials,
	};
}

/** A tool, which the editor names after its action: "Get asset in Avatar Studio". */
function createTool({ resource, operation, fields }: DescribedOperation): Part {
	const selection = { resource: resource.value, operation: operation.value };
	const defaults = Object.fromEntries(fields.map((field) => [field.name, field.default]));
	const given: Record<string, unknown> = { ...defaults, ...selection };
	// The editor shows the others once something else is selected.
	const shown = fields.filter(({ displayOptions: { show = {} } = {} }) =>
		Object.entries(show).every(([name, values]) => values?.includes(given[name] as string)),
	);
	const values = shown.flatMap((field) => {
		if (isLeftToModel(field)) return [[field.name, fromModel(field)]];
		// Never give a key to a model: the user fills it in.
		return field.typeOptions?.password ? [[field.name, 'c2VjcmV0']] : [];
	});
	const parameters = { ...selection, ...Object.fromEntries(values) };
	return { name: `${operation.action} in Avatar Studio`, type: `${STUDIO}Tool`, parameters };
}

/** Whether a user leaves a field to the model: what to do it with or how much, not how. */
function isLeftToModel({ type, default: preset, typeOptions }: INodeProperties): boolean {
	if (type === 'string') return preset === '' && !typeOptions?.password;
	return ['number', 'options', 'resourceLocator'].includes(type);
}

/** A value from the model, as the editor's button writes it: with a name, but no description. */
function fromModel({ displayName, type }: INodeProperties): unknown {
	const key = displayName.replaceAll(' ', '_');
	const valueType = type === 'number' ? 'number' : 'string';
	const value = `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${valueType}') }}`;
	return type === 'resourceLocator' ? { __rl: true, mode: 'id', value } : value;
}
