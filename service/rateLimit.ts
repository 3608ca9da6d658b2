import type { ServerResponse } from 'node:http';

import { problemResponse, withHeaders, type ServiceResponse } from './responses';

/** Requests beyond the limits are refused and have no effect. */
export interface RateLimit {
	concurrent?: number;
	perSecond?: number;
	status?: number;
	/** Value of its Retry-After header: seconds or a date. Default: no header. */
	retryAfter?: string | number;
}

export class RateLimiter {
	private open = 0;
	private windowStart = -Infinity;
	private inWindow = 0;

	admit(response: ServerResponse, limit: RateLimit = {}): ServiceResponse | undefined {
		const { concurrent = Infinity, perSecond = Infinity, status = 429, retryAfter } = limit;
		const now = performance.now();
		if (now >= this.windowStart + 1_000) {
			this.windowStart = now;
			this.inWindow = 0;
		}
		if (this.open < concurrent && this.inWindow < perSecond) {
			this.inWindow += 1;
			this.open += 1;
			response.on('close', () => (this.open -= 1));
			return undefined;
		}
		const refusal = problemResponse(status, 'Too many requests.');
		return retryAfter === undefined
			? refusal
			: withHeaders(refusal, { 'retry-after': String(retryAfter) });
	}
}
