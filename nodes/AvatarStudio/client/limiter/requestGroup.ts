import type { Request, RequestContext } from '../send';

/** A request over all its attempts, for each of which it waits for its turn in a limiter. */
export interface QueuedRequest {
	group: RequestGroup;
	/** Whose log says that it waits. */
	context: RequestContext;
	request: Request;
	/** The maximum wait: how long it may wait while the service admits nothing, in milliseconds. */
	maxWaitMs: number;
	/** Each ends its wait when it is aborted. */
	signals: (AbortSignal | undefined)[];
	/** When it was made, by the clock of the limiter. */
	since: number;
	/** How many of its attempts were refused. */
	refusals: number;
	/** Ends the wait of its latest attempt: the attempt is made. */
	start?: (sentAt: number) => void;
	/** Ends the wait of its latest attempt with an error. */
	fail?: (error: Error) => void;
}

/**
 * What the requests of one node run, poll, picker or credential test have in common: limiters let the
 * groups take turns, and a group can be stopped as a whole.
 */
export class RequestGroup {
	private readonly stopping = new AbortController();
	/** Aborted with the reason when the group is stopped. */
	readonly stopSignal = this.stopping.signal;
	/** The number of error responses whose bodies are being read. While there are any, the group sends nothing. */
	errorsBeingRead = 0;

	/**
	 * @param maxWaitMs the maximum wait of its requests, unless the user sets Wait If Busy; long, because a
	 *   creation may have to wait for other videos. It also bounds for how long `retry` bridges a downtime
	 * @param isInteractive whether a user watches: its requests go first, and ask at once in an outage
	 */
	constructor(
		readonly maxWaitMs = 15 * 60_000,
		readonly isInteractive = false,
	) {}

	/** Fails what waits, now and later, and downloads; what else is in flight goes on. */
	stop(reason: Error): void {
		this.stopping.abort(reason);
	}
}
