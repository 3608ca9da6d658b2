/** The requests of one node run, poll, picker or credential test: queues of an account take turns. */
export class RequestQueue {
	private readonly stopping = new AbortController();
	/** Aborted with the reason when the queue is stopped. */
	readonly stopSignal = this.stopping.signal;
	/** How many of its responses are errors that are still to be read: any may stop the run. */
	failing = 0;

	/**
	 * @param maxWaitMs how long it waits while the service admits nothing, or fails: a video takes long
	 * @param isInteractive whether a user waits for it, so that it goes before all others
	 */
	constructor(
		readonly maxWaitMs = 15 * 60_000,
		readonly isInteractive = false,
	) {}

	/** Fails what waits, now and later; what is in flight goes on, and so do downloads. */
	stop(reason: Error): void {
		this.stopping.abort(reason);
	}
}
