/** How long the first look comes after a creation, and the shortest time from one look to the next. */
const MIN_INTERVAL_MS = 2_000;
/** The longest time from one look to the next. */
const MAX_INTERVAL_MS = 30_000;
/** The part of the time elapsed after which to look again while nothing is known. */
const ELAPSED_SHARE = 0.1;
/** The longest time from one look to the next while a rendering is expected to end. */
const MAX_CLOSE_INTERVAL_MS = 18_000;
/** The part of the time elapsed after which to look again while a rendering is expected to end. */
const CLOSE_SHARE = 0.05;
/** The part of the time until the earliest expected end that passes until the next look. */
const APPROACH_SHARE = 0.75;
/** A rendering that takes longer than this many times the longest known one is no longer expected to end. */
const TOLERANCE = 1.3;
/** How many renderings of an account are remembered: more than are made side by side. */
const MAX_TIMES = 50;
/** More accounts than any n8n was seen to use; each takes about 1 kB. */
const MAX_ACCOUNTS = 1_000;

/** How long the last renderings of each account took, in milliseconds, until n8n restarts. */
const timesByAccount = new Map<string, number[]>();

/** @returns how long the last renderings of an account took, in milliseconds; none are known at first */
export function getRenderTimes(account: string): number[] {
	return timesByAccount.get(account) ?? [];
}

/** Remembers how long a rendering took, in milliseconds. */
export function addRenderTime(account: string, ms: number): void {
	const times = getRenderTimes(account);
	if (timesByAccount.size >= MAX_ACCOUNTS && times.length === 0) timesByAccount.clear();
	timesByAccount.set(account, [...times, ms].slice(-MAX_TIMES));
}

/** For tests only: forgets all that was learned, as a restart of n8n does. */
export function forgetRenderTimes(): void {
	timesByAccount.clear();
}

/**
 * Decides how long to wait before looking again whether a rendering has ended. For the first rendering of an
 * account, that is a tenth of the time elapsed, so its end is noticed 5 % late on average. Later, what the last
 * ones took tells when to look closely; before that, a few looks allow for a shorter one.
 * `npm run bench -- waits` measures it.
 *
 * @param elapsedMs since the creation
 * @param knownTimes see `getRenderTimes`
 * @returns milliseconds
 */
export function getIntervalMs(elapsedMs: number, knownTimes: number[]): number {
	const longest = Math.max(...knownTimes);
	const isExpected = knownTimes.length > 0 && elapsedMs < longest * TOLERANCE;
	if (!isExpected) return clamp(elapsedMs * ELAPSED_SHARE, MIN_INTERVAL_MS, MAX_INTERVAL_MS);
	const closeMs = clamp(elapsedMs * CLOSE_SHARE, MIN_INTERVAL_MS, MAX_CLOSE_INTERVAL_MS);
	// With few known times, the next rendering may well be shorter than all of them.
	const earliestEnd = Math.min(...knownTimes) * (1 - 0.5 / knownTimes.length);
	return Math.max(closeMs, (earliestEnd - elapsedMs) * APPROACH_SHARE);
}

function clamp(value: number, least: number, most: number): number {
	return Math.min(Math.max(value, least), most);
}
