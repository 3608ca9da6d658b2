import { forgetOrigins } from './knownOrigins';
import { RateLimiter } from './rateLimiter';

/** More than any n8n was seen to use; each takes about 1 kB. */
const MAX_LIMITERS = 1_000;
const SWEEP_EVERY_MS = 60_000;

/** All executions, polls and pickers of an n8n process share them. */
const limiters = new Map<string, RateLimiter>();
let sweptAt = -Infinity;

/**
 * @param scope what the service, or the host of a download, limits
 * @param origin of the host
 * @returns the limiter of it, a new one if nothing is known
 */
export function getRateLimiter(scope: string, origin: string): RateLimiter {
	const now = performance.now();
	if (now - sweptAt >= SWEEP_EVERY_MS) sweep(now);
	const limiter = limiters.get(scope) ?? new RateLimiter(origin);
	// The one that was used last is the last one.
	limiters.delete(scope);
	if (limiters.size >= MAX_LIMITERS) discardOldest();
	limiters.set(scope, limiter);
	return limiter;
}

function sweep(now: number): void {
	sweptAt = now;
	for (const [scope, limiter] of limiters) {
		if (limiter.isForgettable(now)) limiters.delete(scope);
	}
}

function discardOldest(): void {
	const oldest = [...limiters].find(([, limiter]) => limiter.isIdle);
	if (oldest) limiters.delete(oldest[0]);
}

/** Forgets all that was learned, as a restart of n8n does. */
export function forgetRateLimits(): void {
	limiters.clear();
	forgetOrigins();
}
