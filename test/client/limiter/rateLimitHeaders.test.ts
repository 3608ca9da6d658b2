import {
	parseRetryAfter,
	readPauseMs,
} from '../../../nodes/AvatarStudio/client/limiter/rateLimitHeaders';

const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
const DATE_SECONDS = Date.parse(DATE) / 1000;

describe('A refusal asks to wait', () => {
	it.each([
		['not at all', { 'content-type': 'application/json' }, 0],
		['by Retry-After', { 'retry-after': '3', 'ratelimit-remaining': '0' }, 3_000],
		['until the reset of a quota', { 'ratelimit-remaining': '0', 'ratelimit-reset': '2' }, 2_000],
		[
			'until a point in time',
			{ 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${DATE_SECONDS + 5}`, date: DATE },
			5_000,
		],
		[
			'until one in milliseconds',
			{
				'x-rate-limit-remaining': '0',
				'x-rate-limit-reset': `${(DATE_SECONDS + 5) * 1000}`,
				date: DATE,
			},
			5_000,
		],
		[
			'until one in milliseconds that is over',
			{
				'x-rate-limit-remaining': '0',
				'x-rate-limit-reset': `${(DATE_SECONDS - 5) * 1000}`,
				date: DATE,
			},
			0,
		],
		[
			'not until the reset if some remain',
			{ 'ratelimit-remaining': '7', 'ratelimit-reset': '2' },
			0,
		],
		['not until a time before now', { 'ratelimit-remaining': '0', 'ratelimit-reset': '-2' }, 0],
		['not without a number', { 'ratelimit-remaining': '0', 'ratelimit-reset': 'soon' }, 0],
	])('%s', (_how, headers, expected) => {
		expect(readPauseMs(headers)).toBe(expected);
	});
});

describe('Retry-After', () => {
	it.each([
		['1', 1_000],
		['0.5', 500],
		['5, 20', 20_000],
		['0', undefined],
		['soon', undefined],
		['', undefined],
		[undefined, undefined],
		['Wed, 21 Oct 2015 07:28:00 GMT', undefined],
	])('%j', (header, expected) => {
		expect(parseRetryAfter(header)).toBe(expected);
	});

	it('as a date is read by the clock of the service', () => {
		expect(parseRetryAfter('Wed, 21 Oct 2026 07:28:20 GMT', DATE)).toBe(20_000);
	});
});
