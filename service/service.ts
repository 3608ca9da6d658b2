import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import {
	FAST_PREFIX,
	findOperations,
	findViolations,
	readPathParameters,
	type Operation,
} from './contract';
import { buildFaultResponse, Faults, preventsEffect, type Fault } from './faults';
import { handleFileRequest } from './files';
import { OpenRequests } from './openRequests';
import { operations } from './operations';
import { resolveOptions, type ResolvedOptions, type ServiceOptions } from './options';
import { PendingPosts } from './pendingPosts';
import { RateLimiter } from './rateLimit';
import {
	createRecord,
	readBody,
	RequestLog,
	type RecordedRequest,
	type RequestFilter,
} from './requests';
import { problemResponse, sendResponse, withHeaders, type ServiceResponse } from './responses';
import { addressOf, close, listen } from './server';
import { SignedUrls } from './signedUrls';
import { Store } from './store';

export type { Asset } from './assets';
export type { Fault } from './faults';
export { SAMPLE_AVATAR_ID, type Avatar } from './avatars';
export type { ServiceOptions } from './options';
export type { PaginationOptions } from './pagination';
export type { RateLimit } from './rateLimit';
export type { RenderingOptions } from './rendering';
export type { RecordedRequest, RequestFilter } from './requests';
export type { Video } from './store';
export type { Voice } from './voices';

/** Starts the stand-in on 127.0.0.1: the API on one port and the files host on another. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const service = new Service(options);
	await service.listen();
	return service;
}

/** The stand-in for the service: it records each request and how it violates `openapi.yaml`. */
export class Service extends Store {
	/** The initial options with those of `configure`, without the defaults. */
	private given: ServiceOptions;
	/** The given options with the defaults. */
	private options: ResolvedOptions;
	private readonly open = new OpenRequests();
	private rateLimiter = new RateLimiter();
	private readonly log = new RequestLog();
	private readonly faults = new Faults();
	private readonly delays = new Set<NodeJS.Timeout>();
	private readonly posts = new PendingPosts();
	private readonly signedUrls = new SignedUrls(() => this.filesUrl);
	private readonly api = createServer((...exchange) => void this.serve('api', ...exchange));
	private readonly files = createServer((...exchange) => void this.serve('files', ...exchange));

	constructor(private readonly initial: ServiceOptions) {
		const options = resolveOptions(initial);
		super(options);
		this.given = initial;
		this.options = options;
	}

	get url(): string {
		return addressOf(this.api) + this.options.basePath;
	}

	get filesUrl(): string {
		return addressOf(this.files);
	}

	get apiKey(): string {
		return this.options.apiKey;
	}

	/** The Base URL of the fast branch. */
	get fastUrl(): string {
		return this.url + FAST_PREFIX;
	}

	get fastApiKey(): string {
		return this.options.fastApiKey;
	}

	/** Highest number of API requests open at the same time. */
	get peakInFlight(): number {
		return this.open.peak;
	}

	get requests(): RecordedRequest[] {
		return this.log.requests;
	}

	/** How the requests so far violate `openapi.yaml`, and API keys sent to the files host. */
	get violations(): string[] {
		return this.requests.flatMap(({ method, path, violations }) =>
			violations.map((violation) => `${method} ${path}: ${violation}`),
		);
	}

	async listen(): Promise<void> {
		try {
			await listen(this.api, this.options.port);
			await listen(this.files, this.options.filesPort);
		} catch (error) {
			await this.close();
			throw error;
		}
	}

	/** The first matching request, body included: one already received, or the next to arrive. */
	async waitForRequest(filter: RequestFilter = {}): Promise<RecordedRequest> {
		return await this.log.waitForRequest(filter);
	}

	/** Waits until no API request is open. */
	async waitUntilIdle(): Promise<void> {
		await this.open.waitUntilNone();
	}

	/** Changes options. A nested group, such as `pagination`, replaces the previous one. */
	configure(options: Omit<ServiceOptions, 'port' | 'filesPort' | 'seed' | 'asSpecified'>): void {
		this.given = { ...this.given, ...options };
		this.options = resolveOptions(this.given);
	}

	/** Lets matching requests fail, until `clearFaults` or `reset`. */
	injectFault(fault: Fault): void {
		this.faults.add(fault);
	}

	clearFaults(): void {
		this.faults.clear();
	}

	/** Restores the initial options and records; forgets faults, requests and counts. */
	reset(): void {
		this.given = this.initial;
		this.options = resolveOptions(this.initial);
		this.resetRecords();
		this.posts.clear();
		this.faults.clear();
		this.log.requests = [];
		this.rateLimiter = new RateLimiter();
		this.open.resetPeak();
	}

