import type {
	IDataObject,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IPollFunctions,
} from 'n8n-workflow';

import type { Outcome } from '../errors/userError';

import { parseBaseUrl } from './authenticate';
import { CREDENTIAL_TYPE, identifyAccount, type Credential } from './credential';
import { exchange } from './exchange';
import { getRateLimiter } from './limiter/rateLimiters';
import { RequestQueue } from './limiter/requestQueue';
import { fetchPages, fetchRecords, type ListEndpoint } from './list';
import type { PageOptions } from './pagination/paginate';
import { followRedirects } from './redirects';
import type { HttpResponse } from './response/response';
import { retry } from './retry';
import type { Attempt, Request, RequestContext, RequestSettings } from './send';

/** How long to wait for a response if neither the user nor the operation says, in milliseconds. */
const RUN_TIMEOUT_MS = 60_000;
/** The next poll is due soon, and a picker has a user waiting. */
const SHORT_TIMEOUT_MS = 20_000;

/** What a request may change about how it is made. */
export interface RequestOptions extends Request {
	/** How long to wait if the user sets no Timeout, in milliseconds. */
	timeout?: number;
	/** What is known of attempts before n8n's Retry On Fail. */
	earlierOutcome?: Outcome;
	/** How long to wait while the service admits nothing, in milliseconds. */
	maxWaitMs?: number;
	/** Ends the request, and all retries of it, if its response is not needed any more. */
	signal?: AbortSignal;
}

/** The lists that all items of a node run read once, by what identifies them. */
export type SharedLists = Map<string, Promise<IDataObject[]>>;

/**
 * Makes requests for one node run, poll or picker. In a node run each input item has a client of its
 * own, because Request Options and the fields of the credential may be expressions; they share the
 * queue, and with it their turn and their patience.
 */
export class Client<Context extends RequestContext = RequestContext> {
	private credential?: Promise<Credential>;

	constructor(
		readonly context: Context,
		private readonly queue: RequestQueue,
		private readonly settings: RequestSettings = {},
		private readonly shared: SharedLists = new Map(),
		private readonly timeoutMs = RUN_TIMEOUT_MS,
	) {}

	static forPoll(context: IPollFunctions): Client<IPollFunctions> {
		return new Client(context, RequestQueue.forPoll(), {}, undefined, SHORT_TIMEOUT_MS);
	}

	static forUser(context: ILoadOptionsFunctions): Client {
		return new Client(context, RequestQueue.forUser(), {}, undefined, SHORT_TIMEOUT_MS);
	}

	/**
	 * Makes a request as soon as the limiter of its account allows, and again only if that is safe.
	 *
	 * @param read takes what is needed from the response. It is part of the attempt: a body that is
	 *   cut short counts as a broken connection
	 * @returns what `read` returns
	 * @throws RequestError with the outcome of the request, or UserError if the credential is not
	 *   usable
	 */
	async request<T>(
		{ earlierOutcome, maxWaitMs, signal: ownSignal, ...request }: RequestOptions,
		read: (response: HttpResponse) => Promise<T>,
	): Promise<T> {
		const { method, withoutKey = false } = request;
		const signal = this.combineSignals(ownSignal);
		const timeout = this.settings.timeout ?? request.timeout ?? this.timeoutMs;
		const credential = await this.readCredential();
		const account = identifyAccount(credential);
		const baseUrl = parseBaseUrl(credential.baseUrl);
		const attempt = { ...request, ...this.settings, timeout, credential, signal };
		const getLimiter = ({ url }: Attempt) => {
			const { origin } = new URL(url, baseUrl);
			// What is limited: a plan's creations, everything else of an account, or a host of files.
			const scope = withoutKey ? origin : method === 'POST' ? url : '';
			return getRateLimiter(`${account} ${scope}`, origin);
		};
		// A file that is missing is no outage of the service.
		const getOutageMs = () => (withoutKey ? 0 : getLimiter(attempt).getOutageMs());
		const { maxRetryMs } = this.queue;
		const options = { method, earlierOutcome, signal, maxRetryMs, getOutageMs };
		return await retry(options, async (isRetry) => {
			const turn = { signal, isRetry, maxWaitMs, isStoppable: !withoutKey };
			return await followRedirects(attempt, baseUrl, async (hop, mayFollow) => {
				return await getLimiter(hop).run(
					this.queue,
					turn,
					async () => await exchange(this.context, hop, mayFollow, read),
				);
			});
		});
	}

	/** Reads a list page by page, each record once: see `paginate`. */
	pages(list: ListEndpoint, pageOptions?: Partial<PageOptions>): AsyncGenerator<IDataObject[]> {
		return fetchPages(this, list, pageOptions);
	}

	/** Reads a list that comes in one response. */
	async records(list: ListEndpoint, qs?: IHttpRequestOptions['qs']): Promise<IDataObject[]> {
		return await fetchRecords(this, list, { qs });
	}

	/**
	 * Reads a whole list once for all items of a node run that use the same account and settings. A
	 * later item tries again if that failed.
	 */
	async sharedRecords(list: ListEndpoint): Promise<IDataObject[]> {
		const key = await this.identify(list.url);
		const pending = this.shared.get(key) ?? this.readAll(list);
		this.shared.set(key, pending);
		pending.catch(() => this.shared.delete(key));
		return await pending;
	}

	/** Makes the next item, or n8n's Retry On Fail, read a list again. */
	async forgetSharedRecords(list: ListEndpoint): Promise<void> {
		this.shared.delete(await this.identify(list.url));
	}

	private async readAll(list: ListEndpoint): Promise<IDataObject[]> {
		const pages: IDataObject[][] = [];
		for await (const page of this.pages(list)) pages.push(page);
		return pages.flat();
	}

	/** @returns origin and path prefix of the service, such as `https://api.example.com/eu` */
	async getBaseUrl(): Promise<string> {
		return parseBaseUrl((await this.readCredential()).baseUrl);
	}

	/** n8n decrypts it each time, which took half the CPU time of reading a list. */
	private async readCredential(): Promise<Credential> {
		this.credential ??= this.context.getCredentials(CREDENTIAL_TYPE);
		this.credential.catch(() => (this.credential = undefined));
		return await this.credential;
	}

	private async identify(what: string): Promise<string> {
		const { baseUrl, apiKey } = await this.readCredential();
		return JSON.stringify([what, baseUrl, apiKey, this.settings]);
	}

	/** n8n's cancellation ends every request; list searches have no execution and so none. */
	private combineSignals(signal?: AbortSignal): AbortSignal | undefined {
		const { context } = this;
		const cancelSignal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		return cancelSignal && signal
			? AbortSignal.any([cancelSignal, signal])
			: (signal ?? cancelSignal);
	}
}
