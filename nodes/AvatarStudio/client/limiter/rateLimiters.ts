import { RateLimiter, type Host } from './rateLimiter';

/** More than any n8n was seen to use; each takes about 1 kB. */
const MAX_LIMITERS = 1_000;

/** All executions, polls and pickers of an n8n process share them; what was used last comes last. */
const limiters = new Map<string, RateLimiter>();
const hosts = new Map<string, Host>();

/**
 * @param key names what the service, or the host of a download, limits
 * @param origin of the host
 * @param options.isKnown whether its address is right even if it has never responded: that of a link is
 * @param options.isOfCreations whether what the service rejects says nothing about what it allows
 * @returns the limiter of it, a new one if nothing is known
 */
export function getRateLimiter(
	key: string,
	origin: string,
	{ isKnown = false, isOfCreations = false } = {},
): RateLimiter {
	const host = hosts.get(origin) ?? { hasResponded: isKnown };
	const limiter = limiters.get(key) ?? new RateLimiter(host, isOfCreations);
	limiters.delete(key);
	if (limiters.size >= MAX_LIMITERS) discardOldest();
	limiters.set(key, limiter);
	hosts.set(origin, host);
	return limiter;
}

function discardOldest(): void {
	const oldest = [...limiters].find(([, limiter]) => limiter.isIdle);
	if (oldest) limiters.delete(oldest[0]);
	if (hosts.size >= MAX_LIMITERS) hosts.clear();
}

/** Forgets all that was learned, as a restart of n8n does. */
export function forgetRateLimits(): void {
	limiters.clear();
	hosts.clear();
}
