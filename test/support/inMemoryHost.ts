import { Readable } from 'node:stream';

import axios, { type AxiosAdapter } from 'axios';

/** A request as n8n's HTTP layer sends it. */
export interface InMemoryRequest {
	url: URL;
	apiKey: string | undefined;
}

/** A response: JSON, or text, or a way to fail. */
export type InMemoryResponse =
	| {
			status: number;
			body?: string | object;
			contentType?: string;
			headers?: Record<string, string>;
	  }
	| 'disconnect'
	| 'hang';

/**
 * Answers the requests of n8n's HTTP layer without a network, for thousands of cases a minute. All
 * of n8n above its HTTP client stays as it is.
 *
 * @returns ends it
 */
export function answerInMemory(respond: (request: InMemoryRequest) => InMemoryResponse) {
	const { adapter } = axios.defaults;
	const answer: AxiosAdapter = async (config) => {
		const url = new URL(config.url!);
		const params = (config.params ?? {}) as Record<string, string>;
		for (const [name, value] of Object.entries(params)) url.searchParams.set(name, value);
		const apiKey = config.headers.get('x-api-key') as string | undefined;
		const response = respond({ url, apiKey });
		await new Promise((resolve) => setImmediate(resolve));
		if (response === 'hang') await failLater(config.timeout ?? 0, config.signal as AbortSignal);
		if (response === 'disconnect' || response === 'hang') {
			throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
		}
		const { status, body = {}, contentType = 'application/json', headers } = response;
		const text = typeof body === 'string' ? body : JSON.stringify(body);
		return {
			status,
			statusText: '',
			headers: { 'content-type': contentType, ...headers },
			data: Readable.from([Buffer.from(text)]),
			config,
			request: {},
		};
	};
	axios.defaults.adapter = answer;
	return () => {
		axios.defaults.adapter = adapter;
	};
}

async function failLater(timeout: number, signal?: AbortSignal): Promise<void> {
	await new Promise<void>((resolve) => {
		signal?.addEventListener('abort', () => resolve(), { once: true });
		setTimeout(resolve, timeout);
	});
	throw Object.assign(new Error('timeout exceeded'), { code: 'ECONNABORTED' });
}
