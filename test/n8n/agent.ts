import type { Execution } from '../../n8n/execution';
import {
	startLanguageModel,
	type Conversation,
	type LanguageModel,
	type OfferedTool,
	type ToolCall,
	type Turn,
} from '../../n8n/languageModel';
import { AvatarStudio } from '../../nodes/AvatarStudio/AvatarStudio.node';

import { startByHand, STUDIO, type Part, type RunningN8n, type Wire } from './runningN8n';
import { n8nVersion } from './servers';

/** Which of n8n's agents to use, and how it calls its model. */
export interface AgentOptions {
	/** Version of the node AI Agent; the latest if not given. */
	version?: number;
	/** Parameters of the OpenAI Chat Model beyond the model itself. */
	modelParameters?: object;
	/** Settings of the tools besides their parameters, such as On Error. */
	toolSettings?: object;
}

/** A fixed turn, or one that depends on the tools' results so far. */
export type ScriptedTurn = Turn | ((answers: string[]) => Turn);

/** The result of one run of an agent. */
export interface AgentRun {
	execution: Execution;
	/** The result of each tool call, in order, as the model read it. */
	answers: string[];
	/** The tools as described to the model, by name. */
	offered: Record<string, OfferedTool>;
	/** The route of the model that the agent called. */
	route: string;
}

/** One of n8n's AI agents with all operations as its tools, and a model that plays a script. */
export interface Agent {
	/** Runs the agent while the model plays the script. */
	play(...script: ScriptedTurn[]): Promise<AgentRun>;
}

/** Every operation as the editor adds it, with its main fields left to the model. */
const tools = [
	tool('asset', 'delete', { assetId: idFromModel('Asset') }),
	tool('asset', 'download', { assetId: idFromModel('Asset') }),
	tool('asset', 'get', { assetId: idFromModel('Asset') }),
	tool('asset', 'getAll', { limit: fromModel('Limit', 'number') }),
	tool('asset', 'importFromUrl', {
		name: fromModel('Name'),
		fileUrl: fromModel('File URL'),
		type: fromModel('Type'),
	}),
	tool('asset', 'update', { assetId: idFromModel('Asset'), name: fromModel('New Name') }),
	tool('speech', 'create', { voiceId: idFromModel('Voice'), script: fromModel('Script') }),
	tool('video', 'create', {
		videoTitle: fromModel('Title'),
		script: fromModel('Script'),
		avatarId: fromModel('Avatar ID'),
		voiceId: idFromModel('Voice'),
	}),
	// Never give a key to a model: the user fills it in.
	tool('voice', 'addApiKey', {
		providerName: fromModel('Provider Name'),
		serviceName: fromModel('Service Name'),
		encryptedKey: 'c2VjcmV0',
	}),
	tool('voice', 'getAll', { query: fromModel('Search'), limit: fromModel('Limit', 'number') }),
];

/** An agent for the tests of one file or block. */
export function useAgent(n8n: RunningN8n, options: AgentOptions = {}): Agent {
	let model: LanguageModel;
	let script: ScriptedTurn[] = [];
	let conversations: Conversation[] = [];
	let workflowId: string;

	const takeTurn = (conversation: Conversation): Turn => {
		conversations.push(conversation);
		const turn = script.shift() ?? 'I am done.';
		return typeof turn === 'function' ? turn(conversation.answers) : turn;
	};

	beforeAll(async () => {
		model = await startLanguageModel(0, takeTurn);
		const openAi = await n8n.newAccount('openAiApi', { apiKey: 'not-needed', url: model.url });
		const parts = [startByHand, agentPart(options), modelPart(options, openAi), ...toolParts()];
		workflowId = await n8n.newWorkflow('Agent', parts, wires);
	});

	afterAll(async () => {
		await model.close();
	});

	const toolParts = () =>
		tools.map((part) => ({ ...part, credentials: n8n.account, ...options.toolSettings }));

	return {
		async play(...turns) {
			script = turns;
			conversations = [];
			const execution = await n8n.run(workflowId);
			const { route, tools: offered, answers } = conversations.at(-1)!;
			return {
				execution,
				answers,
				offered: Object.fromEntries(offered.map((offer) => [offer.name, offer])),
				route,
			};
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

const AGENT = 'AI Agent';
const MODEL = 'OpenAI Chat Model';

const wires: Wire[] = [
	[startByHand.name, 'main', AGENT],
	[MODEL, 'ai_languageModel', AGENT],
	...tools.map(({ name }): Wire => [name, 'ai_tool', AGENT]),
];

/** The versions of the node AI Agent to test with: n8n 1.x has no 3.1. */
export function agentVersions(): number[] {
	return n8nVersion().startsWith('1.') ? [2.2, 3] : [2.2, 3, 3.1];
}

function agentPart({ version = agentVersions().at(-1)! }: AgentOptions): Part {
	return {
		name: AGENT,
		type: '@n8n/n8n-nodes-langchain.agent',
		typeVersion: version,
		parameters: {
			promptType: 'define',
			text: 'Do what the script says.',
			options: { maxIterations: 30 },
		},
	};
}

function modelPart({ modelParameters }: AgentOptions, credentials: object): Part {
	return {
		name: MODEL,
		type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
		typeVersion: 1.3,
		parameters: {
			model: { __rl: true, mode: 'id', value: 'scripted' },
			...modelParameters,
			options: {},
		},
		credentials,
	};
}

/** The editor names a tool after its action: "Get asset in Avatar Studio". */
function tool(resource: string, operation: string, parameters: object): Part {
	const chosen = new AvatarStudio().description.properties
		.filter(({ name, displayOptions }) => {
			return name === 'operation' && displayOptions?.show?.resource?.includes(resource);
		})
		.flatMap(({ options = [] }) => options)
		.find((option) => 'value' in option && option.value === operation);
	return {
		name: `${(chosen as { action: string }).action} in Avatar Studio`,
		type: `${STUDIO}Tool`,
		parameters: { resource, operation, ...parameters },
	};
}

/** A value from the model, as the editor's button writes it: with a name, but no description. */
function fromModel(label: string, type = 'string'): string {
	const key = label.replaceAll(' ', '_');
	return `={{ /*n8n-auto-generated-fromAI-override*/ $fromAI('${key}', \`\`, '${type}') }}`;
}

function idFromModel(label: string) {
	return { __rl: true, mode: 'id', value: fromModel(label) };
}
