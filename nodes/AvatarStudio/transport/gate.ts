import { cancelled, wait } from './wait';

const WIDEST = 50;
const LONGEST_WAIT_MS = 300_000;

/** For who cannot wait: a person before a picker, a trigger whose next poll comes soon. */
export const LITTLE_PATIENCE_MS = 5_000;

/**
 * How many requests of one node run may be in flight at a time. n8n starts the requests of all
 * input items at once, with no cap (n8n-core, routing-node.js); this is the cap.
 *
 * When the service turns a request away for coming too fast the gate narrows to half, for the
 * rest of the run. A wait the service asks for holds everybody, not only the item it told.
 */
export class Gate {
	private width = WIDEST;
	private inside = 0;
	private closedUntil = 0;
	private closedSince?: number;
	private narrowings = 0;
	private readonly queue: (() => void)[] = [];

	/**
	 * @param patienceMs how long one request may be held back in all, in milliseconds; somebody
	 *   waits for a picker, and n8n's next poll comes within minutes
	 */
	constructor(readonly patienceMs = LONGEST_WAIT_MS) {}

	/**
	 * Runs `request` once there is room.
	 *
	 * @param request is handed a ticket, to be shown again to `narrow`
	 * @param signal n8n's cancellation signal
	 * @throws Failure when the execution is cancelled while waiting
	 */
	async pass<T>(request: (ticket: number) => Promise<T>, signal?: AbortSignal): Promise<T> {
		await this.enter(signal);
		try {
			return await request(this.narrowings);
		} finally {
			this.inside--;
			this.letIn();
		}
	}

	/**
	 * Halves the gate, down to one. Requests that were in flight together are turned away
	 * together: they narrow it once, which is what the ticket tells.
	 */
	narrow(ticket: number): void {
		if (ticket < this.narrowings) return;
		this.narrowings++;
		this.width = Math.max(1, Math.floor(this.width / 2));
	}

	/** A request succeeded, so the service lets the run in. */
	letThrough(): void {
		this.closedSince = undefined;
	}

	/** For how long nothing has succeeded since the gate was closed, in milliseconds. */
	heldMs(): number {
		return this.closedSince === undefined ? 0 : Date.now() - this.closedSince;
	}

	/** Lets nobody in for `ms` milliseconds from now. A shorter wait does not end a longer one. */
	close(ms: number): void {
		if (ms > 0) this.closedSince ??= Date.now();
		this.closedUntil = Math.max(this.closedUntil, Date.now() + ms);
	}

	private async enter(signal?: AbortSignal): Promise<void> {
		let isInside = false;
		try {
			while (!isInside) {
				const closedFor = this.closedUntil - Date.now();
				if (signal?.aborted) throw cancelled();
				if (closedFor > 0) await wait(closedFor, signal);
				else if (this.inside < this.width) isInside = true;
				else await new Promise<void>((turn) => this.queue.push(turn));
			}
			this.inside++;
		} finally {
			// Whoever stands behind in the queue must hear of the cancellation as well.
			if (!isInside) this.letIn();
		}
	}

	private letIn(): void {
		if (this.inside < this.width) this.queue.shift()?.();
	}
}
