import type { ServerResponse } from 'node:http';

/** Counts the requests that are open at the same time. */
export class OpenRequests {
	/** The highest number so far. */
	peak = 0;
	private count = 0;
	private waiting: (() => void)[] = [];

	/** Counts a request as open until its response is closed. */
	add(response: ServerResponse): void {
		this.count += 1;
		this.peak = Math.max(this.peak, this.count);
		response.on('close', () => {
			this.count -= 1;
			if (this.count > 0) return;
			this.waiting.forEach((resolve) => resolve());
			this.waiting = [];
		});
	}

	/** Waits until no request is open. */
	async waitUntilNone(): Promise<void> {
		if (this.count === 0) return;
		await new Promise<void>((resolve) => this.waiting.push(resolve));
	}

	/** Forgets the highest number; the requests that are open now still count. */
	resetPeak(): void {
		this.peak = this.count;
	}
}
