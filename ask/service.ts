import { Readable } from 'node:stream';

import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { Client } from '../nodes/AvatarStudio/client/client';
import {
	authenticate,
	CREDENTIAL_TYPE,
	type Credential,
} from '../nodes/AvatarStudio/client/credential';
import { RequestQueue } from '../nodes/AvatarStudio/client/limiter/requestQueue';
import { tryParseJson } from '../nodes/AvatarStudio/client/response/json';
import { readBytes, type HttpResponse } from '../nodes/AvatarStudio/client/response/response';
import type { Request, RequestContext } from '../nodes/AvatarStudio/client/send';
import { createStatusError } from '../nodes/AvatarStudio/errors/statusError';
import { RequestError, UserError } from '../nodes/AvatarStudio/errors/userError';

/** What the service answered to a request. */
export interface Answer {
	/** Such as `GET /v1/assets/{id}`: without IDs. */
	label: string;
	status: number;
	headers: Headers;
	/** The JSON value, or the text if it is not JSON. */
	body: unknown;
	/** The response as the node's own functions read it, if it is a success. */
	response?: HttpResponse;
}

/** One response: refused attempts and redirects are responses, too. */
export interface Exchange {
	/** Such as `GET /v1/assets?Page=1&PageSize=1`, without any value of the account. */
	line: string;
	status: number;
	headers: Headers;
}

/** A point cannot be observed; the message says why, without any value of the account. */
export class NotObserved extends Error {}

type HttpOptions = ReturnType<typeof authenticate>;

/** Stands for a failure that does not come each time; no service responds so. */
export const UNSTEADY = 599;
const TIMEOUT_MS = 20_000;
const ADDRESS = /\/v1\/(assets(\/[^/]+|\/import\/url)?|voices|speech|talkingphotos)$/;

/**
 * The service, requested by the node's own client: its limits, retries, redirects, sizes and errors
 * are those of a run in n8n, of which only the HTTP layer is replaced.
 */
export class Service {
	/** Every response so far, in order. */
	readonly exchanges: Exchange[] = [];
	/** For requests that only read. */
	readonly reader: Client;
	/** An interruption does not stop it: what was created must be deleted again. */
	readonly writer: Client;
	/** Sends a request again that succeeded. */
	private control?: () => Promise<Response>;

	/** @param signal interrupts requests that only read */
	constructor(
		readonly credential: { baseUrl: string; apiKey: string },
		private readonly signal: AbortSignal,
	) {
		this.reader = this.createClient(credential, signal);
		this.writer = this.createClient(credential);
	}

	/** A client with another key. */
	createClient(credential: Credential, signal?: AbortSignal): Client {
		const context = {
			getCredentials: async () => await Promise.resolve(credential),
			getNode: () => ({ name: 'npm run ask', credentials: { [CREDENTIAL_TYPE]: {} } }),
			logger: { warn: () => undefined },
			helpers: {
				httpRequest: this.request.bind(this),
				httpRequestWithAuthentication: async (_type: string, options: IHttpRequestOptions) =>
					await this.request(authenticate(credential, options)),
				// A link is only tried: what was read of its file goes no further.
				prepareBinaryData: async (file: Readable, fileName: string, mimeType: string) => {
					await file.take(1).toArray();
					return { fileName, mimeType, data: '' };
				},
			},
			...(signal && { getExecutionCancelSignal: () => signal }),
		};
		const queue = RequestQueue.forNodeRun();
		return new Client(context as unknown as RequestContext, queue, { timeout: TIMEOUT_MS });
	}

	/**
	 * Sends a request and returns any response that says something about it.
	 *
	 * @throws the node's error, or NotObserved, if there is none
	 */
	async send(request: Request, client?: Client): Promise<Answer> {
		const { method } = request;
		const label = `${method} ${maskAddress(new URL(request.url, 'https://host'))}`;
		const requester = client ?? (method === 'GET' ? this.reader : this.writer);
		const readAnswer = async (response: HttpResponse): Promise<Answer> => {
			const bytes = await readBytes(response);
			const text = bytes.toString('utf8');
			const { headers } = this.exchanges.at(-1)!;
			const replayed = { ...response, body: Readable.from([bytes]) };
			const json = tryParseJson(text);
			const body = json === undefined ? text : json;
			return { label, status: response.status, headers, body, response: replayed };
		};
		return await requester.request(request, readAnswer).catch((error: unknown) => {
			const { status, isTransient, responseBody: body = '' } = getDetails(error);
			const isCreation = method === 'POST' && status !== undefined && status >= 500;
			if (status === undefined || isTransient || isCreation || status === UNSTEADY) {
				throw new NotObserved(`${label}: ${this.explain(error)}`);
			}
			return { label, status, headers: this.exchanges.at(-1)!.headers, body };
		});
	}

