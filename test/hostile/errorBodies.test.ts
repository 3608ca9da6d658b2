import { redactKey } from '../../nodes/AvatarStudio/client/response/redactKey';
import { describeFailure } from '../../nodes/AvatarStudio/client/response/serviceMessage';

const KEY = 'sk/Home+7f3a91c2e5==';

/** Texts that make a careless pattern backtrack at each character. */
const REPEATED = [
	...['<', '<a', '<title', '<title>', '<title><', '.', ' ', '. ', '\\', '%25'],
	...[KEY, encodeURIComponent(KEY)].map((key) => key.slice(0, -1)),
];
type Build = (length: number) => string;
const BODIES: [string, Build][] = [
	...REPEATED.map((part): [string, Build] => [part, (length) => part.repeat(length / part.length)]),
	['dots in JSON', (length) => `{"message":"${'.'.repeat(length)}x","errors":["No"]}`],
	// Half as long: V8 takes a step of ten times at some 50 kB of brackets.
	['lists in lists', (length) => '['.repeat(length / 4) + ']'.repeat(length / 4)],
	['nested objects', (length) => '{"error":'.repeat(length / 10) + '1' + '}'.repeat(length / 10)],
	['many fields', (length) => JSON.stringify({ errors: Array(length / 4).fill('No') })],
];

/** The shortest of several runs, because other work on the machine only makes them longer. */
function measure(body: string): number {
	describeFailure(redactKey(body, KEY));
	const times = Array.from({ length: 50 }, () => {
		const start = performance.now();
		describeFailure(redactKey(body, KEY));
		return performance.now() - start;
	});
	return Math.min(...times);
}

test.each(BODIES)('G11: the time to parse %s grows linearly with the length', (_what, build) => {
	const [short, long] = [build(8 * 1024), build(64 * 1024)];
	// Eight times as long; quadratic time would be 64 times as much.
	expect(measure(long) / Math.max(measure(short), 0.1)).toBeLessThan(24);
});
