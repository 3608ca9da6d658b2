/** A request that waits for its turn in a rate limiter, or has it. */
export interface LimitedRequest {
	/** How long it waits while the service admits nothing, in milliseconds. */
	maxWaitMs: number;
	/** Whether an attempt of it failed. */
	isRetry: boolean;
	/** When it began to wait. */
	since: number;
	/** How often it was refused. */
	refusals: number;
	/** Continues it: it is its turn, or it waits no longer. */
	start: () => void;
	reject: (error: Error) => void;
}

/** The requests of one queue in one rate limiter. */
class Lane {
	inFlight = 0;
	/** When one of its requests was refused last. */
	refusedAt = -Infinity;
	/** How many of its responses are errors that are still to be read: they may stop the queue. */
	failing = 0;
	private readonly waiting = new Set<LimitedRequest>();
	/**
	 * Their order as two stacks, the next request at the end of the first; what goes before all others
	 * is put on top. Those that no longer wait stay there: the first entry of a large set, or of a large
	 * array, takes long to remove.
	 */
	private next: LimitedRequest[] = [];
	private later: LimitedRequest[] = [];

	/**
	 * @param isInteractive whether it goes before all others
	 * @param isStoppable whether stopping its queue ends what waits
	 */
	constructor(
		readonly isInteractive: boolean,
		readonly isStoppable: boolean,
	) {}

	/** How many requests wait. */
	get length(): number {
		return this.waiting.size;
	}

	add(request: LimitedRequest, isFirst: boolean): void {
		this.waiting.add(request);
		(isFirst ? this.next : this.later).push(request);
	}

	/** The request whose turn it is; there must be one. */
	peek(): LimitedRequest {
		for (;;) {
			if (this.next.length === 0) {
				this.next = this.later.reverse();
				this.later = [];
			}
			const request = this.next.at(-1)!;
			if (this.waiting.has(request)) return request;
			this.next.pop();
		}
	}

	startNext(): void {
		const request = this.peek();
		this.waiting.delete(request);
		this.inFlight++;
		request.start();
	}

	/** Fails a request if it waits. */
	fail(request: LimitedRequest, error: Error): void {
		if (this.waiting.delete(request)) request.reject(error);
	}

	/** Fails those that wait and for which there is an error. */
	failAll(createError: (request: LimitedRequest) => Error | undefined): void {
		for (const request of [...this.waiting]) {
			const error = createError(request);
			if (error) this.fail(request, error);
		}
	}
}
export type { Lane };

/**
 * The requests of one node run, poll, picker or credential test. Queues on the same account take
 * turns.
 */
export class RequestQueue {
	/** Its requests in each rate limiter. */
	private readonly lanes = new Map<object, Lane>();
	private stopReason?: Error;

	/**
	 * @param maxWaitMs how long it waits while the service admits nothing, in milliseconds
	 * @param maxRetryMs for how long a request that fails is repeated, in milliseconds
	 * @param isInteractive whether it goes before all others
	 */
	private constructor(
		readonly maxWaitMs: number,
		readonly maxRetryMs: number,
		private readonly isInteractive: boolean,
	) {}

	/** A slot of a plan is taken for as long as a video renders, which is minutes. */
	static forNodeRun(): RequestQueue {
		return new RequestQueue(15 * 60_000, Infinity, false);
	}

	/** The next poll may be due in a minute. */
	static forPoll(): RequestQueue {
		return new RequestQueue(50_000, 50_000, false);
	}

	/** A picker or a credential test: a user is waiting. */
	static forUser(): RequestQueue {
		return new RequestQueue(5_000, 5_000, true);
	}

	/**
	 * @param isStoppable whether stopping the queue ends what waits there
	 * @throws the reason, if the queue was stopped
	 */
	getLane(limiter: object, isStoppable = true): Lane {
		if (this.stopReason && isStoppable) throw this.stopReason;
		const lane = this.lanes.get(limiter) ?? new Lane(this.isInteractive, isStoppable);
		this.lanes.set(limiter, lane);
		return lane;
	}

	/** Fails what waits, now and later; what is in flight goes on, and so do downloads. */
	stop(reason: Error): void {
		this.stopReason = reason;
		for (const lane of this.lanes.values()) {
			if (lane.isStoppable) lane.failAll(() => reason);
		}
	}
}
