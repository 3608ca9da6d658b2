import {
	parseRetryAfter,
	readRateLimitHeaders,
} from '../../../nodes/AvatarStudio/client/limiter/rateLimitHeaders';

const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
const DATE_SECONDS = Date.parse(DATE) / 1000;

describe('headers that report a limit', () => {
	it.each([
		[
			'RateLimit-* per second',
			{ 'ratelimit-limit': '20', 'ratelimit-remaining': '5', 'ratelimit-reset': '1' },
			{ perSecond: 20, remaining: 5, resetMs: 1_000 },
		],
		[
			'X-RateLimit-* per minute, which may be used at any pace',
			{ 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '599', 'x-ratelimit-reset': '59' },
			{ perSecond: undefined, remaining: 599, resetMs: 59_000 },
		],
		[
			'X-Rate-Limit-* with a reset as a date in seconds',
			{
				'x-rate-limit-limit': '10',
				'x-rate-limit-remaining': '0',
				'x-rate-limit-reset': String(DATE_SECONDS + 2),
				date: DATE,
			},
			{ perSecond: 5, remaining: 0, resetMs: 2_000 },
		],
		[
			'X-RateLimit-* with a past reset in milliseconds',
			{
				'x-ratelimit-remaining': '3',
				'x-ratelimit-reset': String((DATE_SECONDS - 2) * 1000),
				date: DATE,
			},
			{ perSecond: undefined, remaining: 3, resetMs: 0 },
		],
		[
			'a policy with a window',
			{ 'ratelimit-limit': '100', 'ratelimit-policy': '100;w=10', 'ratelimit-remaining': '7' },
			{ perSecond: 10, remaining: 7, resetMs: undefined },
		],
		[
			'structured fields',
			{ ratelimit: '"default";r=50;t=30', 'ratelimit-policy': '"default";q=100;w=5' },
			{ perSecond: 20, remaining: 50, resetMs: 30_000 },
		],
		[
			'one field with names',
			{ ratelimit: 'limit=100, remaining=50, reset=5' },
			{ perSecond: 20, remaining: 50, resetMs: 5_000 },
		],
		[
			'a limit of nothing, which is none',
			{ 'ratelimit-limit': '0', 'ratelimit-remaining': '0', 'ratelimit-reset': '1' },
			{ perSecond: undefined, remaining: 0, resetMs: 1_000 },
		],
		[
			'requests in flight',
			{ 'ratelimit-policy': '"open";q=8;qu="concurrent-requests"' },
			{ concurrency: 8, perSecond: undefined, remaining: undefined, resetMs: undefined },
		],
	])('%s', (_name, headers, expected) => {
		expect(readRateLimitHeaders(headers)).toEqual(expected);
	});

	it.each([{}, { 'content-type': 'application/json' }, { 'x-ratelimit-remaining': 'many' }])(
		'%j reports none',
		(headers) => {
			expect(readRateLimitHeaders(headers)).toBeUndefined();
		},
	);
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
});
