import { cancellationError, delay } from './delay';

const MAX_CONCURRENCY = 50;
const MAX_WAIT_MS = 300_000;

/** For interactive callers: an open dropdown, or a poll whose successor is due soon. */
export const INTERACTIVE_MAX_WAIT_MS = 5_000;

/**
 * Limits how many requests of one node run are in flight. n8n starts the requests of all input
 * items at once, without a cap (n8n-core, routing-node.js).
 *
 * When the service rejects a request for exceeding a rate limit, the concurrency is halved for the
 * rest of the run. A delay the service asks for pauses all requests, not only the rejected one.
 */
export class RateLimiter {
	private concurrency = MAX_CONCURRENCY;
	private active = 0;
	private pausedUntil = 0;
	private pausedSince?: number;
	private epoch = 0;
	private readonly queue: (() => void)[] = [];

	/** @param maxWaitMs how long a request may be held back in all, in milliseconds */
	constructor(readonly maxWaitMs = MAX_WAIT_MS) {}

	/**
	 * Runs `request` as soon as the limit allows.
	 *
	 * @param request receives the epoch to pass to `decrease`
	 * @param signal n8n's cancellation signal
	 * @throws RequestError if the execution is cancelled while waiting
	 */
	async run<T>(request: (epoch: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
		await this.acquire(signal);
		try {
			return await request(this.epoch);
		} finally {
			this.active--;
			this.wakeNext();
		}
	}

	/**
	 * Halves the concurrency, down to one. Requests in flight together are rejected together, and
	 * count once: the epoch identifies them.
	 */
	decrease(epoch: number): void {
		if (epoch < this.epoch) return;
		this.epoch++;
		this.concurrency = Math.max(1, Math.floor(this.concurrency / 2));
	}

	/** Ends the paused time: the service accepts requests. */
	onSuccess(): void {
		this.pausedSince = undefined;
	}

	/** @returns for how long nothing has succeeded since the limiter was paused, in milliseconds */
	pausedMs(): number {
		return this.pausedSince === undefined ? 0 : Date.now() - this.pausedSince;
	}

	/** Holds all requests back for `ms` milliseconds. A shorter pause does not end a longer one. */
	pauseFor(ms: number): void {
		if (ms > 0) this.pausedSince ??= Date.now();
		this.pausedUntil = Math.max(this.pausedUntil, Date.now() + ms);
	}

	private async acquire(signal?: AbortSignal): Promise<void> {
		let isActive = false;
		try {
			while (!isActive) {
				const pausedForMs = this.pausedUntil - Date.now();
				if (signal?.aborted) throw cancellationError();
				if (pausedForMs > 0) await delay(pausedForMs, signal);
				else if (this.active < this.concurrency) isActive = true;
				else await new Promise<void>((resolve) => this.queue.push(resolve));
			}
			this.active++;
		} finally {
			// The next in the queue must get its turn although this one was cancelled.
			if (!isActive) this.wakeNext();
		}
	}

	private wakeNext(): void {
		if (this.active < this.concurrency) this.queue.shift()?.();
	}
}
