import { Lane } from './lane';

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
	 * @param isInteractive whether it goes before all others
	 */
	private constructor(
		readonly maxWaitMs: number,
		private readonly isInteractive: boolean,
	) {}

	/** A slot of a plan is taken for as long as a video renders, which is minutes. */
	static forNodeRun(): RequestQueue {
		return new RequestQueue(15 * 60_000, false);
	}

	/** The next poll may be due in a minute. */
	static forPoll(): RequestQueue {
		return new RequestQueue(50_000, false);
	}

	/** A picker or a credential test: a user is waiting. */
	static forUser(): RequestQueue {
		return new RequestQueue(5_000, true);
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
			if (lane.isStoppable) lane.fail(() => reason);
		}
	}
}
