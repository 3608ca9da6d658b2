/** How a request waits. */
export interface Order {
	/** How long it waits while the service admits nothing, in milliseconds. */
	maxWaitMs: number;
	/** Whether an attempt of it failed. */
	isRetry: boolean;
	/** When it began to wait. */
	since: number;
}

/** A request that waits for its turn. */
export interface QueuedRequest extends Order {
	start: () => void;
	reject: (error: Error) => void;
	/** Whether it no longer waits. */
	isSettled: boolean;
}

/** The requests of one queue in one rate limiter. */
export class Lane {
	/** How many requests wait. */
	length = 0;
	inFlight = 0;
	/** Whether one of its requests was refused. */
	wasRefused = false;
	/** A queue as two stacks, the next request at the end of this one; retries go on top. */
	private next: QueuedRequest[] = [];
	private later: QueuedRequest[] = [];

	/**
	 * @param isInteractive whether it goes before all others
	 * @param isStoppable whether stopping its queue ends what waits
	 */
	constructor(
		readonly isInteractive: boolean,
		readonly isStoppable: boolean,
	) {}

	/** @param isFirst whether it goes before the others of the queue */
	add(request: QueuedRequest, isFirst: boolean): void {
		request.isSettled = false;
		(isFirst ? this.next : this.later).push(request);
		this.length++;
	}

	/** @returns the request whose turn it is; there must be one */
	take(): QueuedRequest {
		for (;;) {
			if (this.next.length === 0) {
				this.next = this.later.reverse();
				this.later = [];
			}
			const request = this.next.pop()!;
			if (this.settle(request)) return request;
		}
	}

	cancel(request: QueuedRequest, error: Error): void {
		if (this.settle(request)) request.reject(error);
	}

	/** Fails those that wait and for which there is an error. */
	fail(createError: (request: QueuedRequest) => Error | undefined): void {
		for (const request of [...this.next, ...this.later]) {
			const error = request.isSettled ? undefined : createError(request);
			if (error) this.cancel(request, error);
		}
	}

	private settle(request: QueuedRequest): boolean {
		if (request.isSettled) return false;
		request.isSettled = true;
		this.length--;
		return true;
	}
}
