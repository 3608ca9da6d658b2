const MAX_ORIGINS = 1_000;
/** A deploy takes less than a minute, and our pauses grow to half of the time it has taken. */
const OUTAGE_MS = 90_000;

/** The hosts that have responded to this n8n process: their address is right. */
const origins = new Set<string>();

export function markAsKnown(origin: string): void {
	if (origins.size >= MAX_ORIGINS) origins.clear();
	origins.add(origin);
}

export function forgetOrigins(): void {
	origins.clear();
}

/**
 * @returns for how long a host that does not work is worth waiting for, in milliseconds: it may be
 *   about to start again, unless its address may be wrong
 */
export function getOutageMs(origin: string): number {
	return origins.has(origin) ? OUTAGE_MS : 0;
}
