import { RateLimiter } from './rateLimiter';

/** More than any n8n was seen to use; each takes about 1 kB. */
const MAX_LIMITERS = 1_000;

/** All executions, polls and pickers of an n8n process share them. */
const limiters = new Map<string, RateLimiter>();
/** The services that have responded to this process: their addresses are right. */
export const respondingOrigins = new Set<string>();

/** @returns the limiter of what a service, or the host of a download, limits: see `Client.request` */
export function getRateLimiter(key: string): RateLimiter {
	if (limiters.size >= MAX_LIMITERS && !limiters.has(key)) limiters.clear();
	const limiter = limiters.get(key) ?? new RateLimiter();
	limiters.set(key, limiter);
	return limiter;
}

/** Forgets all that was learned, as a restart of n8n does. */
export function forgetRateLimits(): void {
	limiters.clear();
	respondingOrigins.clear();
}
