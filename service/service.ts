import { setMaxListeners } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { handleApiRequest, validateRequest } from './apiHost';
import type { Asset } from './asset';
import { buildFaultResponse, Faults, preventsEffect, type Fault } from './faults';
import { handleFileRequest } from './filesHost';
import { Listener } from './listener';
import { resolveOptions, type ResolvedOptions, type ServiceOptions } from './options';
import { readBody, createRecord, type RecordedRequest } from './recordedRequest';
import type { RequestFilter } from './requestFilter';
import { RequestLog } from './requestLog';
import { problemResponse, sendResponse, withHeaders, type ServiceResponse } from './responses';
import { SignedUrls } from './signedUrls';
import { Store, type ProviderKey, type Speech, type Video } from './store';
import type { Voice } from './voices';

export type { Asset } from './asset';
export type { Fault } from './faults';
export type { ImportLimits, PaginationOptions, RateLimit, ServiceOptions } from './options';
export type { RecordedRequest } from './recordedRequest';
export type { RequestFilter, RequestTarget } from './requestFilter';
export type { ProviderKey, Speech, Video } from './store';
export type { Voice } from './voices';

/** The service while it runs. */
export interface Service {
	/** Base URL without /v1, for instance http://127.0.0.1:4010. */
	readonly url: string;
	/** Base URL of the host that serves the files. */
	readonly filesUrl: string;
	readonly apiKey: string;
	/** Every request to both hosts, in order of arrival. */
	readonly requests: RecordedRequest[];
	/** Highest number of API requests open at one time. */
	readonly peakInFlight: number;
	/** TCP connections accepted by the API host. */
	readonly connections: number;
	assets: Asset[];
	voices: Voice[];
	videos: Video[];
	speeches: Speech[];
	providerKeys: ProviderKey[];
	/** All violations of the contract so far, and API keys sent to the files host. */
	readonly violations: string[];
	/** Adds many assets with made-up files and gives them back. */
	addAssets(count: number): Asset[];
	/** The first request that fits: one that arrived already, or the next to arrive. */
	waitForRequest(filter?: RequestFilter): Promise<RecordedRequest>;
	/** Resolves when no API request is open. */
	waitUntilIdle(): Promise<void>;
	/** Changes the behaviour. A group of options (pagination, rateLimit) replaces the former group. */
	configure(options: Omit<ServiceOptions, 'port' | 'filesPort' | 'seed'>): void;
	/** Makes the service injectFault until `reset`. */
	injectFault(fault: Fault): void;
	/** Back to the first options and state; faults, requests and counts are cleared. */
	reset(): void;
	/** Stops, and ends every open connection. */
	close(): Promise<void>;
}

/** Starts the stand-in for the service on 127.0.0.1. */
export async function startService(options: ServiceOptions = {}): Promise<Service> {
	const service = new StandIn(options);
	await service.listen();
	return service;
}

class StandIn implements Service {
	peakInFlight = 0;
	private current: ServiceOptions;
	private options: ResolvedOptions;
	private inFlight = 0;
	private admitted = 0;
	private listNumber = 0;
	private waitingForIdle: (() => void)[] = [];
	private readonly log = new RequestLog();
	private readonly faults = new Faults();
	private readonly store: Store;
	private readonly closing = new AbortController();
	private readonly links = new SignedUrls(() => this.filesUrl);
	private readonly api = new Listener((...exchange) => void this.serve('api', ...exchange));
	private readonly files = new Listener((...exchange) => void this.serve('files', ...exchange));

	constructor(private readonly initial: ServiceOptions) {
		// As many answers as are held back at a time; Node warns of more than ten.
		setMaxListeners(0, this.closing.signal);
		this.current = initial;
		this.options = resolveOptions(initial);
		this.store = new Store(this.options.seed);
	}

	get url(): string {
		return this.api.url + this.options.basePath;
	}

	get filesUrl(): string {
		return this.files.url;
	}

	get apiKey(): string {
		return this.options.apiKey;
	}

	get requests(): RecordedRequest[] {
		return this.log.requests;
	}

	get connections(): number {
		return this.api.connections;
	}

	get assets(): Asset[] {
		return this.store.assets;
	}

	set assets(assets: Asset[]) {
		this.store.assets = assets;
	}

	get voices(): Voice[] {
		return this.store.voices;
	}

	set voices(voices: Voice[]) {
		this.store.voices = voices;
	}

	get videos(): Video[] {
		return this.store.videos;
	}

	set videos(videos: Video[]) {
		this.store.videos = videos;
	}

	get speeches(): Speech[] {
		return this.store.speeches;
	}

	set speeches(speeches: Speech[]) {
		this.store.speeches = speeches;
	}

	get providerKeys(): ProviderKey[] {
		return this.store.providerKeys;
	}

