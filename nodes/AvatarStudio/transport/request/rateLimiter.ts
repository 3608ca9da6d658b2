import { cancellationError, delay } from './delay';

const MAX_CONCURRENCY = 50;
const MAX_WAIT_MS = 300_000;

/** For who cannot wait: a person before a picker, a trigger whose next poll comes soon. */
export const INTERACTIVE_MAX_WAIT_MS = 5_000;

/**
 * How many requests of one node run may be in flight at a time. n8n starts the requests of all
 * input items at once, with no cap (n8n-core, routing-node.js); this is the cap.
 *
 * When the service turns a request away for coming too fast the gate narrows to half, for the
 * rest of the run. A wait the service asks for holds everybody, not only the item it told.
 */
export class RateLimiter {
	private concurrency = MAX_CONCURRENCY;
	private active = 0;
	private pausedUntil = 0;
	private pausedSince?: number;
	private epoch = 0;
	private readonly queue: (() => void)[] = [];

	/**
	 * @param maxWaitMs how long one request may be held back in all, in milliseconds; somebody
	 *   waits for a picker, and n8n's next poll comes within minutes
	 */
	constructor(readonly maxWaitMs = MAX_WAIT_MS) {}

	/**
	 * Runs `request` once there is room.
	 *
	 * @param request is handed a ticket, to be shown again to `narrow`
	 * @param signal n8n's cancellation signal
	 * @throws Failure when the execution is cancelled while waiting
	 */
	async run<T>(request: (ticket: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
		await this.acquire(signal);
		try {
			return await request(this.epoch);
		} finally {
			this.active--;
			this.wakeNext();
		}
	}

	/**
	 * Halves the gate, down to one. Requests that were in flight together are turned away
	 * together: they narrow it once, which is what the ticket tells.
	 */
	decrease(ticket: number): void {
		if (ticket < this.epoch) return;
		this.epoch++;
		this.concurrency = Math.max(1, Math.floor(this.concurrency / 2));
	}

	/** A request succeeded, so the service lets the run in. */
	onSuccess(): void {
		this.pausedSince = undefined;
	}

	/** For how long nothing has succeeded since the gate was closed, in milliseconds. */
	pausedMs(): number {
		return this.pausedSince === undefined ? 0 : Date.now() - this.pausedSince;
	}

	/** Lets nobody in for `ms` milliseconds from now. A shorter wait does not end a longer one. */
	pauseFor(ms: number): void {
		if (ms > 0) this.pausedSince ??= Date.now();
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + ms);
	}

	private async acquire(signal?: AbortSignal): Promise<void> {
		let isInside = false;
		try {
			while (!isInside) {
				const closedFor = this.pausedUntil - Date.now();
				if (signal?.aborted) throw cancellationError();
				if (closedFor > 0) await delay(closedFor, signal);
				else if (this.active < this.concurrency) isInside = true;
				else await new Promise<void>((turn) => this.queue.push(turn));
			}
			this.active++;
		} finally {
			// Whoever stands behind in the queue must hear of the cancellation as well.
			if (!isInside) this.wakeNext();
		}
	}

	private wakeNext(): void {
		if (this.active < this.concurrency) this.queue.shift()?.();
	}
}
