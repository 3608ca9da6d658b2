import { RateLimiter } from './rateLimiter';

/** More than any n8n was seen to use; each takes about 1 kB. */
const MAX_LIMITERS = 1_000;

/** All executions, polls and pickers of an n8n process share them; what was used last comes last. */
const limiters = new Map<string, RateLimiter>();
/** The origins that have responded to this process: their addresses are right. */
const respondingHosts = new Set<string>();

/** @returns the limiter of what a service, or the host of a download, limits: see `Client.request` */
export function getRateLimiter(key: string): RateLimiter {
	const limiter = limiters.get(key) ?? new RateLimiter();
	limiters.delete(key);
	limiters.set(key, limiter);
	const [oldest] = limiters.keys();
	// What it has begun goes on.
	if (limiters.size > MAX_LIMITERS) limiters.delete(oldest!);
	return limiter;
}

export function hasResponded(origin: string): boolean {
	return respondingHosts.has(origin);
}

export function rememberResponse(origin: string): void {
	if (respondingHosts.size >= MAX_LIMITERS) respondingHosts.clear();
	respondingHosts.add(origin);
}

/** Forgets all that was learned, as a restart of n8n does. */
export function forgetRateLimits(): void {
	limiters.clear();
	respondingHosts.clear();
}
