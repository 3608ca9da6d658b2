import type { IDataObject } from 'n8n-workflow';

/** A longer one means the same. */
const MAX_PAUSE_MS = 365 * 24 * 3_600_000;

/**
 * Reads Retry-After: seconds, of several the longest, or a date (RFC 9110, section 10.2.3), which is
 * read by the service's own clock, if it says it.
 *
 * @returns how long a refusal asks to wait, in milliseconds, 0 if it does not say
 */
export function readRetryAfterMs({ 'retry-after': header, date }: IDataObject): number {
	if (typeof header !== 'string') return 0;
	const seconds = Math.max(...header.split(',').map(Number));
	const now = Date.parse(date as string) || Date.now();
	const ms = Number.isNaN(seconds) ? Date.parse(header) - now : seconds * 1000;
	return Math.min(Math.max(ms || 0, 0), MAX_PAUSE_MS);
}
