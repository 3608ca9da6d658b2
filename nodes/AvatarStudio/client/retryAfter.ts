import type { IDataObject } from 'n8n-workflow';

/** A year: no request waits for so long, and a longer pause would not fit into a date. */
const MAX_PAUSE_MS = 365 * 24 * 3_600_000;

/**
 * Reads Retry-After (RFC 9110, section 10.2.3): a number of seconds, the longest if a proxy has added
 * another one, or a date, which is compared with the response's own date, since clocks differ.
 *
 * @returns how long a response asks to wait, in milliseconds: 0 if it does not say, a year at most
 */
export function readRetryAfterMs({ 'retry-after': header, date }: IDataObject): number {
	if (typeof header !== 'string') return 0;
	const seconds = Math.max(...header.split(',').map(Number));
	const isDate = Number.isNaN(seconds);
	const now = Date.parse(date as string) || Date.now();
	const ms = isDate ? (Date.parse(header) || now) - now : seconds * 1000;
	return Math.min(Math.max(ms, 0), MAX_PAUSE_MS);
}
