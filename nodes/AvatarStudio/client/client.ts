import type { IDataObject, ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';

import { UserError, type Outcome } from '../errors/userError';

import { CREDENTIAL_TYPE, identifyAccount, parseBaseUrl, type Credential } from './credential';
import { delay, LONGEST_WAIT_MS } from './delay';
import { exchange } from './exchange';
import type { RateLimiter } from './limiter/rateLimiter';
import { getRateLimiter, knownOrigins } from './limiter/rateLimiters';
import { RequestGroup, type QueuedRequest } from './limiter/requestGroup';
import { formatRoute, log } from './log';
import type { HttpResponse } from './response/body';
import { retry } from './retry';
import type { PreparedRequest, Request, RequestContext, RequestSettings } from './send';

/** How long a run waits for a response if neither the user nor the operation says, in milliseconds. */
const RUN_TIMEOUT_MS = 60_000;
/** How long a poll or the editor waits for a response: the next poll may be due, and a user watches. */
const SHORT_TIMEOUT_MS = 20_000;
/** How long a poll waits while the service admits nothing, so that it ends before the next one. */
const POLL_MAX_WAIT_MS = 50_000;
/** How long a picker or a credential test waits while the service admits nothing: a user watches. */
const EDITOR_MAX_WAIT_MS = 5_000;

/** How the log says what became of a creation. */
const OUTCOME_TEXTS: Record<Outcome, string> = {
	done: 'done',
	notDone: 'not done',
	unknown: 'it may exist',
};

/** The lists that the items of a run have in common: see `fetchSharedRecords`. */
export type SharedLists = Map<string, Promise<IDataObject[]>>;

/**
 * Makes requests for one item of a node run, a poll or a picker. Each item has a client of its own,
 * because Request Options and the fields of the credential may be expressions. They share a group.
 */
export class Client<Context extends RequestContext = RequestContext> {
	private credential?: Promise<Credential>;

	constructor(
		readonly context: Context,
		private readonly group: RequestGroup,
		readonly settings: RequestSettings = {},
		readonly sharedLists: SharedLists = new Map(),
		private readonly timeoutMs = RUN_TIMEOUT_MS,
		private readonly pollSignal?: AbortSignal,
	) {}

	/** @param signal makes the requests fail with its reason once it is aborted; n8n itself cancels no poll */
	static forPoll(context: IPollFunctions, signal: AbortSignal): Client<IPollFunctions> {
		const group = new RequestGroup(POLL_MAX_WAIT_MS);
		return new Client(context, group, {}, undefined, SHORT_TIMEOUT_MS, signal);
	}

	static forEditor(context: ILoadOptionsFunctions): Client {
		const group = new RequestGroup(EDITOR_MAX_WAIT_MS, true);
		return new Client(context, group, {}, undefined, SHORT_TIMEOUT_MS);
	}

	/**
	 * Makes a request as soon as the limiter of its account allows, and again only if that is safe.
	 *
	 * @param read takes what is needed from the response; a body that is cut short counts as a broken
	 *   connection
	 * @throws RequestError with its outcome, or UserError if the credential is not usable
	 */
	async request<T>(request: Request, read: (response: HttpResponse) => Promise<T>): Promise<T> {
		const { method, isDownload = false } = request;
		const prepared = await this.prepare(request);
		const queued = this.createQueued(request);
		const baseUrl = parseBaseUrl(prepared.credential.baseUrl);
		const limiter = findLimiter(prepared, baseUrl);
		const startExchange = async () => {
			if (method === 'POST') log(this.context, 'debug', `${formatRoute(request)}: it is sent.`);
			// Redirects are part of the exchange: what a link redirects to may expire while it waits.
			return await exchange(this.context, prepared, baseUrl, read);
		};
		const { origin } = new URL(request.url, baseUrl);
		// Attempts end sooner at a host that may be mistyped. The host of a link was named by the service.
		const isHostKnown = () => isDownload || knownOrigins.has(origin);
		const attempt = async () => await limiter.attempt(queued, startExchange);
		const made = retry(queued, isHostKnown, attempt);
		if (method === 'POST') void logOutcome(queued, made);
		const result = await made;
		if (!isDownload) knownOrigins.add(origin);
		return result;
	}

	/** Waits so many milliseconds; throws UserError once n8n cancels the execution or the run is stopped. */
	async delay(ms: number): Promise<void> {
		await delay(ms, this.getCancelSignal(), this.group.stopSignal);
	}

	/** @returns origin and path prefix of the service, such as `https://api.example.com/eu` */
	async getBaseUrl(): Promise<string> {
		return parseBaseUrl((await this.readCredential()).baseUrl);
	}

	/** @returns a text that clients share if they are for the same account: see `identifyAccount` in credential.ts */
	async identifyAccount(): Promise<string> {
		return identifyAccount(await this.readCredential());
	}

	/** @returns a text that two requests share if they are for the same URL of the same account */
	async identifyRequest({ url }: Pick<Request, 'url'>): Promise<string> {
		return `${await this.identifyAccount()} ${url}`;
	}

	private async prepare(request: Request): Promise<PreparedRequest> {
		const usual = this.settings.timeout ?? request.defaultTimeout ?? this.timeoutMs;
		const timeout = Math.min(usual, request.maxTimeout ?? Infinity);
		const credential = await this.readCredential();
		return { ...request, ...this.settings, timeout, credential, signal: this.getSignal(request) };
	}

	private createQueued(request: Request): QueuedRequest {
		const { context, group } = this;
		const maxWaitMs = Math.min(request.maxWaitMs ?? group.maxWaitMs, LONGEST_WAIT_MS);
		const signals = [this.getCancelSignal(), group.stopSignal];
		return { group, context, request, maxWaitMs, signals, since: performance.now(), refusals: 0 };
	}

	/**
	 * @returns the signal that breaks the connection of a request. A run that stops breaks off its downloads,
	 *   which the next try of Retry On Fail repeats. Its other requests finish, so that their outcome is known
	 */
	private getSignal({ isDownload }: Request): AbortSignal | undefined {
		const cancelSignal = this.getCancelSignal();
		if (!isDownload) return cancelSignal;
		const { stopSignal } = this.group;
		return cancelSignal ? AbortSignal.any([cancelSignal, stopSignal]) : stopSignal;
	}

	/** @returns the signal of n8n's cancellation or, in a poll, of its time limit; pickers have none */
	private getCancelSignal(): AbortSignal | undefined {
		const { context } = this;
		if ('getExecutionCancelSignal' in context) return context.getExecutionCancelSignal();
		// Each request listens to a signal of its own, because Node.js warns of more than ten listeners to one.
		return this.pollSignal && AbortSignal.any([this.pollSignal]);
	}

	/**
	 * Reads it once: n8n decrypts it each time (n8n 2.41.1, credentials-helper.js), which took half the CPU
	 * time of reading a list.
	 */
	private async readCredential(): Promise<Credential> {
		// n8n's own error would say that the node needs no credential (n8n-core 2.41.1,
		// node-execution-context.js).
		if ('getNode' in this.context && !this.context.getNode().credentials?.[CREDENTIAL_TYPE]) {
			throw new UserError('No credential is selected', 'Select or create one in the node.');
		}
		this.credential ??= this.context.getCredentials(CREDENTIAL_TYPE);
		return await this.credential;
	}
}

/**
 * Finds the limiter of what a request counts against. A plan limits creations by what is being
 * rendered, so each address of a creation has one of its own, and reads never wait for it.
 */
function findLimiter(
	{ method, url, isDownload, credential }: PreparedRequest,
	baseUrl: string,
): RateLimiter {
	const account = identifyAccount(credential);
	const { origin, host } = new URL(url, baseUrl);
	if (isDownload) return getRateLimiter(`${account} ${origin}`, host);
	if (method === 'POST') return getRateLimiter(`${account} ${url}`, host + url);
	return getRateLimiter(account, host);
}

/** Says in the log what became of a creation. If n8n is killed before, the log says only that it is sent. */
async function logOutcome({ context, request }: QueuedRequest, made: Promise<unknown>) {
	const outcome = await made.then(
		() => 'done' as const,
		(error: UserError) => error.details.outcome,
	);
	log(context, 'debug', `${formatRoute(request)}: ${OUTCOME_TEXTS[outcome]}.`);
}
