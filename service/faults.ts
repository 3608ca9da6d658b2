import { matchesRequest, type RecordedRequest, type RequestFilter } from './requests';
import { emptyResponse, problemResponse, toResponse, type ServiceResponse } from './responses';

/** A way to fail. Of several faults that match a request, the first one still active applies. */
export interface Fault {
	/** The requests it applies to. Default: every API request. */
	when?: RequestFilter;
	/** Number of matching requests to let through first. Default 0. */
	skip?: number;
	/** Number of matching requests it then applies to. Default: all. */
	times?: number;
	/** Status of the response. Default 200 if there is a body. Without a body, a problem is sent. */
	status?: number;
	/** Headers added to the response; without status and body, to the real one. */
	headers?: Record<string, string>;
	/** Body of the response: an object is sent as JSON, '' as an empty body. */
	body?: string | Buffer | object;
	/** Delays the response; on its own, the service is merely slow. */
	latencyMs?: number;
	/** Leaves the connection open and never responds. */
	hang?: boolean;
	/** Closes the connection before the response, or after half of its body. */
	disconnect?: 'beforeResponse' | 'midBody';
	/** Carries out the request before failing, so that the caller cannot know the outcome. */
	afterEffect?: boolean;
}

export class Faults {
	private active: { fault: Fault; matched: number }[] = [];

	add(fault: Fault): void {
		this.active.push({ fault, matched: 0 });
	}

	clear(): void {
		this.active = [];
	}

	/** The fault that applies to a request; calling it counts as one match. */
	next(request: RecordedRequest): Fault | undefined {
		for (const entry of this.active) {
			const { skip = 0, times = Infinity, when = {} } = entry.fault;
			if (entry.matched >= skip + times || !matchesRequest(when, request)) continue;
			entry.matched += 1;
			if (entry.matched > skip) return entry.fault;
		}
		return undefined;
	}
}

export function buildFaultResponse({ status, body }: Fault): ServiceResponse | undefined {
	if (body !== undefined) return toResponse(status ?? 200, body);
	if (status === undefined) return undefined;
	return status === 204 || (status >= 300 && status < 400)
		? emptyResponse(status)
		: problemResponse(status, 'Injected fault.');
}

/** Whether a fault keeps the request from being carried out. */
export function preventsEffect(fault: Fault): boolean {
	if (fault.afterEffect) return false;
	return (
		fault.hang === true ||
		fault.disconnect === 'beforeResponse' ||
		buildFaultResponse(fault) !== undefined
	);
}
