import type { IDataObject } from 'n8n-workflow';

/** What a service reports about its limits. */
export interface ReportedLimits {
	/** Number of requests in flight. */
	concurrency?: number;
	/** Number of requests per second, if they are counted over a short time. */
	perSecond?: number;
	/** Number of requests left until the count starts anew. */
	remaining?: number;
	/** Milliseconds until then. */
	resetMs?: number;
}

/** If requests are counted over a longer time, they may be sent at any pace until none is left. */
const MAX_SHORT_WINDOW_SECONDS = 10;

const NAMES = ['ratelimit', 'x-ratelimit', 'x-rate-limit'];

/**
 * Reads RateLimit-Limit, -Remaining and -Reset, with and without "X-", and the RateLimit and
 * RateLimit-Policy of later drafts (draft-ietf-httpapi-ratelimit-headers, versions 02 to 11).
 *
 * @param headers by lower-case name
 * @returns undefined if the service reports none of them
 */
export function readRateLimitHeaders(headers: IDataObject): ReportedLimits | undefined {
	const read = (suffix: string) => {
		const value = NAMES.map((name) => headers[name + suffix]).find(Boolean);
		return typeof value === 'string' ? value : '';
	};
	const [limit, policy, current] = [read('-limit'), read('-policy'), read('')];
	const remaining = readNumber(read('-remaining')) ?? readNumber(current, 'r|remaining');
	if (remaining === undefined && !limit && !policy) return undefined;

	const reset = readNumber(read('-reset')) ?? readNumber(current, 't|reset');
	const resetSeconds = reset === undefined ? undefined : toSecondsFromNow(reset, headers.date);
	const quotas = `${policy},${limit},${current}`.split(',').map((text) => ({
		amount: readNumber(text, 'q|limit') ?? readNumber(text),
		seconds: readNumber(text, 'w') ?? resetSeconds ?? Infinity,
		isConcurrency: text.includes('concurrent-requests'),
	}));
	const rates = quotas.flatMap(({ amount, seconds, isConcurrency }) =>
		!amount || isConcurrency || seconds > MAX_SHORT_WINDOW_SECONDS
			? []
			: [amount / Math.max(seconds, 1)],
	);
	return {
		concurrency: quotas.find(({ isConcurrency }) => isConcurrency)?.amount,
		perSecond: rates.length > 0 ? Math.min(...rates) : undefined,
		remaining,
		resetMs: resetSeconds === undefined ? undefined : resetSeconds * 1000,
	};
}

/**
 * @param header Retry-After: seconds or a date (RFC 9110, section 10.2.3); seconds with decimals,
 *   and the longest of several, are accepted too
 * @param date the service's own clock, by which a date is read
 * @returns milliseconds from now, or undefined if there is nothing to wait for
 */
export function parseRetryAfter(header: unknown, date?: unknown): number | undefined {
	if (typeof header !== 'string') return undefined;
	const seconds = header.split(',').map((text) => (text.trim() === '' ? NaN : Number(text)));
	const ms = seconds.some(Number.isNaN)
		? Date.parse(header) - (Date.parse(String(date)) || Date.now())
		: Math.max(...seconds) * 1000;
	return ms > 0 ? ms : undefined;
}

/**
 * @param parameter names of the parameter, as a pattern; by default the number comes first
 * @returns the first number in `text` with that name
 */
function readNumber(text: string, parameter?: string): number | undefined {
	const name = parameter ? `(?:^|[;,\\s])(?:${parameter})=` : '^';
	const digits = new RegExp(`${name}\\s*(\\d+(?:\\.\\d+)?)`).exec(text.trim())?.[1];
	return digits === undefined ? undefined : Number(digits);
}

/**
 * @param reset seconds from now, or a point in time in seconds or milliseconds
 * @param date the service's own clock
 */
function toSecondsFromNow(reset: number, date: unknown): number {
	if (reset < 1e9) return reset;
	const now = Date.parse(String(date)) || Date.now();
	return Math.max(0, (reset < 1e11 ? reset * 1000 : reset) - now) / 1000;
}
