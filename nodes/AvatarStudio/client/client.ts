import type { IDataObject, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import { UserError } from '../errors/userError';

import { CREDENTIAL_TYPE, identifyAccount, parseBaseUrl, type Credential } from './credential';
import { exchange } from './exchange';
import { getRateLimiter, respondingOrigins } from './limiter/rateLimiters';
import { RequestQueue } from './limiter/requestQueue';
import type { HttpResponse } from './response/body';
import { retry } from './retry';
import type { Request, RequestContext, RequestSettings } from './send';

/** How long to wait for a response if neither the user nor the operation says, in milliseconds. */
const RUN_TIMEOUT_MS = 60_000;
/** The same if the next poll is due soon, or a user is waiting. */
const SHORT_TIMEOUT_MS = 20_000;

export type SharedLists = Map<string, Promise<IDataObject[]>>;

/**
 * Makes requests for one item of a node run, a poll or a picker. Each item has a client of its own,
 * because Request Options and the fields of the credential may be expressions; they share the queue.
 */
export class Client<Context extends RequestContext = RequestContext> {
	private credential?: Promise<Credential>;

	constructor(
		readonly context: Context,
		private readonly queue: RequestQueue,
		readonly settings: RequestSettings = {},
		readonly sharedLists: SharedLists = new Map(),
		private readonly timeoutMs = RUN_TIMEOUT_MS,
	) {}

	static forPoll(context: IPollFunctions): Client<IPollFunctions> {
		return new Client(context, new RequestQueue(50_000), {}, undefined, SHORT_TIMEOUT_MS);
	}

	static forEditor(context: ILoadOptionsFunctions): Client {
		return new Client(context, new RequestQueue(5_000, true), {}, undefined, SHORT_TIMEOUT_MS);
	}

	/**
	 * Makes a request as soon as the limiter of its account allows, and again only if that is safe.
	 *
	 * @param read takes what is needed from the response; a body that is cut short counts as a broken
	 *   connection
	 * @throws RequestError with its outcome, or UserError if the credential is not usable
	 */
	async request<T>(
		{ earlierOutcome, maxWaitMs = this.queue.maxWaitMs, ...request }: Request,
		read: (response: HttpResponse) => Promise<T>,
	): Promise<T> {
		const { method, isDownload = false } = request;
		const { context, queue } = this;
		// List searches have no execution that n8n could cancel.
		const signal =
			'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
		const timeout = this.settings.timeout ?? request.timeout ?? this.timeoutMs;
		const credential = await this.readCredential();
		const baseUrl = parseBaseUrl(credential.baseUrl);
		const prepared = { ...request, ...this.settings, timeout, credential, signal };
		const { origin } = new URL(prepared.url, baseUrl);
		// What is limited: a plan's creations, everything else of an account, or a host of links to files.
		const scope = isDownload ? origin : method === 'POST' ? prepared.url : '';
		const limiter = getRateLimiter(`${identifyAccount(credential)} ${scope}`);
		// A stopped run still downloads the files it paid for.
		const signals = isDownload ? [signal] : [signal, queue.stopSignal];
		const limited = { queue, method, maxWaitMs, signals, since: performance.now(), refusals: 0 };
		const isHostKnown = () => isDownload || respondingOrigins.has(origin);
		const sendOnce = async () => {
			// What a link redirects to may expire while it waits, so both have one turn.
			const exchanged = await exchange(context, prepared, baseUrl, read);
			if (!isDownload && !exchanged.error?.details.isTransient) respondingOrigins.add(origin);
			return exchanged;
		};
		return await retry(
			{ method, earlierOutcome, signal, maxRetryMs: queue.maxWaitMs, isHostKnown },
			async () => await limiter.send(limited, sendOnce),
		);
	}

	/** @returns origin and path prefix of the service, such as `https://api.example.com/eu` */
	async getBaseUrl(): Promise<string> {
		return parseBaseUrl((await this.readCredential()).baseUrl);
	}

	/** n8n decrypts it each time, which took half the CPU time of reading a list. */
	private async readCredential(): Promise<Credential> {
		// n8n's own error would say that the node needs none.
		if ('getNode' in this.context && !this.context.getNode().credentials?.[CREDENTIAL_TYPE]) {
			throw new UserError('No credential is selected', 'Select or create one in the node.');
		}
		this.credential ??= this.context.getCredentials(CREDENTIAL_TYPE);
		this.credential.catch(() => (this.credential = undefined));
		return await this.credential;
	}

	/** @returns what two requests have in common if they are for the same, however they are sent */
	async identifyRequest({ url }: Pick<Request, 'url'>): Promise<string> {
		const { baseUrl, apiKey } = await this.readCredential();
		return JSON.stringify([url, baseUrl, apiKey]);
	}
}
