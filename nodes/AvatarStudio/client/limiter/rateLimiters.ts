import { RateLimiter } from './rateLimiter';

/** More than any n8n was seen to use; each takes about 1 kB. */
const MAX_LIMITERS = 1_000;

/** The limiters that all executions, polls and pickers of an n8n process share. */
const limiters = new Map<string, RateLimiter>();
/** The origins whose service has responded to this process with data, so that their address is right. */
export const knownOrigins = new Set<string>();

/**
 * @param scope what a service limits of one account: its creations at one address, its downloads from one
 *   host, or everything else
 * @param name what is limited as a log may show it, without the account
 */
export function getRateLimiter(scope: string, name: string): RateLimiter {
	// Requests that are in progress keep the limiter they have, so forgetting all costs a few refusals.
	if (limiters.size >= MAX_LIMITERS && !limiters.has(scope)) limiters.clear();
	const limiter = limiters.get(scope) ?? new RateLimiter(name);
	limiters.set(scope, limiter);
	return limiter;
}

/** For tests only: forgets all that was learned, as a restart of n8n does. */
export function forgetRateLimits(): void {
	limiters.clear();
	knownOrigins.clear();
}
