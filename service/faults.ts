import { problem, givenBody, noContent, type Answer } from './answers';
import type { RecordedRequest } from './recordedRequest';
import { fits, type RequestFilter } from './requestFilter';

/** A way to misbehave. Of several that fit a request, the first that is still active acts. */
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
	cut?: 'beforeAnswer' | 'midBody';
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
	take(request: RecordedRequest): Fault | undefined {
		for (const entry of this.active) {
			const { skip = 0, times = Infinity } = entry.fault;
			if (entry.seen >= skip + times || !fits(entry.fault.when ?? {}, request)) continue;
			entry.seen += 1;
			if (entry.seen > skip) return entry.fault;
		}
		return undefined;
	}
}

/** The answer a fault gives instead of the real one, where it gives one. */
export function answerOf({ status, body }: Fault): Answer | undefined {
	return status === undefined && body === undefined ? undefined : replacement(status ?? 200, body);
}

/** Whether a fault acts before the request has any effect. */
export function preventsEffect(fault: Fault): boolean {
	if (fault.afterEffect) return false;
	return fault.hang === true || fault.cut === 'beforeAnswer' || answerOf(fault) !== undefined;
}

function replacement(status: number, body: Fault['body']): Answer {
	if (body !== undefined) return givenBody(status, body);
	return status === 204 || (status >= 300 && status < 400)
		? noContent(status)
		: problem(status, 'The service was asked to answer so.');
}