	async close(): Promise<void> {
		this.delays.forEach((delay) => clearTimeout(delay));
		this.posts.clear();
		await Promise.all([close(this.api), close(this.files)]);
	}

	private async serve(
		host: RecordedRequest['host'],
		request: IncomingMessage,
		response: ServerResponse,
	): Promise<void> {
		const record = createRecord(host, request, host === 'api' ? this.options.basePath : '');
		this.requests.push(record);
		response.on('close', () => {
			record.clientAborted = !response.writableFinished && !record.wasDisconnected;
		});
		if (host === 'api') this.open.add(response);
		try {
			await readBody(record, request);
			if (host === 'api') this.validateRequest(record);
			this.log.markRead(record);
			await this.respond(record, response);
		} catch (error) {
			if (response.destroyed) return;
			await this.send(record, response, problemResponse(500, String(error)));
		}
	}

	private validateRequest(record: RecordedRequest): void {
		const { method, path } = record;
		const operation = this.findOperations(record).find((found) => found.method === method);
		record.violations = operation
			? findViolations(operation, record, this.options.extraBodyFields)
			: [`openapi.yaml has no ${method} ${path}.`];
	}

	private findOperations({ url, path }: RecordedRequest): Operation[] {
		return url.startsWith(`${this.options.basePath}/`) ? findOperations(path) : [];
	}

	private async respond(record: RecordedRequest, response: ServerResponse): Promise<void> {
		const { latencyMs, rateLimit } = this.options;
		const isApi = record.host === 'api';
		const refusal = isApi ? this.rateLimiter.admit(response, rateLimit) : undefined;
		if (refusal) {
			await this.send(record, response, refusal);
			return;
		}
		const fault = this.faults.next(record);
		await this.delay((isApi ? latencyMs : 0) + (fault?.latencyMs ?? 0));
		const real = fault && preventsEffect(fault) ? undefined : await this.handle(record);
		if (fault?.hang) return;
		record.wasDisconnected = fault?.disconnect !== undefined;
		const replacement = fault && buildFaultResponse(fault);
		const sent = replacement ?? real;
		if (fault?.disconnect === 'beforeResponse' || !sent) {
			response.destroy();
			return;
		}
		await this.send(
			record,
			response,
			withHeaders(sent, fault?.headers),
			fault?.disconnect === 'midBody',
		);
	}

	/** Delays with the global setTimeout, so that a test that stops the clock stops this delay too. */
	private async delay(milliseconds: number): Promise<void> {
		if (milliseconds === 0) return;
		await new Promise<void>((resolve) => {
			const delay = setTimeout(() => {
				this.delays.delete(delay);
				resolve();
			}, milliseconds);
			this.delays.add(delay);
		});
	}

	private async handle(record: RecordedRequest): Promise<ServiceResponse> {
		const { options } = this;
		if (record.host === 'files') {
			return handleFileRequest(record, this, this.signedUrls, options.rendering);
		}
		const { headers, method, path, query, violations, body } = record;
		const isFast = path.startsWith(`${FAST_PREFIX}/`);
		if (headers['x-api-key'] !== (isFast ? options.fastApiKey : options.apiKey)) {
			return problemResponse(401, 'The header x-api-key holds no valid API key.');
		}
		const candidates = this.findOperations(record).filter(({ isFromClients, isOfFastBranch }) =>
			// The specification has a fast branch, but says nothing of its address and its paths.
			isOfFastBranch ? isFast || options.asSpecified : !(isFromClients && options.asSpecified),
		);
		const operation = candidates.find((found) => found.method === method);
		if (!operation) {
			return problemResponse(candidates.length > 0 ? 405 : 404, `There is no ${method} ${path}.`);
		}
		if (violations.length > 0) {
			return problemResponse(400, 'The request is not valid.', { violations });
		}
		return await operations[operation.operationId]!({
			operation,
			id: readPathParameters(operation, path).id ?? '',
			query,
			body: (body ?? {}) as Record<string, unknown>,
			options,
			store: this,
			filesUrl: this.filesUrl,
			createLink: (file) => this.signedUrls.create(file),
			postLater: (...post) => this.posts.add(...post),
		});
	}

	private async send(
		record: RecordedRequest,
		target: ServerResponse,
		response: ServiceResponse,
		cutHalfway = false,
	): Promise<void> {
		if (target.destroyed || target.headersSent) return;
		record.responseStatus = response.status;
		await sendResponse(target, response, cutHalfway);
	}
}
