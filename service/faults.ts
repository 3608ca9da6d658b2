import type { RecordedRequest } from './recordedRequest';
import { matchesRequest, type RequestFilter } from './requestFilter';
import { problemResponse, toResponse, emptyResponse, type ServiceResponse } from './responses';

/** A way to injectFault. Of several that fit a request, the first that is still active acts. */
export interface Fault {
	/** Which requests. Default: every API request. */
	when?: RequestFilter;
	/** So many fitting requests are let through first. */
	skip?: number;
	/** Then it acts so many times. Default: always. */
	times?: number;
	/** Answers this status; with no body given, a problem body. */
	status?: number;
	/** Added to the answer; alone, to the real one. */
	headers?: Record<string, string>;
	/** Answers this body, with status 200 where none is given. */
	body?: string | Buffer | object;
	/** Waits before it answers; alone, the service is only slow. */
	latencyMs?: number;
	/** Never answers. */
	hang?: boolean;
	/** Ends the connection before the answer, or after half of its body. */
	disconnect?: 'beforeResponse' | 'midBody';
	/** The effect happens before the bad answer: the caller cannot know the outcome. */
	afterEffect?: boolean;
}

/** Faults in the order they were asked for. */
export class Faults {
	private active: { fault: Fault; seen: number }[] = [];

	/** Adds a fault behind those that are there. */
	add(fault: Fault): void {
		this.active.push({ fault, seen: 0 });
	}

	/** Ends every fault. */
	clear(): void {
		this.active = [];
	}

	/** The fault that acts on a request, which counts as one of its times. */
	next(request: RecordedRequest): Fault | undefined {
		for (const entry of this.active) {
			const { skip = 0, times = Infinity } = entry.fault;
			if (entry.seen >= skip + times || !matchesRequest(entry.fault.when ?? {}, request)) continue;
			entry.seen += 1;
			if (entry.seen > skip) return entry.fault;
		}
		return undefined;
	}
}

/** The answer a fault gives instead of the real one, where it gives one. */
export function buildFaultResponse({ status, body }: Fault): ServiceResponse | undefined {
	return status === undefined && body === undefined
		? undefined
		: buildReplacement(status ?? 200, body);
}

/** Whether a fault acts before the request has any effect. */
export function preventsEffect(fault: Fault): boolean {
	if (fault.afterEffect) return false;
	return (
		fault.hang === true ||
		fault.disconnect === 'beforeResponse' ||
		buildFaultResponse(fault) !== undefined
	);
}

function buildReplacement(status: number, body: Fault['body']): ServiceResponse {
	if (body !== undefined) return toResponse(status, body);
	return status === 204 || (status >= 300 && status < 400)
		? emptyResponse(status)
		: problemResponse(status, 'The service was asked to answer so.');
}
