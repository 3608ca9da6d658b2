/**
 * The requests of one node run, poll, picker or credential test. Queues on the same account take
 * turns.
 */
export class RequestQueue {
	private readonly stopping = new AbortController();
	/** How many of its responses are errors that are still to be read: any may stop the run. */
	failing = 0;

	/**
	 * @param maxWaitMs how long it waits while the service admits nothing, in milliseconds
	 * @param maxRetryMs for how long a request that fails is repeated, in milliseconds
	 * @param isInteractive whether it goes before all others
	 */
	private constructor(
		readonly maxWaitMs: number,
		readonly maxRetryMs: number,
		readonly isInteractive: boolean,
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

	/** Aborted with the reason when the queue is stopped. */
	get stopSignal(): AbortSignal {
		return this.stopping.signal;
	}

	/** Fails what waits, now and later; what is in flight goes on, and so do downloads. */
	stop(reason: Error): void {
		this.stopping.abort(reason);
	}
}
