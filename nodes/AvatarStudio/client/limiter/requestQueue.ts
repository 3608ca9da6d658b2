import type { RequestError } from '../../errors/requestError';

/**
 * The requests of one node run, poll, picker or credential test. Queues on the same account take
 * turns.
 */
export class RequestQueue {
	/** Since when the service has refused its requests without admitting one. */
	refusedSince?: number;
	/** The last refusal, in the service's own words. */
	lastRefusal?: RequestError;

	private stopReason?: Error;
	private readonly waiting = new Set<(reason: Error) => void>();

	/**
	 * @param maxWaitMs how long it waits while the service refuses its requests, in milliseconds
	 * @param isInteractive whether it goes before all others
	 */
	private constructor(
		readonly maxWaitMs: number,
		readonly isInteractive: boolean,
	) {}

	static forNodeRun(): RequestQueue {
		return new RequestQueue(300_000, false);
	}

	/** The next poll is due soon. */
	static forPoll(): RequestQueue {
		return new RequestQueue(5_000, false);
	}

	/** A picker or a credential test: a user is waiting. */
	static forUser(): RequestQueue {
		return new RequestQueue(5_000, true);
	}

	/** Fails what waits, now and later; what is in flight goes on. */
	stop(reason: Error): void {
		this.stopReason = reason;
		for (const reject of this.waiting) reject(reason);
	}

	/** @throws the reason, if the queue was stopped */
	assertNotStopped(): void {
		if (this.stopReason) throw this.stopReason;
	}

	/** @returns a function to call when the request no longer waits */
	onStop(reject: (reason: Error) => void): () => void {
		this.waiting.add(reject);
		return () => this.waiting.delete(reject);
	}
}
