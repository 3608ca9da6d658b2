import { readPauseMs } from '../../nodes/AvatarStudio/client/rateLimitHeaders';

const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
const DATE_SECONDS = Date.parse(DATE) / 1000;

/** Headers of a quota that is used up. */
const untilReset = (reset: number | string, prefix = 'ratelimit') => ({
	[`${prefix}-remaining`]: '0',
	[`${prefix}-reset`]: String(reset),
	date: DATE,
});

test.each<[string, Record<string, string>, number]>([
	['not at all', { 'content-type': 'application/json' }, 0],
	['by Retry-After rather than a reset', { 'retry-after': '3', ...untilReset(7) }, 3_000],
	['with decimals', { 'retry-after': '0.5' }, 500],
	['for the longest of several times', { 'retry-after': '5, 20' }, 20_000],
	[
		'until a date, by the clock of the service',
		{ 'retry-after': 'Wed, 21 Oct 2026 07:28:20 GMT', date: DATE },
		20_000,
	],
	['not until a date that is over', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
	['not for 0 seconds, but until a reset', { 'retry-after': '0', ...untilReset(2) }, 2_000],
	['not by words, but until a reset', { 'retry-after': 'soon', ...untilReset(2) }, 2_000],
	['until a reset in seconds of the clock', untilReset(DATE_SECONDS + 5, 'x-ratelimit'), 5_000],
	['until one in milliseconds', untilReset((DATE_SECONDS + 5) * 1000, 'x-rate-limit'), 5_000],
	['not until one that is over', untilReset((DATE_SECONDS - 5) * 1000), 0],
	['not until one before now', untilReset(-2), 0],
	['not until one without a number', untilReset('soon'), 0],
	['not until a reset if some remain', { ...untilReset(2), 'ratelimit-remaining': '7' }, 0],
])('A refusal asks to wait %s', (_how, headers, expected) => {
	expect(readPauseMs(headers)).toBe(expected);
});
