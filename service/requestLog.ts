import type { RecordedRequest } from './recordedRequest';
import { fits, type RequestFilter } from './requestFilter';

/** Every request, in order of arrival, and who waits for one. */
export class RequestLog {
	requests: RecordedRequest[] = [];
	private readonly complete = new WeakSet<RecordedRequest>();
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
	completed(record: RecordedRequest): void {
		this.complete.add(record);
		const served = this.waiting.filter(({ filter }) => fits(filter, record));
		this.waiting = this.waiting.filter((entry) => !served.includes(entry));
		served.forEach(({ resolve }) => resolve(record));
	}

	/** The first request that fits: one that arrived already, or the next to arrive. */
	async arrival(filter: RequestFilter): Promise<RecordedRequest> {
		const arrived = this.requests.find(
			(record) => this.complete.has(record) && fits(filter, record),
		);
		return arrived ?? new Promise((resolve) => this.waiting.push({ filter, resolve }));
	}

	/** All breaches so far. */
	breaches(): string[] {
		return this.requests.flatMap(({ method, path, breaches }) =>
			breaches.map((breach) => `${method} ${path}: ${breach}`),
		);
	}
}
