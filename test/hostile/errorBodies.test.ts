import { redactKey } from '../../nodes/AvatarStudio/client/response/redactKey';
import { extractErrorMessage } from '../../nodes/AvatarStudio/client/response/serviceMessage';
import { getError, getErrorText } from '../support/engine/engine';
import { createSpeech, downloadAsset } from '../support/parameters';
import { type RawHost, startRawHost } from '../support/rawHost';
import { useStudio } from '../support/studio';

const studio = useStudio();
const KEY = 'sk/Home+7f3a91c2e5==';

/** Texts that make a careless pattern backtrack at each character. */
const REPEATED = [
	...['<', '< ', '<a', '<title', '<title>', '<title><', '<script', '<script>', '<script><style>'],
	...['<style></', '.', ' ', '. ', '\\', '%25', '&#000'],
	...[KEY, encodeURIComponent(KEY)].map((key) => key.slice(0, -1)),
];
type Build = (length: number) => string;
const BODIES: [string, Build][] = [
	...REPEATED.map((part): [string, Build] => [part, (length) => part.repeat(length / part.length)]),
	[
		'dots in JSON',
		(length) => JSON.stringify({ message: `${'.'.repeat(length)}x`, errors: ['No'] }),
	],
	// Half as long: V8 takes a step of ten times at some 50 kB of brackets.
	['lists in lists', (length) => '['.repeat(length / 4) + ']'.repeat(length / 4)],
	[
		'objects in objects',
		(length) => `${'{"error":'.repeat(length / 10)}1${'}'.repeat(length / 10)}`,
	],
	['many fields', (length) => JSON.stringify({ errors: Array(length / 4).fill('No') })],
];

/** The shortest of several runs, because other work on the machine only makes them longer. */
function measure(body: string): number {
	extractErrorMessage(redactKey(body, KEY));
	const times = Array.from({ length: 50 }, () => {
		const start = performance.now();
		extractErrorMessage(redactKey(body, KEY));
		return performance.now() - start;
	});
	return Math.min(...times);
}

test.each(BODIES)('G11: the time to parse %s grows linearly with the length', (_what, build) => {
	const [short, long] = [build(8 * 1024), build(64 * 1024)];
	// Eight times as long; quadratic time would be 64 times as much.
	expect(measure(long) / Math.max(measure(short), 0.1)).toBeLessThan(24);
});

/** A host whose responses never end. */
async function startEndlessHost(status: number, contentType: string): Promise<RawHost> {
	return await startRawHost((_request, response) => {
		response.writeHead(status, { 'content-type': contentType });
		const write = () => {
			while (!response.destroyed && response.write('No voice. '.repeat(1_000)));
		};
		response.on('drain', write);
		write();
	});
}

test('G11: an endless refusal is only read at its start', async () => {
	const host = await startEndlessHost(422, 'text/plain');
	const credentials = { baseUrl: host.url, apiKey: KEY };
	const error = await getError(studio.run(createSpeech(), { credentials }));

	expect(getErrorText(error)).toContain('No voice');
	expect(error.httpCode).toBe('422');
});

test('G11: an endless web page instead of a file is only read at its start', async () => {
	const host = await startEndlessHost(200, 'text/html');
	const { id } = studio.service.assets[0]!;
	studio.service.injectFault({ body: { id, url: `${host.url}/file` } });
	const text = await studio.getFailure(downloadAsset(id));
	expect(text).toContain('a web page instead of a file');
});
