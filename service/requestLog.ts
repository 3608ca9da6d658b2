import type { RecordedRequest } from './recordedRequest';
import { matchesRequest, type RequestFilter } from './requestFilter';

/** Every request, in order of arrival, and who waits for one. */
export class RequestLog {
	requests: RecordedRequest[] = [];
	private readonly isComplete = new WeakSet<RecordedRequest>();
	private waiting: { filter: RequestFilter; resolve: (record: RecordedRequest) => void }[] = [];

	/** Forgets every request. */
	clear(): void {
		this.requests = [];
	}

	/** Notes a request as soon as its headers are there. */
	add(record: RecordedRequest): void {
		this.requests.push(record);
	}

	/** Tells those who wait that the request has arrived, body and all. */
	complete(record: RecordedRequest): void {
		this.isComplete.add(record);
		const served = this.waiting.filter(({ filter }) => matchesRequest(filter, record));
		this.waiting = this.waiting.filter((entry) => !served.includes(entry));
		served.forEach(({ resolve }) => resolve(record));
	}

	/** The first request that fits: one that arrived already, or the next to arrive. */
	async waitForRequest(filter: RequestFilter): Promise<RecordedRequest> {
		const arrived = this.requests.find(
			(record) => this.isComplete.has(record) && matchesRequest(filter, record),
		);
		return arrived ?? new Promise((resolve) => this.waiting.push({ filter, resolve }));
	}

	/** All violations so far. */
	get violations(): string[] {
		return this.requests.flatMap(({ method, path, violations }) =>
			violations.map((violation) => `${method} ${path}: ${violation}`),
		);
	}
}
