import { readRetryAfterMs } from '../../nodes/AvatarStudio/client/retryAfter';

const DATE = 'Wed, 21 Oct 2026 07:28:00 GMT';
const LATER = 'Wed, 21 Oct 2026 07:28:20 GMT';

test.each<[string, Record<string, string>, number]>([
	['not at all', { 'content-type': 'application/json' }, 0],
	['for seconds', { 'retry-after': '3' }, 3_000],
	['with decimals', { 'retry-after': '0.5' }, 500],
	['for the longest of several times', { 'retry-after': '5, 20' }, 20_000],
	['by the service’s clock', { 'retry-after': LATER, date: DATE }, 20_000],
	['not until a date that is over', { 'retry-after': 'Wed, 21 Oct 2015 07:28:00 GMT' }, 0],
	['not by words', { 'retry-after': 'soon' }, 0],
	['for a year at most', { 'retry-after': 'Infinity' }, 31_536_000_000],
])('A refusal asks to wait %s', (_how, headers, expected) => {
	expect(readRetryAfterMs(headers)).toBe(expected);
});
