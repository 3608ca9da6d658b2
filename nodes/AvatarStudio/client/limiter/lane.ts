import type { RequestQueue } from './requestQueue';

/** A request that waits for its turn. */
export interface WaitingRequest {
	/** Whether it was sent and refused before. */
	isRetry: boolean;
	start: () => void;
	reject: (error: Error) => void;
	/** Whether it no longer waits. */
	isSettled: boolean;
}

/** The requests of one queue in one rate limiter, and how the service has received them. */
export class Lane {
	/** How many requests wait. */
	length = 0;
	inFlight = 0;
	/** Whether the service has admitted any of its requests. */
	hasAdmission = false;
	/** The last refusal of its requests, in the service's own words. */
	lastRefusal?: Error;
	/** Since when its requests have been refused without one being admitted. */
	private refusedSince?: number;
	/** The next one is the last element, where those that were refused return to; */
	private next: WaitingRequest[] = [];
	/** then come these, the first one first. No operation takes longer with more requests. */
	private later: WaitingRequest[] = [];

	constructor(readonly queue: Pick<RequestQueue, 'maxWaitMs' | 'isInteractive'>) {}

	add(request: WaitingRequest): void {
		// Patience is for what waits: a refusal that nobody waited after is no reason not to try.
		if (!request.isRetry && this.length + this.inFlight === 0) this.refusedSince = undefined;
		(request.isRetry ? this.next : this.later).push(request);
		this.length++;
	}

	/** @returns the request whose turn it is; there must be one */
	take(): WaitingRequest {
		for (;;) {
			if (this.next.length === 0) {
				this.next = this.later.reverse();
				this.later = [];
			}
			const request = this.next.pop()!;
			if (request.isSettled) continue;
			request.isSettled = true;
			this.length--;
			return request;
		}
	}

	cancel(request: WaitingRequest, error: Error): void {
		if (request.isSettled) return;
		request.isSettled = true;
		request.reject(error);
		this.length--;
	}

	/** Fails all that wait. What was just refused is not among them, and its patience is over too. */
	fail(createError: (request: WaitingRequest) => Error): void {
		const requests = [...this.next, ...this.later].filter(({ isSettled }) => !isSettled);
		this.next = [];
		this.later = [];
		this.length = 0;
		for (const request of requests) {
			request.isSettled = true;
			request.reject(createError(request));
		}
	}

	onAdmitted(): void {
		this.hasAdmission = true;
		this.refusedSince = undefined;
	}

	onRefused(now: number): void {
		this.refusedSince ??= now;
	}

	/** @returns for how long the service has admitted none of its requests */
	getRefusedMs(now: number): number {
		return now - (this.refusedSince ?? now);
	}

	/** @param pauseMs how long the service asks everybody to wait */
	isOutOfPatience(now: number, pauseMs: number): boolean {
		const { maxWaitMs } = this.queue;
		if (pauseMs > maxWaitMs) return true;
		// What is in flight and was not refused yet may have been admitted.
		return this.inFlight === 0 && this.getRefusedMs(now) + pauseMs > maxWaitMs;
	}
}
