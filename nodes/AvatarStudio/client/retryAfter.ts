import type { IDataObject } from 'n8n-workflow';

import { LONGEST_WAIT_MS } from './delay';

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
	return Math.min(Math.max(ms, 0), LONGEST_WAIT_MS);
}
