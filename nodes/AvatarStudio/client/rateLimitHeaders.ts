import type { IDataObject } from 'n8n-workflow';

const HEADER_PREFIXES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/**
 * Reads how long a refusal asks to wait: Retry-After, or the reset of a quota of which none remains.
 * The service documents neither.
 *
 * @param headers by lower-case name
 * @returns milliseconds from now, 0 if it does not say
 */
export function readPauseMs(headers: IDataObject): number {
	const retryAfterMs = parseRetryAfter(headers['retry-after'], headers.date);
	if (retryAfterMs !== undefined) return retryAfterMs;
	const name = HEADER_PREFIXES.find(
		(prefix) => Number(headers[`${prefix}-remaining`] ?? NaN) === 0,
	);
	const reset = name && Number(headers[`${name}-reset`]);
	if (!reset) return 0;
	// Seconds from now, or a point in time in seconds or milliseconds.
	const ms = reset < 1e11 ? reset * 1000 : reset;
	return Math.max(0, reset < 1e9 ? ms : ms - readClock(headers.date));
}

/**
 * @param header Retry-After: seconds or a date (RFC 9110, section 10.2.3); seconds with decimals,
 *   and the longest of several, are accepted too
 * @param date the service's own clock, by which a date is read
 * @returns milliseconds from now, or undefined if there is nothing to wait for
 */
function parseRetryAfter(header: unknown, date?: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const seconds = Math.max(...header.split(',').map(Number));
	const ms = Number.isNaN(seconds) ? Date.parse(header) - readClock(date) : seconds * 1000;
	return ms > 0 ? ms : undefined;
}

/** @returns the time of the service, if it says it, otherwise that of n8n */
function readClock(date: unknown): number {
	return Date.parse(String(date)) || Date.now();
}
