import { setTimeout as delay } from 'node:timers/promises';

import { NotObserved } from './observation';

export interface ClientOptions {
	/** Origin and path prefix, without a trailing slash. */
	baseUrl: string;
	apiKey: string;
	/** Limit of one attempt in milliseconds. Default 20,000. */
	timeoutMs?: number;
	/** Wait before the second attempt, if the service does not say how long. Default 1,000. */
	retryDelayMs?: number;
	/** Interrupts requests that only read; others are always waited for. */
	signal?: AbortSignal;
}

export interface RequestOptions {
	/** Value of `{id}` in the path. */
	id?: string;
	query?: Record<string, string | number>;
	/** Sent as JSON. */
	body?: object;
	/** Default `application/json`. */
	contentType?: string;
	/** Sent instead of the API key; null sends none. */
	apiKey?: string | null;
}

/** A response, and the request as it may be shown. */
export interface Answer {
	/** Such as `GET /v1/assets/{id}`: without IDs. */
	label: string;
	status: number;
	headers: Headers;
	/** Content type without parameters; empty if there is no valid one. */
	mediaType: string;
	body: Buffer;
	/** The parsed body; undefined if it is not JSON. */
	json: unknown;
}

/** What every response shows about the service, refused attempts and redirects included. */
export interface Exchange {
	status: number;
	headers: Headers;
	redirect?: 'the same host' | 'another host';
	/** How far the service's clock is ahead of this computer's, in seconds. */
	clockOffset?: number;
}

const MEDIA_TYPE = /^[\w.+-]+\/[\w.+*-]+/;
const MAX_ATTEMPTS = 4;
const MAX_REDIRECTS = 3;
const MAX_WAIT_MS = 60_000;
const TEMPORARY = [429, 502, 503, 504];

/**
 * Sends requests one after the other. The API key goes to the origin of the base URL only:
 * redirects to another host are reported, not followed.
 */
export class AskClient {
	/** @param exchanges every response so far, in order */
	constructor(
		readonly options: ClientOptions,
		readonly exchanges: Exchange[] = [],
	) {}

	/** A client for cleaning up, which an interruption does not stop. */
	uninterruptible(): AskClient {
		return new AskClient({ ...this.options, signal: undefined }, this.exchanges);
	}

	/**
	 * Sends a request. Refusals for now (429, 502, 503, 504) are repeated after `Retry-After`; a
	 * request that may create something is repeated after a 429 only. They say nothing about what
	 * was requested, so the last one is no answer.
	 *
	 * @param path such as `/v1/assets/{id}`
	 * @throws NotObserved if there is no response, or only refusals for now
	 */
	async send(method: string, path: string, options: RequestOptions = {}): Promise<Answer> {
		const { id = '', query = {}, body, contentType = 'application/json' } = options;
		const { apiKey = this.options.apiKey } = options;
		const label = `${method} ${path}`;
		const url = new URL(this.options.baseUrl + path.replace('{id}', encodeURIComponent(id)));
		for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
		const response = await this.sendWithRetry(label, url, {
			method,
			headers: {
				accept: 'application/json',
				...(body && { 'content-type': contentType }),
				...(apiKey !== null && { 'x-api-key': apiKey }),
			},
			body: body && JSON.stringify(body),
		});
		return { label, ...response };
	}

	/** Reads the beginning of a download link's response, without the API key. */
	async openLink(url: string): Promise<Response> {
		try {
			const response = await fetch(url, { signal: this.createSignal('GET') });
			await response.body?.cancel();
			return response;
		} catch (error) {
			throw this.createError('The download link', error);
		}
	}

