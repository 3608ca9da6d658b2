import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';

/** A tool call of the model. */
export interface ToolCall {
	tool: string;
	args: Record<string, unknown>;
}

/** A turn of the model: it calls one or several tools, or says something. */
export type Turn = ToolCall | ToolCall[] | string;

/** A tool as the model sees it. */
export interface OfferedTool {
	name: string;
	description: string;
	parameters: { properties: Record<string, { type?: string; description?: string }> };
}

/** What the model reads before its turn. */
export interface Conversation {
	/** The tools it may call. */
	tools: OfferedTool[];
	/** The tools' results so far, in the order of the calls. */
	answers: string[];
	/** Everything the user and the system said. */
	prompt: string;
}

/** A language model in place of OpenAI's. */
export interface LanguageModel {
	/** URL for the Base URL field of an OpenAI credential. */
	readonly url: string;
	close(): Promise<void>;
}

/** A message of either protocol. */
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
	/** The messages of a request to /responses. */
	input?: Message[];
	/** The messages of a request to /chat/completions. */
	messages?: Message[];
	tools?: (OfferedTool | { function: OfferedTool })[];
}

/** Starts a model behind OpenAI's protocols on this port of 127.0.0.1; 0 is any free one. */
export async function startLanguageModel(
	port: number,
	takeTurn: (conversation: Conversation) => Turn,
): Promise<LanguageModel> {
	const server = createServer((request, response) => {
		response.setHeader('content-type', 'application/json');
		void respond(request, takeTurn)
			.catch(({ message }: Error) => {
				response.statusCode = 400;
				return { error: { message } };
			})
			.then((body) => response.end(JSON.stringify(body)));
	});
	server.listen(port, '127.0.0.1');
	await once(server, 'listening');
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		async close() {
			server.closeAllConnections();
			await new Promise((closed) => void server.close(closed));
		},
	};
}

async function respond(
	request: IncomingMessage,
	takeTurn: (conversation: Conversation) => Turn,
): Promise<object> {
	const route = request.url ?? '';
	if (route === '/v1/models') return { object: 'list', data: [{ id: 'stand-in' }] };
	const {
		model,
		stream,
		input,
		messages = input,
		tools = [],
	} = (await json(request)) as ModelRequest;
	if (!messages || stream) throw new Error(`The model does not know ${route}`);
	const turn = takeTurn({
		tools: tools.map((tool) => ('function' in tool ? tool.function : tool)),
		answers: messages
			.filter(({ role, type }) => role === 'tool' || type === 'function_call_output')
			.map(({ content, output }) => toText(content ?? output)),
		prompt: messages
			.filter(({ role }) => role === 'user' || role === 'system' || role === 'developer')
			.map(({ content }) => toText(content))
			.join('\n'),
	});
	const words = typeof turn === 'string' ? turn : undefined;
	const calls = (typeof turn === 'string' ? [] : [turn].flat()).map(({ tool, args }) => ({
		id: `call_${randomUUID()}`,
		name: tool,
		arguments: JSON.stringify(args),
	}));
	return input ? toResponse(model, calls, words) : toCompletion(model, calls, words);
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
