/**
 * Whatever sends requests of its own: a node run, a poll, a dropdown, a credential test. Callers on
 * the same account take turns.
 */
export class Caller {
	/**
	 * @param maxWaitMs how long it waits while the service lets nothing in, in milliseconds
	 * @param isInteractive whether it goes before all others
	 */
	private constructor(
		readonly maxWaitMs: number,
		readonly isInteractive: boolean,
	) {}

	static forNodeRun(): Caller {
		return new Caller(300_000, false);
	}

	/** The next poll is due soon. */
	static forPoll(): Caller {
		return new Caller(5_000, false);
	}

	/** A dropdown or a credential test: a user is waiting. */
	static forUser(): Caller {
		return new Caller(5_000, true);
	}
}
