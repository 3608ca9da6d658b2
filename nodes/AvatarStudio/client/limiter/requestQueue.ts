import { Lane } from './lane';

/**
 * The requests of one node run, poll, picker or credential test. Queues on the same account take
 * turns.
 */
export class RequestQueue {
	/** Its requests in each rate limiter: that of the API, and those of hosts of downloads. */
	private readonly lanes = new Map<object, Lane>();
	private stopReason?: Error;

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

	/** @throws the reason, if the queue was stopped */
	getLane(limiter: object): Lane {
		if (this.stopReason) throw this.stopReason;
		const lane = this.lanes.get(limiter) ?? new Lane(this);
		this.lanes.set(limiter, lane);
		return lane;
	}

	/** Fails what waits, now and later; what is in flight goes on. */
	stop(reason: Error): void {
		this.stopReason = reason;
		for (const lane of this.lanes.values()) lane.fail(() => reason);
	}
}
