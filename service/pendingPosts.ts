const TIMEOUT_MS = 10_000;

/** What the service posts by itself, later. */
export class PendingPosts {
	private readonly timers = new Set<NodeJS.Timeout>();

	/** Posts a body to a URL when that time has passed; never if it is Infinity. Errors are ignored. */
	add(url: string, milliseconds: number, getBody: () => object): void {
		if (milliseconds === Infinity) return;
		const timer = setTimeout(() => {
			this.timers.delete(timer);
			void post(url, getBody());
		}, milliseconds);
		this.timers.add(timer);
	}

	/** Forgets what was not posted yet. */
	clear(): void {
		this.timers.forEach((timer) => clearTimeout(timer));
		this.timers.clear();
	}
}

async function post(url: string, body: object): Promise<void> {
	try {
		const response = await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
			signal: AbortSignal.timeout(TIMEOUT_MS),
		});
		await response.arrayBuffer();
	} catch {
		// Whoever gave the URL is not there any more.
	}
}
