import type { ServerResponse } from 'node:http';

import { problemResponse, withHeaders, type ServiceResponse } from './responses';

/** Requests beyond the limits are refused and have no effect. */
export interface RateLimit {
	/** How many requests may be open at once. Default: any number. */
	concurrent?: number;
	/** How many requests are admitted in a second. Default: any number. */
	perSecond?: number;
	/** Status of a refusal. Default 429. */
	status?: number;
	/** Value of the Retry-After header of a refusal: seconds or a date. Default: no header. */
	retryAfter?: string | number;
}

export class RateLimiter {
	private open = 0;
	/** When the current second began, by performance.now(). */
	private windowStart = -Infinity;
	private inWindow = 0;

	/** Counts a request as open until its response is closed, or returns the refusal of it. */
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
			response.on('close', () => {
				this.open -= 1;
			});
			return undefined;
		}
		const refusal = problemResponse(status, 'Too many requests.');
		return retryAfter === undefined
			? refusal
			: withHeaders(refusal, { 'retry-after': String(retryAfter) });
	}
}
