import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

import { isLocalRequest } from '../service/isLocalRequest';

/** A tool call of the model. */
export interface ToolCall {
	tool: string;
	args: Record<string, unknown>;
}

/** A turn of the model: it calls one or several tools, or says something. */
export type Turn = ToolCall | ToolCall[] | string;

/** A fixed turn, or one that depends on the tools' results so far. */
export type ScriptedTurn = Turn | ((answers: string[], conversation: Conversation) => Turn);

/** A tool as the model sees it. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, { type?: string; description?: string }> };
}

interface Message {
	role?: string;
	type?: string;
	content?: Content;
	output?: Content;
}

type Content = string | { text?: string }[] | null;

interface ModelRequest {
	model: string;
	stream?: boolean;
	/** Of /responses. */
	input?: Message[];
	/** Of /chat/completions. */
	messages?: Message[];
	tools?: (OfferedTool | { function: OfferedTool })[];
}

/** The input of a model without a script. */
export interface Conversation {
	/** The tools it may call. */
	tools: string[];
	/** The tools' results so far, in the order of the calls. */
	answers: string[];
	/** Everything the user and the system said. */
	prompt: string;
}

/** The turn of a model without a script; by default it says that it is done. */
export type Improvisation = (conversation: Conversation) => Turn;

/** Starts a model on 127.0.0.1; port 0 is any free one. It plays a script for one agent at a time. */
export async function startScriptedModel(
	options: { port?: number; improvise?: Improvisation } = {},
): Promise<ScriptedModel> {
	const model = new ScriptedModel(options.improvise ?? (() => 'I am done.'));
	await model.listen(options.port ?? 0);
	return model;
}

/** A language model that plays a script, behind OpenAI's protocol. */
export class ScriptedModel {
	/** The routes called since `play`. */
	routes: string[] = [];
	/** The tools in the latest request. */
	offered: OfferedTool[] = [];
	/** The tools' results since `play`, in the order the model received them. */
	answers: string[] = [];
	private script: ScriptedTurn[] = [];
	private calls = 0;
	private readonly server = createServer((request, response) => {
		if (!isLocalRequest(request.headers)) {
			response.writeHead(403).end();
			return;
		}
		response.setHeader('content-type', 'application/json');
		void this.serve(request)
			.catch(({ message }: Error) => {
				response.statusCode = 400;
				return { error: { message } };
			})
			.then((body) => response.end(JSON.stringify(body)));
	});

	constructor(private readonly improvise: Improvisation) {}

	/** URL for the Base URL field of an OpenAI credential. */
	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
	}

	/** Listens on this port of 127.0.0.1. */
	async listen(port: number): Promise<void> {
		this.server.listen(port, '127.0.0.1');
		await once(this.server, 'listening');
	}

	/** Plays a script from its start. When it ends, the model improvises. */
	play(...script: ScriptedTurn[]): void {
		this.script = [...script];
		this.routes = [];
		this.answers = [];
	}

	/** Stops the server. */
	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((closed) => void this.server.close(closed));
	}

	private async serve(request: IncomingMessage): Promise<object> {
		const route = request.url ?? '';
		if (route === '/v1/models') return { object: 'list', data: [{ id: 'scripted' }] };
		const asked = (await json(request)) as ModelRequest;
		const messages = asked.input ?? asked.messages;
		if (!messages || asked.stream) throw new Error(`${route} is not in the script`);
		this.routes.push(route);
		this.offered = (asked.tools ?? []).map((tool) => ('function' in tool ? tool.function : tool));
		this.answers = messages
			.filter(({ role, type }) => role === 'tool' || type === 'function_call_output')
			.map(({ content, output }) => toText(content ?? output));

		const turn = this.takeTurn(messages);
		const calls = (typeof turn === 'string' ? [] : [turn].flat()).map(({ tool, args }) => ({
			id: `call_${++this.calls}`,
			name: tool,
			arguments: JSON.stringify(args),
		}));
		const words = typeof turn === 'string' ? turn : undefined;
		return asked.input
			? toResponse(asked.model, calls, words)
			: toCompletion(asked.model, calls, words);
	}

	private takeTurn(messages: Message[]): Turn {
		const next = this.script.shift();
		const conversation = {
			tools: this.offered.map(({ name }) => name),
			answers: this.answers,
			prompt: messages
				.filter(({ role }) => role === 'user' || role === 'system' || role === 'developer')
				.map(({ content }) => toText(content))
				.join('\n'),
		};
		if (next === undefined) return this.improvise(conversation);
		return typeof next === 'function' ? next(this.answers, conversation) : next;
	}
}

interface Call {
	id: string;
	name: string;
	arguments: string;
}

/** The response to POST /responses. */
function toResponse(model: string, calls: Call[], words?: string): object {
	const message = {
		type: 'message',
		id: 'msg_1',
		role: 'assistant',
		status: 'completed',
		content: [{ type: 'output_text', text: words, annotations: [] }],
	};
	return {
		id: 'resp_1',
		object: 'response',
		created_at: 1,
		status: 'completed',
		model,
		error: null,
		usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
		output: words
			? [message]
			: calls.map(({ id, ...call }) => ({
					type: 'function_call',
					id: `fc_${id}`,
					call_id: id,
					status: 'completed',
					...call,
				})),
	};
}

/** The response to POST /chat/completions. */
function toCompletion(model: string, calls: Call[], words: string | null = null): object {
	const toolCalls = calls.map(({ id, ...call }) => ({ id, type: 'function', function: call }));
	return {
		id: 'completion_1',
		object: 'chat.completion',
		created: 1,
		model,
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
		choices: [
			{
				index: 0,
				finish_reason: words ? 'stop' : 'tool_calls',
				message: { role: 'assistant', content: words, ...(words ? {} : { tool_calls: toolCalls }) },
			},
		],
	};
}

function toText(content: Content = ''): string {
	if (typeof content === 'string') return content;
	return (content ?? []).map(({ text = '' }) => text).join('');
}