	set providerKeys(providerKeys: ProviderKey[]) {
		this.store.providerKeys = providerKeys;
	}

	async listen(): Promise<void> {
		try {
			await this.api.listen(this.options.port);
			await this.files.listen(this.options.filesPort);
		} catch (error) {
			await this.close();
			throw error;
		}
	}

	get violations(): string[] {
		return this.log.violations;
	}

	addAssets(count: number): Asset[] {
		return this.store.addAssets(count);
	}

	waitForRequest(filter: RequestFilter = {}): Promise<RecordedRequest> {
		return this.log.waitForRequest(filter);
	}

	async waitUntilIdle(): Promise<void> {
		if (this.inFlight > 0) await new Promise<void>((resolve) => this.waitingForIdle.push(resolve));
	}

	configure(options: ServiceOptions): void {
		this.current = { ...this.current, ...options };
		this.options = resolveOptions(this.current);
	}

	injectFault(fault: Fault): void {
		this.faults.add(fault);
	}

	reset(): void {
		this.current = this.initial;
		this.options = resolveOptions(this.initial);
		this.store.reset();
		this.faults.clear();
		this.log.clear();
		this.api.connections = 0;
		this.peakInFlight = this.inFlight;
		this.listNumber = 0;
	}

	async close(): Promise<void> {
		this.closing.abort();
		await Promise.all([this.api.close(), this.files.close()]);
	}

	private async serve(
		host: RecordedRequest['host'],
		request: IncomingMessage,
		response: ServerResponse,
	): Promise<void> {
		const record = createRecord(host, request, host === 'api' ? this.options.basePath : '');
		this.log.add(record);
		response.on('close', () => {
			record.clientAborted = !response.writableFinished && !record.wasDisconnected;
		});
		if (host === 'api') this.countInFlight(response);
		try {
			await readBody(record, request);
			if (host === 'api') validateRequest(record, this.options);
			this.log.complete(record);
			await this.respond(record, response);
		} catch (error) {
			const nobodyListens = response.destroyed || this.closing.signal.aborted;
			if (!nobodyListens) await this.reply(record, response, problemResponse(500, String(error)));
		}
	}

	private countInFlight(response: ServerResponse): void {
		this.inFlight += 1;
		this.peakInFlight = Math.max(this.peakInFlight, this.inFlight);
		response.on('close', () => {
			this.inFlight -= 1;
			if (this.inFlight > 0) return;
			this.waitingForIdle.forEach((resolve) => resolve());
			this.waitingForIdle = [];
		});
	}

	private async respond(record: RecordedRequest, response: ServerResponse): Promise<void> {
		const isApi = record.host === 'api';
		if (isApi && !this.admit(response)) {
			await this.reply(record, response, this.buildRateLimitResponse());
			return;
		}
		const fault = this.faults.next(record);
		await this.wait((isApi ? this.options.latencyMs : 0) + (fault?.latencyMs ?? 0));
		if (!fault) {
			await this.reply(record, response, await this.handle(record));
			return;
		}
		const real = preventsEffect(fault) ? undefined : await this.handle(record);
		const answer = buildFaultResponse(fault) ?? real;
		if (fault.hang) return;
		record.wasDisconnected = fault.disconnect !== undefined;
		if (fault.disconnect === 'beforeResponse' || !answer) {
			response.destroy();
			return;
		}
		const cutHalfway = fault.disconnect === 'midBody';
		await this.reply(record, response, withHeaders(answer, fault.headers), cutHalfway);
	}

	private admit(response: ServerResponse): boolean {
		if (this.admitted >= (this.options.rateLimit?.concurrent ?? Infinity)) return false;
		this.admitted += 1;
		response.on('close', () => (this.admitted -= 1));
		return true;
	}

	private buildRateLimitResponse(): ServiceResponse {
		const { status = 429, retryAfter } = this.options.rateLimit ?? {};
		const response = problemResponse(status, 'Too many requests at one time.');
		return retryAfter === undefined
			? response
			: withHeaders(response, { 'retry-after': String(retryAfter) });
	}

	private async wait(milliseconds: number): Promise<void> {
		if (milliseconds > 0) await delay(milliseconds, undefined, { signal: this.closing.signal });
	}

	private async handle(record: RecordedRequest): Promise<ServiceResponse> {
		if (record.host === 'files') return handleFileRequest(record, this.store, this.links);
		const { store, links, options } = this;
		this.listNumber += 1;
		return await handleApiRequest(record, { store, links, options, listNumber: this.listNumber });
	}

	private async reply(
		record: RecordedRequest,
		response: ServerResponse,
		answer: ServiceResponse,
		cutHalfway = false,
	): Promise<void> {
		if (response.destroyed || response.headersSent) return;
		record.responseStatus = answer.status;
		await sendResponse(response, answer, cutHalfway);
	}
}