	private async sendWithRetry(label: string, url: URL, init: RequestInit & { method: string }) {
		for (let attempt = 1, target = url, redirects = 0; ; ) {
			const isRead = init.method === 'GET';
			const isRepeatable = init.method !== 'POST';
			let response: Omit<Answer, 'label'>;
			try {
				response = await this.exchange(target, init);
			} catch (error) {
				// A host that has never responded is not there; one that has may have failed once.
				const isTimeout = (error as Error).name === 'TimeoutError';
				if (!isRepeatable || isTimeout || attempt > 1 || this.exchanges.length === 0) {
					throw this.createError(label, error);
				}
				attempt += 1;
				await this.wait(this.retryDelay(attempt));
				continue;
			}
			const location = response.headers.get('location');
			const next = location === null ? undefined : resolveUrl(location, target);
			if (next && response.status >= 300 && response.status < 400) {
				const isSameHost = next.origin === url.origin;
				this.exchanges.at(-1)!.redirect = isSameHost ? 'the same host' : 'another host';
				if (!isSameHost || !isRead || redirects === MAX_REDIRECTS) return response;
				redirects += 1;
				target = next;
				continue;
			}
			if (!TEMPORARY.includes(response.status)) return response;
			if (attempt === MAX_ATTEMPTS || (!isRepeatable && response.status !== 429)) {
				throw new NotObserved(`${label} responded with status ${response.status}`);
			}
			attempt += 1;
			await this.wait(readRetryAfter(response.headers) ?? this.retryDelay(attempt));
		}
	}

	private async exchange(url: URL, init: RequestInit & { method: string }) {
		const sentAt = Date.now();
		const signal = this.createSignal(init.method);
		const response = await fetch(url, { ...init, signal, redirect: 'manual' });
		const { status, headers } = response;
		const date = Date.parse(headers.get('date') ?? '');
		this.exchanges.push({
			status,
			headers,
			// The header has whole seconds, half a second late on average.
			...(date && { clockOffset: (date + 500 - (sentAt + Date.now()) / 2) / 1_000 }),
		});
		const body = Buffer.from(await response.arrayBuffer());
		const [mediaType = ''] = MEDIA_TYPE.exec(headers.get('content-type') ?? '') ?? [];
		return { status, headers, mediaType, body, json: parseJson(body) };
	}

	private createSignal(method: string): AbortSignal {
		const { timeoutMs = 20_000, signal } = this.options;
		const timeout = AbortSignal.timeout(timeoutMs);
		return signal && method === 'GET' ? AbortSignal.any([timeout, signal]) : timeout;
	}

	private async wait(milliseconds: number): Promise<void> {
		const { signal } = this.options;
		try {
			await delay(Math.min(milliseconds, MAX_WAIT_MS), undefined, { signal });
		} catch {
			throw new NotObserved('interrupted');
		}
	}

	private retryDelay(attempt: number): number {
		return (this.options.retryDelayMs ?? 1_000) * 2 ** (attempt - 2);
	}

	private createError(label: string, error: unknown): NotObserved {
		if (this.options.signal?.aborted) return new NotObserved('interrupted');
		const { name, message, cause } = error as Error & { cause?: { code?: string } };
		const reason = name === 'TimeoutError' ? 'no response in time' : (cause?.code ?? message);
		return new NotObserved(`${label} failed: ${reason}`);
	}
}

/** @returns the answer if it is a success. @throws NotObserved otherwise */
export function requireSuccess(answer: Answer): Answer {
	const { label, status } = answer;
	if (status >= 200 && status < 300) return answer;
	const meaning = status === 401 || status === 403 ? ': the service rejected the API key' : '';
	throw new NotObserved(`${label} responded with status ${status}${meaning}`);
}

function parseJson(body: Buffer): unknown {
	try {
		return JSON.parse(body.toString('utf8'));
	} catch {
		return undefined;
	}
}

function resolveUrl(location: string, base: URL): URL | undefined {
	try {
		return new URL(location, base);
	} catch {
		return undefined;
	}
}

/** @returns the wait that Retry-After asks for, in milliseconds */
function readRetryAfter(headers: Headers): number | undefined {
	const value = headers.get('retry-after') ?? '';
	const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
	return Number.isNaN(wait) ? undefined : Math.max(0, wait);
}