	/** @returns why something could not be observed, with nothing of the account */
	explain(error: unknown): string {
		if (this.signal.aborted) return 'interrupted';
		if (error instanceof NotObserved) return error.message;
		if (!(error instanceof UserError)) return `unexpected response (${(error as Error).name})`;
		const { status, code } = getDetails(error);
		if (status === UNSTEADY) return 'it fails with 500 or above, but not each time';
		// The address that a redirect names may be one of the account.
		const summary = code === 'redirected' ? 'The service redirected the request' : error.summary;
		return status === undefined ? summary : `${summary} (${status})`;
	}

	/** Stands for n8n's HTTP layer. */
	private async request(options: HttpOptions): Promise<object> {
		const { method = 'GET' } = options;
		const attempt = async () => await this.fetch(options);
		let response = await attempt();
		if (method === 'GET' && response.status < 300) this.control ??= attempt;
		const { status } = response;
		const isFailure = status >= 500 && !createStatusError(status).details.isTransient;
		if (isFailure && method !== 'POST' && this.control) {
			response = await this.confirm(response, attempt, this.control);
		}
		return {
			statusCode: response.status,
			headers: Object.fromEntries(response.headers),
			body: response.body ? Readable.fromWeb(response.body) : Readable.from([]),
		};
	}

	/**
	 * A failure counts only if it comes each time while other requests succeed, not if it comes at
	 * random, or every second or third time.
	 */
	private async confirm(
		first: Response,
		attempt: () => Promise<Response>,
		control: () => Promise<Response>,
	): Promise<Response> {
		let last = first;
		for (const request of [attempt, control, control, attempt]) {
			await last.body?.cancel();
			last = await request();
			if (request === attempt && last.status < 500) return last;
			if (last.status === (request === attempt ? first.status : 200)) continue;
			await last.body?.cancel();
			return new Response(null, { status: UNSTEADY });
		}
		return last;
	}

	private async fetch(options: HttpOptions): Promise<Response> {
		const { method = 'GET', headers, qs, body, timeout = TIMEOUT_MS } = options;
		const url = new URL(options.url);
		const query = Object.entries((qs ?? {}) as Record<string, string | number>).map(
			([name, value]) => [name, String(value)] as const,
		);
		for (const [name, value] of query) url.searchParams.set(name, value);
		const ends = AbortSignal.timeout(timeout);
		const signal = options.abortSignal as AbortSignal | undefined;
		const response = await fetch(url, {
			method,
			headers: {
				...(body !== undefined && { 'content-type': 'application/json' }),
				...(headers as Record<string, string>),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
			signal: signal ? AbortSignal.any([ends, signal]) : ends,
			redirect: 'manual',
		});
		const shown = query.map(([name, value]) => `${name}=${/^-?\d+$/.test(value) ? value : '…'}`);
		const line = [`${method} ${maskAddress(url)}`, shown.join('&')].filter(Boolean).join('?');
		this.exchanges.push({ line, status: response.status, headers: response.headers });
		return response;
	}
}

function getDetails(error: unknown): Partial<RequestError['details']> {
	return error instanceof RequestError ? error.details : {};
}

/** @returns the path of a request as the contract has it; of any other address, nothing */
function maskAddress({ pathname }: URL): string {
	const [path] = ADDRESS.exec(pathname) ?? ['another address'];
	return path.replace(/(?<=\/assets\/)[^/]+$/, '{id}');
}

/** @returns the answer if it is a success. @throws NotObserved otherwise */
export function requireSuccess(answer: Answer): Answer {
	if (answer.status < 300) return answer;
	throw new NotObserved(`${answer.label} responded with status ${answer.status}`);
}

/** @returns a record of a response, or nothing */
export function getRecord({ body }: Answer): IDataObject {
	return typeof body === 'object' && body !== null ? (body as IDataObject) : {};
}
